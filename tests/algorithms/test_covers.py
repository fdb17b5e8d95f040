"""Greedy covers, against a search that compares all documents each time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse import kernel
from mr_reuse.algorithms.covers import ClassLists, greedy_cover, least_gain

classes = st.lists(
    st.tuples(st.integers(1, 4), st.sets(st.integers(0, 11), max_size=6)), max_size=12
)


def lists_of(classes):
    """The same classes end to end, each with documents that may not be taken."""
    documents = [
        [(d, True) for d in sorted(docs)] + [(99, False)] for _, docs in classes
    ]
    rows = [row for some in documents for row in some]
    columns = zip(*rows, strict=True) if rows else ([], [])
    counts, sizes = [count for count, _ in classes], list(map(len, documents))
    kinds = np.uint64, np.uint16, np.uint32, bool
    return ClassLists(*map(np.array, (counts, sizes, *columns), kinds))


@settings(deadline=None)
@given(classes, st.fractions(0, 1, max_denominator=9))
def test_greedy_cover(classes, delta):
    """Each time the best of all documents, by comparing all of them."""
    grams = [(n, docs) for count, docs in classes for n in range(count)]
    cover, left, least = [], list(grams), delta * len(grams)
    while True:
        ranks = [
            (
                -sum(d in docs for _, docs in left),
                -sum(d in docs for _, docs in grams),
                d,
            )
            for d in range(12)
        ]
        new, shared, best = min(ranks)
        if not new or -new < least:
            break
        cover.append((best, -new, -shared))
        left = [(n, docs) for n, docs in left if best not in docs]
    least = least_gain(delta, len(grams))
    assert greedy_cover(classes, least) == cover
    assert lists_of(classes).cover(least) == cover


@pytest.mark.skipif(not kernel.load(), reason=kernel.version())
def test_many_classes():
    """The kernel against Python, with documents that many classes have."""
    dice = np.random.default_rng(5)
    sizes = dice.integers(1, 30, 3000)
    documents = [np.sort(dice.choice(400, size, replace=False)) for size in sizes]
    counts = dice.integers(1, 2**40, 3000)
    ends = np.concatenate(documents)
    lists = ClassLists(counts, sizes, ends << 33, ends % 7 > 0)
    assert lists.cover() == greedy_cover(lists.classes())
    assert lists.cover(2**44) == greedy_cover(lists.classes(), 2**44)


@pytest.mark.skipif(not kernel.load(), reason=kernel.version())
@pytest.mark.parametrize('lengths', [(7, 4, 8, 1), (8, 0, 8, 1), (8, 4, 16, 1)])
def test_columns_of_different_lengths(lengths):
    with pytest.raises(ValueError, match='different lengths'):
        kernel.load().greedy_cover(*map(bytes, lengths), 1)
