"""Sorted arrays of digests, and an index to look digests up."""

import numpy as np

from mr_reuse.shuffle.packing import order_and_groups, prefixes
from mr_reuse.storage import mapped

BLOCK = 1 << 18  # digests to compare at a time
MAX_HELD = 1 << 20  # beginnings of digests in memory
MAX_MAPPED = 128 << 20  # bytes; of a longer file, what was read is released
LOOKUPS = 1 << 10  # in a long file before that; each may load a hundred kilobytes
MAX_BITS = 24  # of the beginning of a digest, for a table that rejects most others


class DigestIndex:
    """Sorted distinct digests, with a lookup of many digests at a time.

    The digests may be a mapped file. In memory are only the beginnings of some of them,
    at even distances, and a bounded part of the file.
    """

    def __init__(self, keys: np.ndarray):
        self.keys = keys
        self._step = -(-len(keys) // MAX_HELD) or 1
        self._first = prefixes(keys[:: self._step])
        bits = min(MAX_BITS, len(keys).bit_length() + 4)
        self._shift = np.uint64(64 - bits)
        # Of very many digests, nearly all beginnings occur.
        self._maybe = np.full(1 << bits, len(keys) > 1 << MAX_BITS)
        for start in range(0, 0 if self._maybe[0] else len(keys), BLOCK):
            self._maybe[prefixes(keys[start : start + BLOCK]) >> self._shift] = True
            self._release()

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, keys: np.ndarray) -> np.ndarray:
        """Return the index of each key, -1 for a key that is not in the index.

        >>> digests = DigestIndex(np.frombuffer(b'aabbcc', np.uint8).reshape(-1, 2))
        >>> digests.find(np.frombuffer(b'bbxxaa', np.uint8).reshape(-1, 2)).tolist()
        [1, -1, 0]
        """
        indexes = np.full(len(keys), -1, np.int64)
        first = prefixes(keys)
        rows = np.flatnonzero(self._maybe[first >> self._shift])
        if self._step == 1:
            at = np.searchsorted(self._first, first[rows])
            self._compare(keys, first, rows, at, indexes)
            return indexes
        # In their order, the digests to look up are close to each other in the file.
        rows = rows[np.argsort(first[rows])]
        step = LOOKUPS if self.keys.nbytes > MAX_MAPPED else len(rows) or 1
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            self._compare(keys, first, some, self._search(first[some]), indexes)
            self._release()
        return indexes

    def _search(self, first: np.ndarray) -> np.ndarray:
        """Return the index of the first digest that does not begin before each."""
        block = np.searchsorted(self._first, first)
        low = np.maximum(block - 1, 0) * self._step
        high = np.minimum(block * self._step, len(self.keys))
        for _ in range(self._step.bit_length()):
            middle = (low + high) >> 1
            is_open = low < high
            is_before = np.zeros(len(first), bool)
            is_before[is_open] = prefixes(self.keys[middle[is_open]]) < first[is_open]
            low = np.where(is_before, middle + 1, low)
            high = np.where(is_open & ~is_before, middle, high)
        return low

    def _compare(
        self,
        keys: np.ndarray,
        first: np.ndarray,
        rows: np.ndarray,
        at: np.ndarray,
        indexes: np.ndarray,
    ) -> None:
        """Compare keys with the digests at some places and behind these."""
        # The loop nearly always ends after a round; only digests with the same first
        # 64 bits need more.
        while len(rows):
            is_inside = at < len(self.keys)
            rows, at = rows[is_inside], at[is_inside]
            found = self.keys[at]
            same = prefixes(found) == first[rows]
            rows, at, found = rows[same], at[same], found[same]
            equal = (found == keys[rows]).all(axis=1)
            indexes[rows[equal]] = at[equal]
            rows, at = rows[~equal], at[~equal] + 1

    def _release(self) -> None:
        if self.keys.nbytes > MAX_MAPPED:
            mapped.release(self.keys)


def sort_distinct(keys: np.ndarray) -> np.ndarray:
    """Sort digests and remove duplicates."""
    if not len(keys):
        return keys
    order, groups = order_and_groups(keys)
    return keys[order[groups]]


def is_ascending(keys: np.ndarray) -> bool:
    """Test whether digests are sorted and distinct, in bounded memory.

    >>> arrays = [np.frombuffer(d, np.uint8).reshape(-1, 2) for d in (b'aabb', b'aaaa')]
    >>> list(map(is_ascending, arrays))
    [True, False]
    """
    for start in range(0, len(keys) - 1, BLOCK):
        block = keys[start : start + BLOCK + 1]
        first = prefixes(block)
        if (first[1:] < first[:-1]).any():
            return False
        same = np.flatnonzero(first[1:] == first[:-1])
        if any(block[i].tobytes() >= block[i + 1].tobytes() for i in same):
            return False
        if keys.nbytes > MAX_MAPPED:
            mapped.release(keys)
    return True
