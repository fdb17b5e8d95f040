"""Sorted arrays of digests, and an index to look digests up."""

import numpy as np

from mr_reuse.shuffle.packing import order_and_groups, prefixes

BLOCK = 1 << 18  # digests to compare at a time
MAX_BITS = 24  # of the beginning of a digest, for a table that rejects most others


class DigestIndex:
    """Sorted distinct digests, with a lookup of many digests at a time."""

    def __init__(self, keys: np.ndarray):
        self.keys = keys
        self._first = prefixes(keys)
        bits = min(MAX_BITS, len(keys).bit_length() + 4)
        self._shift = np.uint64(64 - bits)
        self._maybe = np.zeros(1 << bits, bool)
        self._maybe[self._first >> self._shift] = True

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
        at = np.searchsorted(self._first, first[rows])
        # The loop nearly always ends after a round; only digests with the same first
        # 64 bits need more.
        while len(rows):
            same = at < len(self._first)
            same[same] = self._first[at[same]] == first[rows[same]]
            rows, at = rows[same], at[same]
            equal = (self.keys[at] == keys[rows]).all(axis=1)
            indexes[rows[equal]] = at[equal]
            rows, at = rows[~equal], at[~equal] + 1
        return indexes


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
    return True
