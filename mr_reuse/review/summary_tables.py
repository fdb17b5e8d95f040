"""What was judged, as text: the papers' tables, how sure they are, who agrees."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from mr_reuse.review.agreement import Agreement, agreement
from mr_reuse.review.judgements import Held, Judgement
from mr_reuse.review.tallying import Row, Tally

DIFFER = 20  # items that are listed
ROUNDING = 1e-6  # of an item
FOLDED = 'hosts folded with the folders that fill them'


def summary(
    samples: Mapping[tuple[str, str], Mapping[str, Held]],
    titles: Mapping[str, str],
    known: Mapping[str, Sequence[tuple[str, str]]],
) -> str:
    """All tables: sample by sample, judge by judge, and how judges agree."""
    lines: list[str] = []
    for (what, _), judges in samples.items():
        for held in judges.values():
            title = titles.get(what, what)
            lines += [*table(Tally(held.values()), title, known.get(what, ())), '']
        lines += agreements(judges)
    return '\n'.join(lines).rstrip('\n') + '\n'


def population(title: str, size: int, folded: int) -> str:
    """What a sample is drawn from; so many rows of the table were folded.

    >>> population('bad neighborhoods', 1203, 411)
    '1,203 bad neighborhoods, hosts folded with the folders that fill them'
    """
    return f'{size:,} {title}, {FOLDED}' if folded else f'{size:,} {title}'


def table(tally: Tally, title: str, known: Sequence[tuple[str, str]]) -> list[str]:
    """The table of one judge; `title` says what was judged."""
    first = tally.lines[0]
    judged, whole = len(tally.lines), first.population
    how, seed = first.how
    about = f'{how} sample of {whole:,}, seed {seed}'
    rows_of = f'{whole + first.folded:,} rows of the table'
    rows, verdicts = tally.categories(known), tally.verdicts()
    wide = max(len(called(row)) for row in [*rows, *verdicts]) + 2
    head = f'of all {tally.covered:,} (95 % interval)'
    overlap = '   some items are in several' if tally.mentions > judged else ''
    return [
        f'{title}: {judged:,} judged by {first.judge} ({about})',
        f'population: {population(title, whole, first.folded)}; {rows_of}',
        '',
        f'{"category":<{wide}}{"items":>7}{"%":>7}   {head:<30} counts as',
        *(of_row(row, judged, wide) for row in rows),
        f'{"total":<{wide}}{numbers(tally.mentions, judged)}{overlap}',
        '',
        *(of_verdict(row, judged, wide, tally.covered) for row in verdicts),
        '',
        *caveats(tally),
    ]


def called(row: Row) -> str:
    """The name of a row, further in if it belongs to a group."""
    return ('  ' if row.inner else '') + row.name


def numbers(items: int, judged: int) -> str:
    """So many items, and their share of those that were judged.

    >>> numbers(19, 40)
    '     19   47.5'
    """
    return f'{items:>7,}{100 * items / judged:>7.1f}'


def of_row(row: Row, judged: int, wide: int) -> str:
    """A category in the table."""
    start = f'{called(row):<{wide}}{numbers(row.items, judged)}'
    return f'{start}   {between(row):<30} {row.counts}'.rstrip()


def of_verdict(row: Row, judged: int, wide: int, whole: int) -> str:
    """How many are bad, in the sample and in all."""
    _, low, high = (whole * limit for limit in row.estimate)
    low, high = math.floor(low + ROUNDING), math.ceil(high - ROUNDING)
    many = f'{low:,}' if low == high else f'{low:,} to {high:,}'
    start = f'{row.name:<{wide}}{numbers(row.items, judged)}'
    return f'{start}   {between(row)}: {many} of {whole:,}'


def between(row: Row) -> str:
    """An estimate in percent."""
    share, low, high = (100 * x for x in row.estimate)
    return f'{share:5.1f} % ({low:.1f} to {high:.1f})'


def caveats(tally: Tally) -> list[str]:
    """How the intervals were made, and what might be wrong with them."""
    first, judged = tally.lines[0], len(tally.lines)
    stratified = first.how[0] == 'stratified'
    how = 'Wilson, with finite population correction'
    if stratified:
        how = 'each stratum by its size; Wilson intervals, put together by MOVER'
    lines = [f'intervals: {how} ({judged:,} of {first.population:,} were judged)']
    if stratified:
        for name, size in tally.sizes.items():
            many = sum(line.stratum == name for line in tally.lines)
            lines.append(f'  {name}: {many:,} of {size:,}')
    if missing := first.population - tally.covered:
        lines.append(f'nothing is said of {missing:,} in strata that nobody judged')
    if passed := tally.passed_over:
        lines.append(
            f'passed over: {passed:,}; if they are harder than the others, or odd, '
            'the shares are off'
        )
    return lines


def agreements(judges: Mapping[str, Held]) -> list[str]:
    """For each two judges of a sample, whether they agree."""
    lines: list[str] = []
    for one, other in combinations(sorted(judges), 2):
        both = [
            (judges[one][item], judges[other][item])
            for item in sorted(judges[one].keys() & judges[other].keys())
        ]
        if not both:
            lines += [f'{one} and {other}: no item was judged by both', '']
            continue
        names = agreement([(frozenset(a.names), frozenset(b.names)) for a, b in both])
        bad = agreement([(a.counts == 'bad', b.counts == 'bad') for a, b in both])
        lines += [
            f'{one} and {other}, on the {len(both):,} items that both have judged:',
            f'  the same categories: {in_words(names)}',
            f'  whether it is bad:   {in_words(bad)}',
            *differences(both),
            '',
        ]
    return lines


def in_words(found: Agreement) -> str:
    """An agreement for people.

    >>> in_words(Agreement(35, 50, 0.4))
    "35 of 50 (70.0 %), Cohen's kappa 0.400"
    """
    kappa = f'{found.kappa:.3f}'
    if found.kappa is None:
        kappa = 'not defined, as both have said the same of all'
    share = 100 * found.same / found.items
    return f"{found.same:,} of {found.items:,} ({share:.1f} %), Cohen's kappa {kappa}"


def differences(both: Sequence[tuple[Judgement, Judgement]]) -> list[str]:
    """The items of which two judges have said different things."""
    found = [(a, b) for a, b in both if set(a.names) != set(b.names)]
    found.sort(key=lambda pair: pair[0].place)
    lines = [
        f'  {a.place:>5}  {a.item}: {a.categories} / {b.categories}'
        for a, b in found[:DIFFER]
    ]
    if len(found) > DIFFER:
        lines.append(f'  … and {len(found) - DIFFER:,} more')
    return lines
