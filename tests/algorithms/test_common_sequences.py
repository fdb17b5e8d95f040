"""Common subsequences, against slow definitions."""

import itertools
import random

import pytest

from mr_reuse.algorithms.common_sequences import (
    WIDEST,
    common_to_most,
    has_subsequence,
    join_repeats,
    list_gaps,
    longest_common,
)


def is_within(part, whole) -> bool:
    """Brute force: some choice of places has the items."""
    places = itertools.combinations(range(len(whole)), len(part))
    return any([whole[n] for n in chosen] == list(part) for chosen in places)


def longest(one, other) -> int:
    """The length of a longest common subsequence, cell by cell."""
    row = [0] * (len(other) + 1)
    for item in one:
        before = row
        row = [0]
        for n, that in enumerate(other):
            row.append(before[n] + 1 if item == that else max(row[-1], before[n + 1]))
    return row[-1]


def draw(dice, most, letters='abcd') -> list[str]:
    return dice.choices(letters, k=dice.randint(0, most))


@pytest.mark.parametrize('seed', range(20))
def test_longest_common(seed):
    dice = random.Random(seed)
    for _ in range(20):
        one, other = draw(dice, 90), draw(dice, 90)
        found = longest_common(one, other)
        assert len(found) == longest(one, other)
        assert has_subsequence(one, found) and has_subsequence(other, found)


@pytest.mark.parametrize('seed', range(5))
def test_subsequences(seed):
    dice = random.Random(seed)
    for _ in range(40):
        whole, part = draw(dice, 9), draw(dice, 4)
        assert has_subsequence(whole, part) == is_within(part, whole)


@pytest.mark.parametrize('seed', range(5))
def test_common_to_most(seed):
    dice = random.Random(seed)
    for _ in range(30):
        sequences = [draw(dice, 20) for _ in range(dice.randint(1, 6))]
        least = dice.randint(1, len(sequences))
        found = common_to_most(sequences, least)
        assert has_subsequence(sequences[0], found)
        assert sum(has_subsequence(s, found) for s in sequences) >= least


def test_one_odd_page_does_not_count():
    pages = [list('habcf'), *[[*'habc', str(n), 'f'] for n in range(8)], ['x']]
    assert common_to_most(pages, 9) == list('habcf')
    assert common_to_most(pages, 10) == []


def test_gaps():
    assert list_gaps('abc', 'abc') == [False] * 4
    assert list_gaps('xaybbz', 'ab') == [True, True, True]
    assert list_gaps('', '') == [False]


@pytest.mark.parametrize('seed', range(10))
def test_repeats(seed):
    """No block of up to WIDEST items is left beside its copy; none is invented."""
    dice = random.Random(seed)
    for _ in range(20):
        items = draw(dice, 60, 'ab') + draw(dice, 30)
        found = join_repeats(items)
        assert has_subsequence(items, found) and set(found) == set(items)
        assert not [
            (at, width)
            for width in range(1, WIDEST + 1)
            for at in range(len(found) - 2 * width + 1)
            if found[at : at + width] == found[at + width : at + 2 * width]
        ]


def test_rows_of_a_table_count_once():
    short, long = (['table', *['tr', 'td', 'td'] * n, 'p'] for n in (1, 50))
    assert join_repeats(short) == join_repeats(long) == ['table', 'tr', 'td', 'p']
