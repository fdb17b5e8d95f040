"""What `--dry-run` says: what a run would do, and what it would take."""

from collections.abc import Iterator, Sequence

from mr_reuse.engine import costs
from mr_reuse.pages import estimate, planning
from mr_reuse.pages.estimate import Work
from mr_reuse.pages.filters import Filter

ROWS = 20  # of the list of inputs


def dry_run(plan: planning.Plan, work: Work, steps: Sequence[str]) -> str:
    """What would be done, on what, and how large it is."""
    archives = sum(s.kind == 'archive' for s in plan.sources)
    options = plan.run_options
    lines = [f'{s.size:>15,}  {s.name}' for s in plan.sources[:ROWS]]
    if len(plan.sources) > ROWS:
        lines.append(f'{"…":>15}  and {len(plan.sources) - ROWS:,} more')
    lines += [
        f'{plan.size:>15,}  bytes in {archives:,} archives and '
        f'{len(plan.sources) - archives:,} single pages',
        f'would run {", ".join(steps)} with -r {options.runner} and '
        f'{plan.tasks:,} map tasks into {options.output}',
        *_expected(plan, work, len(steps)),
    ]
    return '\n'.join(lines) + '\n'


def _expected(plan: planning.Plan, work: Work, steps: int) -> Iterator[str]:
    """What it would take, by a sample of the input."""
    options = plan.run_options
    only = Filter(plan.input_options.filter, plan.input_options.recursion)
    sample = estimate.take(plan.sources, work, only)
    if not sample.rows:
        yield 'what it would take is not known: no pages in a sample of the input'
        return
    found = estimate.estimate(sample, plan.size, plan.tasks)
    seconds = found.seconds + estimate.starting(options.runner, steps, plan.tasks)
    yield (
        f'it would take about {_of_a_core(seconds)} like the one of this machine, '
        f'{found.shuffle / 1e6:,.0f} MB of shuffle in the largest step, and '
        f'{found.disk / 1e6:,.0f} MB in {options.output}'
    )
    yield f'(by a sample of {min(sample.read, plan.size) / 1e6:,.0f} MB of the input)'
    if options.runner == 'emr':
        yield costs.line(options, seconds, steps)


def _of_a_core(seconds: float) -> str:
    """Time of a core, for people.

    >>> _of_a_core(42.3), _of_a_core(7200)
    ('0.012 core-hours (42 s of a core)', '2 core-hours (7,200 s of a core)')
    """
    return f'{seconds / 3600:,.2g} core-hours ({seconds:,.0f} s of a core)'
