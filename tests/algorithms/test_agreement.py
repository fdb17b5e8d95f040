"""Comparisons of fingerprints by their definition, and the kernel against Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse import kernel
from mr_reuse.algorithms.agreement import (
    Likeness,
    count_agreeing,
)
from mr_reuse.algorithms.alike_rows import find_alike, pure_alike

KINDS = st.sampled_from([np.uint8, np.uint16, np.uint32, np.uint64])
WIDTHS = st.sampled_from([1, 2, 7, 16, 50, 100, 127, 128])
needs_kernel = pytest.mark.skipif(not kernel.load(), reason=kernel.version())


@pytest.fixture(params=['kernel', 'pure'])
def way(request, monkeypatch):
    """Each test runs with the kernel and without."""
    if request.param == 'pure':
        monkeypatch.setenv(kernel.PURE, '1')
    elif not kernel.load():
        pytest.skip(kernel.version())


@st.composite
def rows_of_keys(draw):
    """Families of rows, with few different keys and empty dimensions among them."""
    kind, m, count = draw(KINDS), draw(WIDTHS), draw(st.integers(0, 40))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    top = int(np.iinfo(kind).max)
    values = np.array([0, 1, top - 1, top], kind)[-draw(st.integers(1, 4)) :]
    rows = random.choice(values, (count, m))
    for i in range(1, count):
        is_new = random.random(m) < random.choice([0, 0.2, 0.6, 1])
        rows[i] = np.where(is_new, rows[i], rows[random.integers(i)])
    return rows


def agreement_of(one, other, empty):
    both = list(zip(one.tolist(), other.tolist(), strict=True))
    return sum(a == b != empty for a, b in both), sum(a == b == empty for a, b in both)


def is_alike(one, other, likeness):
    empty = np.iinfo(one.dtype).max
    agreeing, both_empty = agreement_of(one, other, empty)
    if not likeness.normalizes:
        return agreeing >= likeness.t
    filled = len(one) - both_empty
    return filled > 0 and agreeing / filled >= likeness.t / len(one)


def components(count, pairs):
    """The smallest number of the component of each row, by searching from each."""
    joined = {i: {i} for i in range(count)}
    for one, other in pairs:
        joined[one].add(other)
        joined[other].add(one)
    found = []
    for i in range(count):
        reached, left = {i}, [i]
        while left:
            more = joined[left.pop()] - reached
            reached |= more
            left += more
        found.append(min(reached))
    return found


@pytest.mark.usefixtures('way')
@given(rows_of_keys())
@settings(max_examples=60, deadline=None)
def test_agreement(rows):
    empty = np.iinfo(rows.dtype).max
    for one in rows[:3]:
        found = count_agreeing(one, rows)
        expected = [agreement_of(one, other, empty) for other in rows]
        assert list(zip(*map(np.ndarray.tolist, found), strict=True)) == expected


@pytest.mark.usefixtures('way')
@given(rows_of_keys(), st.data(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_all_pairs(rows, data, normalizes):
    """The pairs are alike, and join what all pairs that are alike would join."""
    count, m = rows.shape
    likeness = Likeness(data.draw(st.integers(1, m)), normalizes)
    found = find_alike(rows, np.array([count]), likeness)
    every = [
        (i, j)
        for j in range(count)
        for i in range(j)
        if is_alike(rows[i], rows[j], likeness)
    ]
    pairs = [tuple(pair) for pair in found.pairs.tolist()]
    assert {*pairs} <= {*every}
    assert components(count, pairs) == components(count, every)
    assert len(pairs) == len({*pairs}) == count - len({*components(count, every)})
    assert found.made <= count * (count - 1) // 2
    assert found.left_out == 0


@pytest.mark.usefixtures('way')
@given(rows_of_keys(), st.data(), st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_representatives(rows, data, most):
    count, m = rows.shape
    likeness = Likeness(data.draw(st.integers(1, m)), False, 0, most)
    every, chosen, left_out = [], [], 0
    for j in range(count):
        alike = [i for i in chosen if is_alike(rows[i], rows[j], likeness)]
        every += [(i, j) for i in alike]
        left_out += j - len(chosen)
        if not alike and len(chosen) < most:
            chosen.append(j)
    found = find_alike(rows, np.array([count]), likeness)
    pairs = [tuple(pair) for pair in found.pairs.tolist()]
    assert {*pairs} <= {*every}
    assert components(count, pairs) == components(count, every)
    assert len(pairs) == len({*pairs}) == count - len({*components(count, every)})
    assert found.left_out == left_out
    assert found.made <= count * (count - 1) // 2 - left_out


@needs_kernel
@given(rows_of_keys(), st.data(), st.booleans(), st.integers(0, 9), st.integers(1, 9))
@settings(max_examples=100, deadline=None)
def test_kernel(rows, data, normalizes, all_pairs, representatives):
    """The same pairs in the same order, in several buckets too."""
    count, m = rows.shape
    likeness = Likeness(
        data.draw(st.integers(1, m)), normalizes, all_pairs, representatives
    )
    cuts = sorted(data.draw(st.lists(st.integers(0, count), max_size=5)))
    sizes = np.diff([0, *cuts, count])
    found, expected = (
        find_alike(rows, sizes, likeness),
        pure_alike(rows, sizes, likeness),
    )
    assert found.pairs.tolist() == expected.pairs.tolist()
    assert found[1:] == expected[1:]


@pytest.mark.usefixtures('way')
def test_alike_rows_cost_little():
    """A group of rows that are alike is not quadratic."""
    rows = np.tile(np.arange(128, dtype=np.uint16), (1000, 1))
    found = find_alike(rows, np.array([1000]), Likeness(35))
    assert (len(found.pairs), found.made) == (999, 999)


@needs_kernel
def test_wrong_arguments():
    loaded = kernel.load()
    for one, rows, width in [
        (b'', b'', 1),
        (bytes(4), bytes(4), 3),
        (bytes(8), b'', -8),
    ]:
        with pytest.raises(ValueError, match='keys of another size'):
            loaded.agree(one, rows, width)
    with pytest.raises(ValueError, match='keys of another size'):
        loaded.agree(bytes(129), b'', 1)
    for one, rows, width in [(bytes(3), bytes(6), 2), (bytes(2), bytes(3), 1)]:
        with pytest.raises(ValueError, match='rows of another size'):
            loaded.agree(one, rows, width)
    how = 1, False, 9, 9
    for sizes in ([3], [1], [2**64 - 1, 3], [1, 2]):
        data = np.array(sizes, np.uint64).tobytes()
        with pytest.raises(ValueError, match='of another size'):
            loaded.find_alike(bytes(4), data, 2, 1, *how)
    with pytest.raises(ValueError, match='of another size'):
        loaded.find_alike(bytes(5), np.array([2], np.uint64).tobytes(), 2, 1, *how)
