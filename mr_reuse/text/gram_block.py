"""The grams of many documents, sorted: hashes of k successive words, of 80 bits.

A word has two lanes of 64 bits (`word_hashes`). Of the lanes `a` and `b` of k words, a
gram has the numbers

    key    mix(a1 * M^(k-1) + a2 * M^(k-2) + … + ak), 64 bits
    check  the first 16 bits of mix(b1 * N^(k-1) + … + bk)

modulo 2^64, where `mix` is the finalizer of SplitMix64. Two grams count as the same if
key and check are.
"""

from typing import NamedTuple

import numpy as np

from mr_reuse import kernel

FACTORS = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03  # M, N
CHECK_BITS = 48  # below the check
STEPS = (30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)  # of `mix`


class SortedGrams(NamedTuple):
    """Distinct grams by key, then check, and in how many documents each is."""

    keys: np.ndarray  # 64 bits
    checks: np.ndarray  # 16 bits
    sizes: np.ndarray  # numbers of documents, 32 bits
    documents: np.ndarray  # of one gram after another, ascending, 32 bits


class PureBlock:
    """Collects the grams of documents. The kernel has the same."""

    def __init__(self, k: int):
        self._k = k
        self._rows: list[np.ndarray] = []

    def add(self, lanes: bytes, document: int) -> int:
        """Add a document by the lanes of its words; return its number of grams."""
        rows = np.frombuffer(lanes, np.uint64).reshape(-1, 2)
        found = np.unique(hash_grams(rows, self._k, document))
        self._rows.append(found)
        return len(found)

    def take(self) -> tuple[bytes, bytes, bytes, bytes]:
        """Return the columns of `SortedGrams`, and begin anew."""
        empty = np.zeros(0, [('key', 'u8'), ('check', 'u2'), ('document', 'u4')])
        rows = np.concatenate([empty, *self._rows])
        self._rows = []
        rows = rows[np.lexsort((rows['document'], rows['check'], rows['key']))]
        is_new = np.ones(len(rows), bool)
        same = (rows['key'][1:] == rows['key'][:-1]) & (
            rows['check'][1:] == rows['check'][:-1]
        )
        is_new[1:] = ~same
        starts = np.flatnonzero(is_new)
        sizes = np.diff(np.append(starts, len(rows))).astype(np.uint32)
        columns = rows['key'][starts], rows['check'][starts], sizes, rows['document']
        return tuple(column.tobytes() for column in columns)


def hash_grams(lanes: np.ndarray, k: int, document: int) -> np.ndarray:
    """Return the grams of a document, of whose words these are the lanes.

    >>> lanes = np.array([[1, 5], [2, 6], [1, 5], [2, 6]], np.uint64)
    >>> rows = hash_grams(lanes, 2, 7)
    >>> bool(rows[0] == rows[2] != rows[1]), rows['document'].tolist()
    (True, [7, 7, 7])
    """
    count = max(0, len(lanes) - k + 1)
    rows = np.zeros(count, [('key', 'u8'), ('check', 'u2'), ('document', 'u4')])
    first, second = (
        _mix(_combine(lanes[:, i], (k, count), factor))
        for i, factor in enumerate(FACTORS)
    )
    rows['key'] = first
    rows['check'] = second >> np.uint64(CHECK_BITS)
    rows['document'] = document
    return rows


def _combine(lane: np.ndarray, size: tuple[int, int], factor: int) -> np.ndarray:
    k, count = size
    combined = lane[:count].copy()
    for i in range(1, k):
        combined *= np.uint64(factor)
        combined += lane[i : i + count]
    return combined


def _mix(numbers: np.ndarray) -> np.ndarray:
    for shift, factor in STEPS:
        numbers ^= numbers >> np.uint64(shift)
        numbers *= np.uint64(factor)
    return numbers


class GramBlock:
    """Collects the grams of documents, with the kernel if there is one."""

    def __init__(self, k: int):
        loaded = kernel.load()
        self._block = loaded.Grams(k) if loaded else PureBlock(k)

    def add(self, lanes: np.ndarray, document: int) -> int:
        """Add a document by the lanes of its words; return its number of grams.

        Documents are added in the order of their numbers, which have 32 bits.
        """
        return self._block.add(lanes.tobytes(), document)

    def take(self) -> SortedGrams:
        """Return all grams since the last call.

        >>> block = GramBlock(2)
        >>> lanes = np.array([[1, 5], [2, 6], [1, 5], [2, 6]], np.uint64)
        >>> block.add(lanes, 3), block.add(lanes[:2], 4), block.take().sizes.tolist()
        (2, 1, [2, 1])
        """
        kinds = np.uint64, np.uint16, np.uint32, np.uint32
        columns = zip(self._block.take(), kinds, strict=True)
        return SortedGrams(*(np.frombuffer(data, kind) for data, kind in columns))
