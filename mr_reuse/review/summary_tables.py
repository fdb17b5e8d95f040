"""The judgements as text: tables of the papers, intervals, and agreement."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from mr_reuse.messages import format_count
from mr_reuse.review.agreement import Agreement, agreement
from mr_reuse.review.judgements import Judgement, Latest
from mr_reuse.review.tallying import Row, Tally

MAX_DIFFERENCES = 20  # items that are listed
ROUNDING = 1e-6  # items; absorbs the rounding errors of floats
FOLDED = 'hosts joined with equal folders'


def summary(
    samples: Mapping[tuple[str, str], Mapping[str, Latest]],
    titles: Mapping[str, str],
    known: Mapping[tuple[str, bool], Sequence[tuple[str, str]]],
) -> str:
    """Format all tables, by sample and judge, and the agreement of judges.

    `titles` has the noun phrase of each kind. `known` has the categories with `counts`,
    by kind, and True for the first items of a table.
    """
    lines: list[str] = []
    for (what, _), judges in samples.items():
        for held in judges.values():
            title = titles.get(what, what)
            tally = Tally(held.values())
            lines += [*table(tally, title, known.get((what, tally.is_top), ())), '']
        lines += agreements(judges)
    return '\n'.join(lines).rstrip('\n') + '\n'


def population(title: str, size: int, folded: int) -> str:
    """Describe a population of `size` items, with `folded` rows folded into others.

    >>> population('bad neighborhoods', 1203, 411)
    '1,203 bad neighborhoods, hosts joined with equal folders'
    """
    return f'{size:,} {title}, {FOLDED}' if folded else f'{size:,} {title}'


def table(tally: Tally, title: str, known: Sequence[tuple[str, str]]) -> list[str]:
    """Format the table of one judge; `title` is the noun phrase of the items."""
    first = tally.lines[0]
    judged, size = len(tally.lines), first.population
    how, seed = first.how
    table_rows = f'{format_count(size + first.folded, "row")} of the table'
    about = f'{how} sample of {size:,}, seed {seed}'
    if tally.is_top:
        about = f'the first {table_rows}'
    rows, verdicts = tally.categories(known), tally.verdicts()
    width = max(len(indented(row)) for row in [*rows, *verdicts]) + 2
    head = f'of all {tally.covered:,} (95 % interval)'
    overlap = '   some items have several categories' if tally.mentions > judged else ''
    return [
        f'{title}: {judged:,} judged by {first.judge} ({about})',
        f'population: {population(title, size, first.folded)}; {table_rows}',
        '',
        f'{"category":<{width}}{"items":>7}{"%":>7}   {head:<30} counts as',
        *(category_line(row, judged, width) for row in rows),
        f'{"total":<{width}}{numbers(tally.mentions, judged)}{overlap}',
        '',
        *(verdict_line(row, judged, width, tally.covered) for row in verdicts),
        '',
        *caveats(tally),
    ]


def indented(row: Row) -> str:
    """Return the name of a row, indented if it is in a group."""
    return ('  ' if row.inner else '') + row.name


def numbers(items: int, judged: int) -> str:
    """Format a number of items and its share of the judged ones.

    >>> numbers(19, 40)
    '     19   47.5'
    """
    return f'{items:>7,}{100 * items / judged:>7.1f}'


def category_line(row: Row, judged: int, width: int) -> str:
    """Format the line of a category."""
    start = f'{indented(row):<{width}}{numbers(row.items, judged)}'
    return f'{start}   {interval(row):<30} {row.counts}'.rstrip()


def verdict_line(row: Row, judged: int, width: int, size: int) -> str:
    """Format the line of a verdict, with the interval in items of `size`."""
    _, low, high = (size * limit for limit in row.estimate)
    low, high = math.floor(low + ROUNDING), math.ceil(high - ROUNDING)
    items = f'{low:,}' if low == high else f'{low:,} to {high:,}'
    start = f'{row.name:<{width}}{numbers(row.items, judged)}'
    return f'{start}   {interval(row)}: {items} of {size:,}'


def interval(row: Row) -> str:
    """Format an estimate in percent."""
    share, low, high = (100 * x for x in row.estimate)
    return f'{share:5.1f} % ({low:.1f} to {high:.1f})'


def caveats(tally: Tally) -> list[str]:
    """Format the method of the intervals, and the reasons to doubt them."""
    first, judged = tally.lines[0], len(tally.lines)
    stratified = first.how[0] == 'stratified'
    how = 'Wilson, with finite population correction'
    if stratified:
        how = 'strata weighted by size, Wilson intervals combined by MOVER'
    lines = [f'intervals: {how} ({judged:,} of {first.population:,} were judged)']
    if tally.is_top and judged < first.population:
        lines.append('no random sample: the shares say nothing about the others')
    if stratified:
        for name, size in tally.sizes.items():
            count = sum(line.stratum == name for line in tally.lines)
            lines.append(f'  {name}: {count:,} of {size:,}')
    if missing := first.population - tally.covered:
        items = format_count(missing, 'item')
        lines.append(f'not included: {items} in strata without judgements')
    if skipped := tally.skipped:
        lines.append(
            f'skipped items: {skipped:,}; if they differ from the others, the shares '
            'are biased'
        )
    return lines


def agreements(judges: Mapping[str, Latest]) -> list[str]:
    """Format the agreement of each pair of judges of a sample."""
    lines: list[str] = []
    for first, second in combinations(sorted(judges), 2):
        both = [
            (judges[first][item], judges[second][item])
            for item in sorted(judges[first].keys() & judges[second].keys())
        ]
        if not both:
            lines += [f'{first} and {second}: no item was judged by both', '']
            continue
        names = agreement([(frozenset(a.names), frozenset(b.names)) for a, b in both])
        bad = agreement([(a.counts == 'bad', b.counts == 'bad') for a, b in both])
        lines += [
            f'{first} and {second} both judged {format_count(len(both), "item")}:',
            f'  same categories: {format_agreement(names)}',
            f'  bad or not bad:  {format_agreement(bad)}',
            *differences(both),
            '',
        ]
    return lines


def format_agreement(result: Agreement) -> str:
    """Format an agreement.

    >>> format_agreement(Agreement(35, 50, 0.4))
    "35 of 50 (70.0 %), Cohen's kappa 0.400"
    """
    kappa = 'undefined, since all judgements are the same'
    if result.kappa is not None:
        kappa = f'{result.kappa:.3f}'
    share = 100 * result.same / result.items
    return f"{result.same:,} of {result.items:,} ({share:.1f} %), Cohen's kappa {kappa}"


def differences(both: Sequence[tuple[Judgement, Judgement]]) -> list[str]:
    """List the items to which two judges gave different categories."""
    pairs = [(a, b) for a, b in both if set(a.names) != set(b.names)]
    pairs.sort(key=lambda pair: pair[0].place)
    lines = [
        f'  {a.place:>5}  {a.item}: {a.categories} / {b.categories}'
        for a, b in pairs[:MAX_DIFFERENCES]
    ]
    if len(pairs) > MAX_DIFFERENCES:
        lines.append(f'  … and {len(pairs) - MAX_DIFFERENCES:,} more')
    return lines
