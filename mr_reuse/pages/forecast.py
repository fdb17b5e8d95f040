"""What `--dry-run` says: what a run would do, and what it would take."""

from collections.abc import Iterator

from mr_reuse.engine import costs
from mr_reuse.pages import estimate, planning
from mr_reuse.pages.estimate import Work
from mr_reuse.pages.filters import Filter

STEPS = 'HashChunks, CountDuplicates, FilterStopChunks, PlaceLabels, ReadPreviews'
ROWS = 20  # of the list of inputs


def dry_run(plan: planning.Plan, work: Work, steps: str = STEPS) -> str:
    """What would be done, on what, and how large it is."""
    archives = sum(s.kind == 'archive' for s in plan.sources)
    lines = [f'{s.size:>15,}  {s.name}' for s in plan.sources[:ROWS]]
    if len(plan.sources) > ROWS:
        lines.append(f'{"…":>15}  and {len(plan.sources) - ROWS:,} more')
    lines += [
        f'{plan.size:>15,}  bytes in {archives:,} archives and '
        f'{len(plan.sources) - archives:,} single pages',
        f'would run {steps} with -r {plan.given.runner} and {plan.tasks:,} map tasks '
        f'into {plan.given.output}',
        *_expected(plan, work, steps.count(',') + 1),
    ]
    return '\n'.join(lines) + '\n'


def _expected(plan: planning.Plan, work: Work, steps: int) -> Iterator[str]:
    """What it would take, by a sample of the input."""
    only = Filter(plan.given.filter, plan.given.recursion)
    sample = estimate.take(plan.sources, work, only)
    if not sample.rows:
        yield 'what it would take is not known: no pages in a sample of the input'
        return
    found = estimate.estimate(sample, plan.size, plan.tasks)
    seconds = found.seconds + estimate.starting(plan.given.runner, steps, plan.tasks)
    yield (
        f'it would take about {_of_a_core(seconds)} like the one of this machine, '
        f'{found.shuffle / 1e6:,.0f} MB of shuffle in the largest step, and '
        f'{found.disk / 1e6:,.0f} MB in {plan.given.output}'
    )
    yield f'(by a sample of {min(sample.read, plan.size) / 1e6:,.0f} MB of the input)'
    if plan.given.runner == 'emr':
        yield costs.line(plan.given, seconds, steps)


def _of_a_core(seconds: float) -> str:
    """Time of a core, for people.

    >>> _of_a_core(42.3), _of_a_core(7200)
    ('0.012 core-hours (42 s of a core)', '2 core-hours (7,200 s of a core)')
    """
    return f'{seconds / 3600:,.2g} core-hours ({seconds:,.0f} s of a core)'
