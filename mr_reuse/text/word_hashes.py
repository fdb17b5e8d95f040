"""Two independent hashes of 64 bits for each word.

A word is its lower-case UTF-8, cut into blocks of eight bytes, little-endian; zeros
fill the last one. No word has a zero byte, so the blocks of two words differ. Each lane
begins with its seed. For each block it does, modulo 2^64:

    hash ^= block
    hash ^= hash >> shift 1;  hash *= factor 1
    hash ^= hash >> shift 2;  hash *= factor 2
    hash ^= hash >> shift 3

These are the finalizers of MurmurHash3 and of SplitMix64. Each is a bijection, so two
words of at most eight bytes never have the same hash in either lane.
"""

from typing import NamedTuple

import numpy as np


class Lane(NamedTuple):
    """The numbers of a lane, as above."""

    seed: int
    shifts: tuple[int, int, int]
    factors: tuple[int, int]


LANES = (
    Lane(0x9E3779B97F4A7C15, (33, 33, 33), (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53)),
    Lane(0x6A09E667F3BCC909, (30, 27, 31), (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)),
)
SEEDS = tuple(lane.seed for lane in LANES)
BLOCK = 8
ALL = 2**64 - 1
FEW = 8  # words of so many blocks left are hashed one by one


def hash_word(word: bytes) -> tuple[int, ...]:
    """Return the hash of a word in each lane.

    >>> ['%016x' % lane for lane in hash_word(b'word')]
    ['c00ea1e870b2dd6d', '8be4f7d49df3b306']
    """
    return add_bytes(SEEDS, word)


def add_bytes(lanes: tuple[int, ...], data: bytes) -> tuple[int, ...]:
    """Go on with the hashes of a word whose bytes so far are whole blocks."""
    result = list(lanes)
    for at in range(0, len(data), BLOCK):
        block = int.from_bytes(data[at : at + BLOCK], 'little')
        for i, (_, shifts, factors) in enumerate(LANES):
            value = result[i] ^ block
            value ^= value >> shifts[0]
            value = value * factors[0] & ALL
            value ^= value >> shifts[1]
            value = value * factors[1] & ALL
            result[i] = value ^ value >> shifts[2]
    return tuple(result)


def hash_words(text: bytes, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """Return the hashes of the words of a text, a row for each.

    >>> found = hash_words(b'a word', np.array([0, 2]), np.array([1, 6]))
    >>> [tuple(map(int, row)) for row in found] == [hash_word(b'a'), hash_word(b'word')]
    True
    """
    result = np.empty((len(starts), len(LANES)), np.uint64)
    result[:] = np.array(SEEDS, np.uint64)
    padded = text + bytes(BLOCK)
    blocks = np.ndarray((len(text) + 1,), '<u8', padded, strides=(1,))
    places, left, which = starts, stops - starts, np.arange(len(starts))
    while len(which) > FEW:
        block = blocks[places]
        short = left < BLOCK
        unused = (BLOCK - left[short]).astype(np.uint64) * np.uint64(8)
        block[short] &= np.uint64(ALL) >> unused
        for i, lane in enumerate(LANES):
            result[which, i] = _mix(result[which, i] ^ block, lane)
        more = left > BLOCK
        places, left, which = places[more] + BLOCK, left[more] - BLOCK, which[more]
    for word, at, size in zip(which, places.tolist(), left.tolist(), strict=True):
        lanes = tuple(map(int, result[word]))
        result[word] = add_bytes(lanes, text[at : at + size])
    return result


def _mix(value: np.ndarray, lane: Lane) -> np.ndarray:
    for shift, factor in zip(lane.shifts, (*lane.factors, None), strict=True):
        value ^= value >> np.uint64(shift)
        if factor:
            value *= np.uint64(factor)
    return value


class WordLanes:
    """The lanes of words, for `pure_reader`."""

    start = SEEDS
    add = staticmethod(add_bytes)
    of_words = staticmethod(hash_words)
