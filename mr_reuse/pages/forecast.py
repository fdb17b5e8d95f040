"""The text of `--dry-run`: the steps, inputs and expected cost of a run."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mr_reuse.engine import costs, run_steps
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.messages import format_count
from mr_reuse.pages import disk_space, estimate, input_status, planning
from mr_reuse.pages.estimate import Estimate, Keys, Scale, Work
from mr_reuse.pages.filters import Filter
from mr_reuse.pages.inputs import GUESSED_SIZE
from mr_reuse.pages.source_list import SourceList
from mr_reuse.storage.naming import is_remote

MAX_LISTED = 20  # inputs
SIZES = 50  # archives of unknown size that are looked up


class Measure(NamedTuple):
    """How to measure the cost of a sample, and to scale it to all of the input."""

    work: Work
    keys_of: Keys = estimate.chunks_of
    scale: Scale = estimate.extrapolate


def format_forecast(
    plan: planning.Plan, measure: Measure | None, steps: Sequence[RunStep]
) -> str:
    """Format the inputs and the steps of a run; with a measure, the expected cost."""
    archives = sum(s.kind == 'archive' for s in plan.sources)
    options, tasks = plan.run_options, plan.tasks
    sources, looked_up = guess_sizes(plan.sources)
    plan = plan._replace(sources=sources)
    lines = [f'{s.size:>15,}  {s.name}' for s in plan.sources[:MAX_LISTED]]
    if len(plan.sources) > MAX_LISTED:
        lines.append(f'{"…":>15}  and {len(plan.sources) - MAX_LISTED:,} more')
    lines += [
        f'{plan.size:>15,}  bytes in {format_count(archives, "archive")} and '
        f'{format_count(len(plan.sources) - archives, "single page")}',
        *(
            [f'(sizes from {looked_up} of {format_count(archives, "archive")})']
            if looked_up
            else []
        ),
        f'would run {", ".join(run_steps.name_jobs(steps))} '
        f'with -r {options.runner} and {format_count(tasks, "map task")} '
        f'into {options.output}',
        *(_expected(plan, tasks, measure, steps) if measure else ()),
    ]
    return '\n'.join(lines) + '\n'


def guess_sizes(sources: SourceList) -> tuple[SourceList, int]:
    """Look up some unknown sizes, and take their mean for the others.

    Return the number of sizes that were looked up as well.
    """
    unknown = [s.path for s in sources if s.size == GUESSED_SIZE and not s.stamp]
    paths = unknown[:: -(-len(unknown) // SIZES)] if unknown else []
    entries = zip(paths, input_status.find_status(paths), strict=True)
    sizes = {path: entry.size for path, entry in entries if entry and entry.size > 0}
    if not sizes:
        return sources, 0
    mean = sum(sizes.values()) // len(sizes)
    guessed = dict.fromkeys(unknown, mean) | sizes
    known = (s._replace(size=guessed.get(s.path, s.size)) for s in sources)
    return SourceList(known), len(sizes)


def _expected(
    plan: planning.Plan, tasks: int, measure: Measure, steps: Sequence[RunStep]
) -> Iterator[str]:
    """Yield lines with the expected cost, from a sample of the input."""
    options = plan.run_options
    sample = _take_sample(plan, measure)
    if not sample.rows:
        yield 'cost unknown: no pages in a sample of the input'
        return
    runner = _runner_of(plan)
    expected = measure.scale(sample, plan.size, tasks, steps, runner)
    start = estimate.start_seconds(runner, len(steps), tasks)
    seconds = expected.seconds + start
    yield describe_cost(expected, seconds, options.output)
    yield f'(from a sample of {min(sample.read, plan.size) / 1e6:,.0f} MB of the input)'
    if options.runner == 'emr':
        yield costs.describe_cost(options, seconds, len(steps))


def _take_sample(plan: planning.Plan, measure: Measure) -> estimate.Sample:
    only = Filter(plan.input_options.filter, plan.input_options.recursion)
    work, keys_of, _ = measure
    return estimate.take_sample(plan.sources, work, only, keys_of)


def _runner_of(plan: planning.Plan) -> str:
    """Return the runner of the first step, which may have little input."""
    options = plan.run_options
    is_small = options.runner == 'local' and plan.size <= planning.SMALL_ARCHIVES
    return 'inline' if is_small else options.runner


def check_space(plan: planning.Plan, work: Work, steps: Sequence[RunStep]) -> None:
    """Refuse a run for which the disk has too little space."""

    def expect() -> disk_space.Needs | None:
        if any(is_remote(source.path) for source in plan.sources):
            return disk_space.guess(plan.size)
        sample = _take_sample(plan, Measure(work))
        runner = _runner_of(plan)
        cost = estimate.extrapolate(sample, plan.size, plan.tasks, steps, runner)
        return cost if sample.rows else None

    disk_space.check_space(plan.run_options, plan.size, expect)


def describe_cost(expected: Estimate, seconds: float, output: str) -> str:
    """Describe the cost of a run. `seconds` are those of one core."""
    return (
        f'it would take {_core_time(seconds)} on cores of this speed, '
        f'{_round(expected.shuffle / 1e6)} MB of shuffle in the largest step, and '
        f'{_round(expected.disk / 1e6)} MB in {output}'
    )


def _core_time(seconds: float) -> str:
    """Format time of a core.

    >>> _core_time(42.3), _core_time(3)
    ('about 0.012 core-hours (42 s of a core)', 'less than 0.01 core-hours (3.0 s of a \
core)')
    """
    hours = f'about {seconds / 3600:,.2g}' if seconds >= 36 else 'less than 0.01'
    return f'{hours} core-hours ({_round(seconds)} s of a core)'


def _round(number: float) -> str:
    """Format a number; one below ten has a decimal.

    >>> _round(1234.5), _round(0.94)
    ('1,234', '0.9')
    """
    return f'{number:,.0f}' if number >= 10 else f'{number:.1f}'
