"""The phrases of a page, and the resemblance of two pages.

Phrases are circular: after the last word of a page comes the first one. The resemblance
of two pages is the share of their phrases that both have. If it is s, two pages have
the same shingle at a position with the probability s. They are near-duplicates if at
least two of six runs of 14 shingles agree.
"""

from collections.abc import Sequence
from fractions import Fraction

from mr_reuse.synth.planned.passages import GRAM

RUNS, RUN_LENGTH = 6, 14
Phrase = tuple[str, ...]


def phrases_of(words: Sequence[str]) -> set[Phrase]:
    """Return the phrases of the words of a page.

    >>> sorted(phrases_of(['tea', 'and']))
    [('and', 'tea', 'and', 'tea', 'and'), ('tea', 'and', 'tea', 'and', 'tea')]
    >>> phrases_of(['tea', 'and', 'milk']) == phrases_of(['milk', 'tea', 'and'])
    True
    """
    around = [*words, *(list(words) * GRAM)[: GRAM - 1]]
    return {tuple(around[start : start + GRAM]) for start in range(len(words))}


def near_duplicate_chance(resemblance: Fraction) -> Fraction:
    """Return the probability that two pages are near-duplicates.

    >>> values = [Fraction(s) for s in ('0', '0.77', '0.825', '0.965', '1')]
    >>> [f'{float(near_duplicate_chance(s)):.4f}' for s in values]
    ['0.0000', '0.0093', '0.0572', '0.9623', '1.0000']
    """
    run = resemblance**RUN_LENGTH
    none, one = (1 - run) ** RUNS, RUNS * run * (1 - run) ** (RUNS - 1)
    return 1 - none - one
