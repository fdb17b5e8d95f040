"""Random samples: the same everywhere, as likely as the others, in one pass."""

import hashlib
import tracemalloc
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reviews import in_order

from mr_reuse.algorithms import sampling
from mr_reuse.algorithms.sampling import ONLY_STRATUM, Row, draw_sample

SIZES = st.integers(1, 90)


def rows_of(items, stratum=lambda item: ONLY_STRATUM) -> list[Row]:
    return [Row(item, item + b'\tx\n', stratum(item)) for item in items]


def drawn(rows, size: int, seed: int = 1) -> list[bytes]:
    return [row.item for row in draw_sample(rows, size, seed).rows]


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.sets(st.binary(max_size=9), max_size=60), SIZES, st.integers(0, 9))
def test_the_lowest_ranks_are_drawn(items, size, seed):
    assert drawn(rows_of(items), size, seed) == in_order(items, seed)[:size]


def test_the_same_everywhere():
    """Written down once; another order here is another sample for everybody."""
    items = [b'a.org/', b'b.org/', b'c.org/', b'd.org/x/', b'e.org/']
    assert drawn(rows_of(items), 3) == drawn(rows_of(items[::-1]), 3)
    assert drawn(rows_of(items), 5) == in_order(items, 1)
    digest = hashlib.blake2b(b'1\na.org/', digest_size=8).hexdigest()
    assert sampling.rank_function(1)(b'a.org/') == int(digest, 16)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.lists(st.integers(0, 200), max_size=80), SIZES, SIZES)
def test_more_begins_with_less(numbers, one, other):
    items = {b'%d' % n for n in numbers}
    for stratum in (lambda item: ONLY_STRATUM, len, lambda item: item[0]):
        less, more = sorted((one, other))
        rows = rows_of(items, stratum)
        assert drawn(rows, more)[:less] == drawn(rows, less)


def test_strata_have_equal_shares():
    """10 digits, 90 pairs of digits, 3 larger numbers; those run out first."""
    items = [b'%d' % n for n in range(100)] + [b'100', b'101', b'999']
    sample = draw_sample(rows_of(items, sampling.decade_of), 50, 1)
    assert sample.sizes == {1: 10, 2: 90, 3: 3} and sample.population == 103
    assert Counter(row.stratum for row in sample.rows) == {1: 10, 2: 37, 3: 3}
    assert [row.stratum for row in sample.rows[:9]] == [1, 2, 3] * 3
    for digits in (1, 2, 3):
        mine = [row.item for row in sample.rows if row.stratum == digits]
        those = [item for item in items if len(item) == digits]
        assert mine == in_order(those, 1)[: len(mine)]


def test_all_are_as_likely():
    """3 of 10, with 4,000 seeds: each 1,200 times, give or take four deviations."""
    items = [b'http://%d.example/' % n for n in range(10)]
    seen = Counter(i for seed in range(4000) for i in drawn(rows_of(items), 3, seed))
    assert all(
        abs(times - 1200) < 4 * (4000 * 0.3 * 0.7) ** 0.5 for times in seen.values()
    )
    pairs = Counter(tuple(sorted(drawn(rows_of(items), 2, s))) for s in range(4000))
    assert len(pairs) == 45 and max(pairs.values()) < 2 * 4000 / 45


def test_another_frame_is_told():
    items = [b'%d' % n for n in range(50)]
    frame = draw_sample(rows_of(items), 5, 1).frame
    assert frame == draw_sample(rows_of(items[::-1]), 50, 1).frame
    assert len({frame, draw_sample(rows_of(items), 5, 2).frame}) == 2
    assert frame != draw_sample(rows_of([*items[:-1], b'x']), 5, 1).frame


@pytest.mark.slow
def test_memory_does_not_grow_with_the_table():
    rows = (Row(b'%d' % n, b'x' * 100, n % 3) for n in range(200_000))
    tracemalloc.start()
    sample = draw_sample(rows, 100, 1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(sample.rows) == 100 and peak < 500_000


@pytest.mark.parametrize(
    'cell, name',
    [
        (b'0.326000000', 'more than 0.25 to 0.5'),
        (b'0.500000000', 'more than 0.25 to 0.5'),
        (b'0.500000001', 'more than 0.5 to 1'),
        (b'1.000000000', 'more than 0.5 to 1'),
        (b'0.003000000', 'more than 0.00195 to 0.00391'),
        (b'0.000000001', 'more than 9.31e-10 to 1.86e-09'),
    ],
)
def test_strata_of_badness(cell, name):
    assert sampling.halving_name(sampling.halving_of(cell)) == name
