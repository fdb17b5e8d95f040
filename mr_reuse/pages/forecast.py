"""The text of `--dry-run`: the steps, inputs and expected cost of a run."""

from collections.abc import Iterator, Sequence

from mr_reuse.archives.sources import Source
from mr_reuse.engine import costs
from mr_reuse.messages import format_count
from mr_reuse.pages import estimate, input_status, planning
from mr_reuse.pages.estimate import Work
from mr_reuse.pages.filters import Filter
from mr_reuse.pages.inputs import GUESSED_SIZE

MAX_LISTED = 20  # inputs
SIZES = 50  # archives of unknown size that are looked up


def format_forecast(
    plan: planning.Plan, work: Work | None, steps: Sequence[str]
) -> str:
    """Format the inputs and the steps of a run.

    With `work`, which cuts pages into chunks, format the expected cost as well.
    """
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
        f'would run {", ".join(steps)} with -r {options.runner} and '
        f'{format_count(tasks, "map task")} into {options.output}',
        *(_expected(plan, tasks, work, len(steps)) if work else ()),
    ]
    return '\n'.join(lines) + '\n'


def guess_sizes(sources: list[Source]) -> tuple[list[Source], int]:
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
    return [s._replace(size=guessed.get(s.path, s.size)) for s in sources], len(sizes)


def _expected(plan: planning.Plan, tasks: int, work: Work, steps: int) -> Iterator[str]:
    """Yield lines with the expected cost, from a sample of the input."""
    options = plan.run_options
    only = Filter(plan.input_options.filter, plan.input_options.recursion)
    sample = estimate.take_sample(plan.sources, work, only)
    if not sample.rows:
        yield 'cost unknown: no pages in a sample of the input'
        return
    expected = estimate.extrapolate(sample, plan.size, tasks)
    start = estimate.start_seconds(options.runner, steps, tasks)
    seconds = expected.seconds + start
    yield (
        f'it would take about {_core_time(seconds)} on cores of this speed, '
        f'{expected.shuffle / 1e6:,.0f} MB of shuffle in the largest step, and '
        f'{expected.disk / 1e6:,.0f} MB in {options.output}'
    )
    yield f'(from a sample of {min(sample.read, plan.size) / 1e6:,.0f} MB of the input)'
    if options.runner == 'emr':
        yield costs.describe_cost(options, seconds, steps)


def _core_time(seconds: float) -> str:
    """Format time of a core.

    >>> _core_time(42.3), _core_time(3)
    ('0.012 core-hours (42 s of a core)', 'under 0.01 core-hours (3 s of a core)')
    """
    hours = f'{seconds / 3600:,.2g}' if seconds >= 36 else 'under 0.01'
    return f'{hours} core-hours ({seconds:,.0f} s of a core)'
