"""The summary that `detect` prints: thresholds, and the worst neighborhoods."""

from collections.abc import Mapping
from itertools import groupby, islice
from typing import Any

from mr_reuse.chunks import pair_texts, site_pairs
from mr_reuse.chunks.chunk_tables import BAD_NEIGHBORHOODS, BAD_PAGES, ORIGINS
from mr_reuse.chunks.detect import support
from mr_reuse.chunks.detect.badness import Rule
from mr_reuse.chunks.detect.origin_table import is_close
from mr_reuse.chunks.facts import SOURCE_THERE, Facts
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.site_pairs import FirstPairs
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import command_line, format_count, format_share, format_threshold
from mr_reuse.tables.table_files import read_rows

MAX_NEIGHBORHOODS = 10  # to print
MAX_LEVELS = 4  # to print, each with its threshold


def format_labels(name: str, labels: Labels) -> str:
    """Format the name of a label file, and its numbers of labels."""
    chunks = format_count(len(labels.chunks), 'chunk')
    files = format_count(len(labels.files), 'file')
    return f'looked for the labels in {name}: {chunks} and {files}\n'


def format_results(
    run: RunDir, stats: Mapping[str, Any], rule: Rule, facts: Facts
) -> str:
    """Format the numbers of bad pages and neighborhoods, and the worst of these."""
    pages, hoods = stats['pages'], stats['neighborhoods']
    of_hoods = hoods | hoods[rule.ratio]
    nouns = ('host or folder', 'hosts and folders')
    if rule.levels != 'all':
        nouns = support.nouns_of_level(rule.site_level)
    pairs = site_pairs.read_first(run.path, facts.families)
    lines = [
        count_judged(support.PAGE_NOUNS, pages['pages'], pages),
        f'bad pages: {count_bad(pages, 0)}',
        count_judged(nouns, hoods['neighborhoods'], of_hoods),
        f'bad neighborhoods: {count_bad(of_hoods, rule.min_bad)}',
        *count_levels(hoods, rule),
        '',
        *(format_worst(run, facts) or [describe_none(pairs)]),
        *(format_copies(run, rule) if facts.sources else []),
        *format_reservations(stats, rule),
        '',
        *pair_texts.format_section(run.path, pairs, stats['pairs']['common']),
        f'{count_listed(hoods["bad"], "bad neighborhood", rule)}: '
        f'{run.join(BAD_NEIGHBORHOODS.file)}',
        f'{count_listed(pages["bad"], "bad page", rule)}: {run.join(BAD_PAGES.file)}',
        f'for these results as an HTML page, run: {command_line("report", run.path)}',
    ]
    return '\n'.join(lines) + '\n'


def describe_preset(preset: str, rule: Rule) -> str:
    """Describe the effect of the preset of the pages on the thresholds.

    >>> describe_preset('ccr2019', Rule(per_level=False))[:48]
    'the pages were made with --preset ccr2019, so al'
    >>> describe_preset('ccr2019', Rule())
    ''
    """
    if rule.per_level or rule.neighborhood_threshold is not None:
        return ''
    return (
        f'the pages were made with --preset {preset}, so all levels of neighborhoods '
        'have one threshold, as in the paper; --per-level gives each its own\n'
    )


def count_listed(bad: int, noun: str, rule: Rule) -> str:
    """Describe the bad rows that are in their table: all, or the first `--top`.

    >>> count_listed(9000, 'bad page', Rule())
    'all 9,000 bad pages'
    >>> count_listed(9000, 'bad page', Rule(top=1))
    'the first 1 bad page'
    >>> count_listed(0, 'bad page', Rule())
    'no bad page, so this table has only a header'
    """
    if not bad:
        return f'no {noun}, so this table has only a header'
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
        return f'{ratio}, each level by its own threshold'
    criteria = [f'at least {format_count(min_bad, "labeled chunk")}'] if min_bad else []
    if threshold or not min_bad:
        of_all = 'of all chunks' if min_bad else 'labeled chunks'
        criteria.append(f'more than {format_threshold(threshold)} {of_all}')
    mean, deviation = (format_share(stats[name]) for name in ('mean', 'deviation'))
    return f'{ratio}, with {", ".join(criteria)} (mean {mean}, deviation {deviation})'


