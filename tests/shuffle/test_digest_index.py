"""Lookup and order of digests, also of those that begin with the same eight bytes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse.shuffle import digest_index
from mr_reuse.shuffle.digest_index import DigestIndex, is_ascending, sort_distinct
from mr_reuse.storage import mapped

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


@pytest.mark.parametrize('held', [1, 2, 3, 7])
@settings(max_examples=50, deadline=None, derandomize=True)
@given(known=st.sets(DIGESTS), wanted=st.lists(DIGESTS))
def test_find_with_few_beginnings_in_memory(held, known, wanted):
    known = sorted(known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digest_index, 'MAX_HELD', held)
        patch.setattr(digest_index, 'LOOKUPS', held)
        patch.setattr(digest_index, 'BLOCK', held)
        found = DigestIndex(keys_of(known)).find(keys_of(wanted)).tolist()
    assert found == [known.index(d) if d in known else -1 for d in wanted]


def test_find_among_random_digests(monkeypatch, tmp_path):
    """In a mapped file, of which parts are released while digests are looked up."""
    dice = np.random.default_rng(1)
    known = np.unique(dice.integers(0, 1 << 63, 20_000, np.uint64)).astype('>u8')
    (tmp_path / 'digests').write_bytes(known.tobytes())
    monkeypatch.setattr(digest_index, 'MAX_HELD', 300)
    monkeypatch.setattr(digest_index, 'MAX_MAPPED', 1 << 10)
    monkeypatch.setattr(digest_index, 'MAX_BITS', 12)
    index = DigestIndex(mapped.map_rows(str(tmp_path / 'digests'), 8))
    wanted = np.concatenate([known[::3], known[::5] + 1]).astype('>u8')
    dice.shuffle(wanted)
    found = index.find(wanted.view(np.uint8).reshape(-1, 8))
    places = {number: place for place, number in enumerate(known.tolist())}
    assert found.tolist() == [places.get(number, -1) for number in wanted.tolist()]


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
