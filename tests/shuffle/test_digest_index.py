"""Lookup and order of digests, also of those that begin with the same eight bytes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse.shuffle import digest_index
from mr_reuse.shuffle.digest_index import DigestIndex, is_ascending, sort_distinct

WIDTH = 10
# Three heads and few tails: many pairs have equal heads, which are all that is sorted.
HEADS = [bytes(8), b'\x7f' + bytes(7), b'\xff' * 8]
DIGESTS = st.builds(
    lambda head, tail: head + tail.to_bytes(2, 'big'),
    st.sampled_from(HEADS),
    st.integers(0, 5) | st.just(65535),
)


def keys_of(digests) -> np.ndarray:
    return np.frombuffer(b''.join(digests), np.uint8).reshape(-1, WIDTH)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.sets(DIGESTS), st.lists(DIGESTS))
def test_find(known, wanted):
    known = sorted(known)
    found = DigestIndex(keys_of(known)).find(keys_of(wanted)).tolist()
    assert found == [known.index(d) if d in known else -1 for d in wanted]


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.lists(DIGESTS))
def test_sort_distinct(digests):
    assert sort_distinct(keys_of(digests)).tobytes() == b''.join(sorted(set(digests)))


@pytest.mark.parametrize('block', [1, 2, 1 << 18])
@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.lists(DIGESTS, max_size=5))
def test_is_ascending(block, digests):
    """Across the borders of blocks as well."""
    before, digest_index.BLOCK = digest_index.BLOCK, block
    try:
        found = [is_ascending(keys_of(d)) for d in (digests, sorted(set(digests)))]
    finally:
        digest_index.BLOCK = before
    assert found == [digests == sorted(set(digests)), True]
