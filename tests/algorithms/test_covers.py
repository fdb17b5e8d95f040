"""Greedy covers, against a search that compares all documents each time."""

from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse.algorithms.covers import greedy_cover, least_gain

classes = st.lists(
    st.tuples(st.integers(1, 4), st.sets(st.integers(0, 11), max_size=6)), max_size=12
)


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
    assert greedy_cover(classes, least_gain(delta, len(grams))) == cover
