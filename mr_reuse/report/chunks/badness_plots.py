"""How bad pages and neighborhoods are: their distribution, and what is above."""

from typing import Any

from mr_reuse.report import figures
from mr_reuse.report.run import Run

LEVELS = 8  # in the page


def section(run: Run) -> dict[str, Any] | None:
    """Distributions of pages and neighborhoods, drawn."""
    if not run.is_detected:
        return None
    hoods = run.stats['neighborhoods']
    units = [
        ('page', run.stats['pages'], run.stats['pages']),
        ('neighborhood', hoods, hoods[hoods['ratio']]),
    ]
    levels = sorted(hoods['by_level'].items(), key=lambda level: int(level[0]))
    return {
        'units': [_unit(*unit) for unit in units],
        'levels': levels[:LEVELS],
        'deeper': _sum(told for _, told in levels[LEVELS:]),
        'rule': run.record.detect.rule,
    }


def _unit(name: str, told: dict[str, Any], moments: dict[str, Any]) -> dict[str, Any]:
    count = sum(told['histogram'])
    below = 1 - told['bad'] / count if count else 0.0
    threshold = told['threshold']
    figure = None
    if count:
        figure = figures.badness(name, told['histogram'], threshold, below)
    numbers = {key: moments[key] for key in ('mean', 'deviation')}
    found = {'name': name, 'count': count, 'bad': told['bad'], 'below': below}
    found['few'] = told[f'{name}s'] - count
    return found | numbers | {'threshold': threshold, 'figure': figure}


def _sum(told) -> dict[str, int]:
    rows = list(told)
    names = ('neighborhoods', 'count', 'bad')
    return {'levels': len(rows)} | {n: sum(row[n] for row in rows) for n in names}
