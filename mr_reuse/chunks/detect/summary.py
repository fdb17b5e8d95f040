"""The summary that `detect` prints: thresholds, and the worst neighborhoods."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from mr_reuse.chunks.chunk_tables import BAD_NEIGHBORHOODS, BAD_PAGES
from mr_reuse.chunks.detect.badness import Rule
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import command_line, format_count, format_share, format_threshold
from mr_reuse.tables.table_files import read_rows

TOP = 10  # neighborhoods to print
LEVEL_NOUNS = {  # nouns for neighborhoods, by --levels
    'all': ('host or folder', 'hosts and folders'),
    'site': ('host', 'hosts'),
    '1': ('host', 'hosts'),
    'domain': ('registered domain', 'registered domains'),
}


def format_results(run: RunDir, stats: Mapping[str, Any], rule: Rule) -> str:
    """Format the numbers of bad pages and neighborhoods, and the worst of these."""
    pages, hoods = stats['pages'], stats['neighborhoods']
    level = rule.levels
    folders = f'folder of level {level}', f'folders of level {level}'
    of_hoods = hoods | hoods[rule.ratio]
    lines = [
        count_judged(('page', 'pages'), pages['pages'], pages),
        f'bad pages: {count_bad(pages, 0)}',
        count_judged(LEVEL_NOUNS.get(level, folders), hoods['neighborhoods'], of_hoods),
        f'bad neighborhoods: {count_bad(of_hoods, rule.min_bad)}',
        '',
        *format_worst(run),
        '',
        f'{count_listed(hoods["bad"], "bad neighborhood", rule)}: '
        f'{run.join(BAD_NEIGHBORHOODS.file)}',
        f'{count_listed(pages["bad"], "bad page", rule)}: {run.join(BAD_PAGES.file)}',
        f'for these results as an HTML page, run: {command_line("report", run.path)}',
    ]
    return '\n'.join(lines) + '\n'


def count_listed(bad: int, noun: str, rule: Rule) -> str:
    """Describe the bad rows that are in their table: all, or the first `--top`.

    >>> count_listed(9000, 'bad page', Rule())
    'all 9,000 bad pages'
    >>> count_listed(9000, 'bad page', Rule(top=1))
    'the first 1 bad page'
    """
    if rule.top is None or bad <= rule.top:
        return f'all {format_count(bad, noun)}'
    return f'the first {format_count(rule.top, noun)}'


def count_judged(nouns: tuple[str, str], number: int, stats: Mapping[str, Any]) -> str:
    """Describe a number of pages or neighborhoods, and of those not judged."""
    skipped = number - stats['count']
    counted = format_count(number, *nouns)
    few = 'with too few chunks to judge (see --min-chunks)'
    return f'{counted}, {skipped:,} of them {few}'


def count_bad(stats: Mapping[str, Any], min_bad: int) -> str:
    """Describe the share of bad ones among those judged, and the threshold.

    >>> stats = {'bad': 3, 'count': 9, 'threshold': 0.5, 'mean': 0.0004, 'deviation': 0}
    >>> count_bad(stats, 0)
    '3 of 9, with more than 50.0 % labeled chunks (mean under 0.1 %, deviation 0.0 %)'
    >>> count_bad(stats | {'threshold': 0.0}, 7)
    '3 of 9, with at least 7 labeled chunks (mean under 0.1 %, deviation 0.0 %)'
    """
    threshold, ratio = stats['threshold'], f'{stats["bad"]:,} of {stats["count"]:,}'
    if threshold is None:
        return f'{ratio}, each level by its own threshold (see stats.json)'
    criteria = [f'at least {format_count(min_bad, "labeled chunk")}'] if min_bad else []
    if threshold or not min_bad:
        of_all = 'of all chunks' if min_bad else 'labeled chunks'
        criteria.append(f'more than {format_threshold(threshold)} {of_all}')
    mean, deviation = (format_share(stats[name]) for name in ('mean', 'deviation'))
    return f'{ratio}, with {", ".join(criteria)} (mean {mean}, deviation {deviation})'


def format_worst(run: RunDir) -> list[str]:
    """Format the first rows of the table of bad neighborhoods."""
    rows = list(islice(read_rows(run.path, BAD_NEIGHBORHOODS), TOP))
    if not rows:
        return ['no neighborhood is above the threshold']
    first = rows[0].prefix
    lines = [f'{"pooled":>7} {"mean":>7} {"bad":>9} {"total":>9} {"pages":>8}  prefix']
    for row in rows:
        shares = f'{_decimals(row.pooled):>7} {_decimals(row.mean):>7}'
        numbers = f'{row.bad:>9,} {row.total:>9,} {row.pages:>8,}'
        lines.append(f'{shares} {numbers}  {row.prefix}')
    # A prefix that begins with a hyphen would be parsed as an option.
    command = command_line(
        'show', run.path, *(['--'] if first[0] == '-' else []), first
    )
    return [
        *lines,
        '(pooled: share of labels in all chunks; mean: mean of this share over pages)',
        '',
        f'to list what the first one has copied: {command}',
    ]


def _decimals(share: float) -> str:
    """Format a ratio with three decimals; a ratio above 0 never appears as 0."""
    return '<0.001' if 0 < share < 0.0005 else f'{share:.3f}'