def count_levels(hoods: Mapping[str, Any], rule: Rule) -> list[str]:
    """Describe the bad ones of each level, if each has its own threshold."""
    if hoods['threshold'] is not None:
        return []
    levels = sorted(map(int, hoods['by_level']))
    lines = []
    for level in levels[:MAX_LEVELS]:
        noun = support.nouns_of_level(level)[1]
        counts = count_bad(hoods['by_level'][str(level)], rule.min_bad)
        lines.append(f'  {noun}: {counts}')
    if deeper := [hoods['by_level'][str(level)] for level in levels[MAX_LEVELS:]]:
        bad, count = (sum(level[name] for level in deeper) for name in ('bad', 'count'))
        lines.append(f'  deeper folders: {bad:,} of {count:,} (see stats.json)')
    return lines


def format_reservations(stats: Mapping[str, Any], rule: Rule) -> list[str]:
    """Format what the judgements of sites, folders and pages do not show."""
    pages = support.describe(support.judged_pages(stats['pages'], rule))
    sites = support.describe_sites(stats, support.judged_sites(stats, rule))
    parts = [sites, support.describe_folders(stats, rule), pages]
    return [line for part in parts if part for line in ['', *part]]


def describe_none(pairs: FirstPairs) -> str:
    """Describe that nothing is bad, which pairs of sites may contradict.

    >>> describe_none(site_pairs.NO_PAIRS)
    'no neighborhood is above its threshold'
    """
    line = 'no neighborhood is above its threshold'
    if not pairs:
        return line
    if not pairs.apart:
        return f'{line}; only sites of one {pairs.owner} share chunks, see below'
    first = pairs.first
    return (
        f'{line}, but sites share chunks: {pair_texts.name_sites(first.sites)} have '
        f'{format_count(first.chunks, "chunk")} in common; see the pairs below'
    )


def format_worst(run: RunDir, facts: Facts) -> list[str]:
    """Format the first rows of the table of bad neighborhoods; empty without any."""
    rows = list(islice(read_rows(run.path, BAD_NEIGHBORHOODS), MAX_NEIGHBORHOODS))
    if not rows:
        return []
    first = rows[0].prefix
    lines = [f'{"pooled":>7} {"mean":>7} {"bad":>9} {"total":>9} {"pages":>8}  prefix']
    for row in rows:
        shares = f'{_decimals(row.pooled):>7} {_decimals(row.mean):>7}'
        numbers = f'{row.bad:>9,} {row.total:>9,} {row.pages:>8,}'
        mark = '  (a source that you named)' if facts.source_of(row.prefix) else ''
        lines.append(f'{shares} {numbers}  {row.prefix}{mark}')
    # A prefix that begins with a hyphen would be parsed as an option.
    command = command_line(
        'show', run.path, *(['--'] if first[0] == '-' else []), first
    )
    return [
        *lines,
        '(pooled: share of labels in all chunks, with repeats; mean: mean of this '
        'share over pages)',
        '(labels are often themes and templates, so this list does not name who '
        'copied; sites that share text with each other are listed as pairs)',
        '',
        f'to list the labels of the first one: {command}',
    ]


def format_copies(run: RunDir, rule: Rule) -> list[str]:
    """List the bad sites that share much with a source that the user named."""
    noun, plural = support.nouns_of_level(rule.site_level)
    count, lines = 0, []
    for _, rows in groupby(read_rows(run.path, ORIGINS), lambda row: row.neighborhood):
        copied = (row for row in rows if row.relation == SOURCE_THERE and is_close(row))
        if row := next(copied, None):
            count += 1
            if count <= MAX_NEIGHBORHOODS:
                share = format_share(row.chunk_share)
                names = f'{row.neighborhood} from {row.other}'
                lines.append(f'{share:>9} {row.shared:>9,}  {names}')
    if not count:
        return ['', f'no bad {noun} shares much with a source that you named']
    verb = 'has' if count == 1 else 'have'
    number = format_count(count, f'bad {noun}', f'bad {plural}')
    lines = ['', f'{number} {verb} copies from a source that you named:', *lines]
    if (more := count - MAX_NEIGHBORHOODS) > 0:
        lines.append(f'and {more:,} more: {run.join(ORIGINS.file)}')
    return [*lines, '(share of the chunks, and number of chunks in common)']


def _decimals(share: float) -> str:
    """Format a ratio with three decimals; a ratio above 0 never appears as 0."""
    return '<0.001' if 0 < share < 0.0005 else f'{share:.3f}'
