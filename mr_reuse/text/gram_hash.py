"""Grams: the sequences of k words of a page, as hashes of 80 bits.

A word has two lanes of 64 bits (`word_hashes`). Of the lanes `a` and `b` of k words, a
gram has the numbers

    key    mix(a1 * M^(k-1) + a2 * M^(k-2) + … + ak), 64 bits
    check  the first 16 bits of mix(b1 * N^(k-1) + … + bk)

modulo 2^64, where `mix` is the finalizer of SplitMix64. Grams are sorted by their keys.
They count as the same if key and check are.
"""

import numpy as np

M, N = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
CHECK_BITS = np.uint64(48)  # below the check
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


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
