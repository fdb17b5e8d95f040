"""Grams: the sequences of k words of a page, as hashes of 80 bits.

A word has two lanes of 64 bits, which are independent hashes. Of the lanes `a` and `b`
of k words, a gram has the numbers

    key    mix(a1 * M^(k-1) + a2 * M^(k-2) + … + ak), 64 bits
    check  the first 16 bits of mix(b1 * N^(k-1) + … + bk)

modulo 2^64, where `mix` is the finalizer of SplitMix64. Grams are sorted by their keys.
They count as the same if key and check are. The words decide in the end: each quilt
that is reported was compared word by word.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.shuffle.packing import group_starts
from mr_reuse.shuffle.ragged import positions_in

M, N = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
CHECK_BITS = np.uint64(48)  # below the check
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
MAX_PACKED = 1 << 32  # documents with smaller numbers are sorted faster


class Grams(NamedTuple):
    """Distinct grams in the order of their keys, with the documents of each."""

    keys: np.ndarray
    checks: np.ndarray
    sizes: np.ndarray  # numbers of documents
    documents: np.ndarray  # of one gram after another, ascending

    def split(self, slices: Iterable[slice]) -> Iterator['Grams']:
        """Divide the grams into slices, which are adjacent."""
        start = 0
        for where in slices:
            sizes = self.sizes[where]
            end = start + int(sizes.sum())
            documents = self.documents[start:end]
            yield Grams(self.keys[where], self.checks[where], sizes, documents)
            start = end


def mix(numbers: np.ndarray) -> np.ndarray:
    """Mix the bits of numbers, in place: the finalizer of SplitMix64.

    >>> hex(mix(np.array([0x9E3779B97F4A7C15], np.uint64))[0])
    '0xe220a8397b1dcdaf'
    """
    for shift, factor in ((30, FIRST), (27, SECOND)):
        numbers ^= numbers >> np.uint64(shift)
        numbers *= factor
    numbers ^= numbers >> np.uint64(31)
    return numbers


def hash_grams(lanes: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return keys and checks of the grams of words, of which these are the lanes.

    >>> lanes = np.array([[1, 5], [2, 6], [1, 5], [2, 6]], np.uint64)
    >>> keys, checks = hash_grams(lanes, 2)
    >>> bool(keys[0] == keys[2] != keys[1]), bool(checks[0] == checks[2])
    (True, True)
    >>> [len(column) for column in hash_grams(lanes, 5)]
    [0, 0]
    """
    first, second = (
        mix(_combine(np.ascontiguousarray(lanes[:, n]), k, factor))
        for n, factor in ((0, M), (1, N))
    )
    return first, (second >> CHECK_BITS).astype(np.uint16)


def _combine(lane: np.ndarray, k: int, factor: np.uint64) -> np.ndarray:
    count = max(0, len(lane) - k + 1)
    combined = lane[:count].copy()
    for n in range(1, k):
        combined *= factor
        combined += lane[n : n + count]
    return combined


def begin_grams(words: np.ndarray, k: int) -> np.ndarray:
    """Return a mask of the positions at which a gram begins.

    `words` are the numbers of words of pages that are laid end to end. The mask is of
    the grams of all words, of which some span two pages.

    >>> begin_grams(np.array([3, 1, 2]), 2).tolist()
    [True, True, False, False, True]
    """
    after = np.repeat(words, words) - positions_in(words)
    return (after >= k)[: max(0, len(after) - k + 1)]


def sort_grams(keys: np.ndarray, checks: np.ndarray, documents: np.ndarray) -> Grams:
    """Sort the grams of documents, and remove repetitions.

    >>> keys, checks = np.array([7, 3, 7, 7], np.uint64), np.zeros(4, np.uint16)
    >>> grams = sort_grams(keys, checks, np.array([2, 2, 1, 2], np.uint64))
    >>> grams.keys.tolist(), grams.sizes.tolist(), grams.documents.tolist()
    ([3, 7], [1, 2], [2, 1, 2])
    """
    if not len(keys):
        empty = np.zeros(0, np.uint64)
        return Grams(keys, checks, empty, documents.astype(np.uint64))
    order = np.argsort(keys)
    keys, checks, documents = keys[order], checks[order], documents[order]
    is_same = keys[1:] == keys[:-1]
    has_collision = (is_same & (checks[1:] != checks[:-1])).any()
    if has_collision or int(documents.max()) >= MAX_PACKED:
        order = np.lexsort((documents, checks, keys))
        keys, checks, documents = keys[order], checks[order], documents[order]
        is_same = (keys[1:] == keys[:-1]) & (checks[1:] == checks[:-1])
        starts = np.concatenate([[0], np.flatnonzero(~is_same) + 1])
        is_kept = np.ones(len(keys), bool)
        is_kept[1:] = ~is_same | (documents[1:] != documents[:-1])
        sizes = np.add.reduceat(is_kept, starts, dtype=np.uint64)
        return Grams(keys[starts], checks[starts], sizes, documents[is_kept])
    # Sorting the numbers of groups and documents, in a word each, takes half as long.
    starts = np.concatenate([[0], np.flatnonzero(~is_same) + 1])
    groups = np.zeros(len(keys), np.uint64)
    groups[1:] = np.cumsum(~is_same)
    packed = groups << np.uint64(32) | documents.astype(np.uint64)
    packed.sort()
    packed = packed[group_starts(packed)]
    sizes = np.bincount((packed >> np.uint64(32)).astype(np.int64)).astype(np.uint64)
    documents = packed & np.uint64(MAX_PACKED - 1)
    return Grams(keys[starts], checks[starts], sizes, documents)
