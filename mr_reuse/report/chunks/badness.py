"""The section of badness: distributions of pages and neighborhoods by their share."""

from typing import Any

from mr_reuse.chunks.detect import support
from mr_reuse.chunks.detect.badness import Rule
from mr_reuse.report import figures
from mr_reuse.report.run import Run

MAX_LEVELS = 8  # rows of the table; one more row has the sum of deeper levels


def section(run: Run) -> dict[str, Any] | None:
    """Return the plots of pages and neighborhoods, and the table of levels."""
    if not run.is_detected:
        return None
    hoods = run.stats['neighborhoods']
    rule = Rule.from_dict(run.record.detect.rule)
    units = [
        ('page', run.stats['pages'], run.stats['pages']),
        ('neighborhood', hoods, hoods[hoods['ratio']]),
    ]
    levels = sorted(hoods['by_level'].items(), key=lambda level: int(level[0]))
    return {
        'units': [_unit(*unit) for unit in units],
        'levels': levels[:MAX_LEVELS],
        'deeper': _sum([stats for _, stats in levels[MAX_LEVELS:]]),
        'rule': run.record.detect.rule,
        'reservations': support.describe_folders(run.stats, rule),
    }


def _unit(name: str, stats: dict[str, Any], moments: dict[str, Any]) -> dict[str, Any]:
    count = sum(stats['histogram'])
    below = 1 - stats['bad'] / count if count else 0.0
    threshold = stats['threshold']
    figure = None
    if count:
        figure = figures.badness(name, stats['histogram'], threshold, below)
    return {
        'name': name,
        'count': count,
        'bad': stats['bad'],
        'below': below,
        'few': stats[f'{name}s'] - count,
        'mean': moments['mean'],
        'deviation': moments['deviation'],
        'threshold': threshold,
        'figure': figure,
    }


def _sum(levels: list[dict[str, int]]) -> dict[str, int]:
    names = ('neighborhoods', 'count', 'bad')
    sums = {name: sum(level[name] for level in levels) for name in names}
    return {'levels': len(levels)} | sums
