"""Keys of pairs of sites, for packed columns."""

import numpy as np

from mr_reuse.shuffle.packing import SUM
from mr_reuse.shuffle.partitions import NAME_WIDTH

# Shared chunks, the sum of their lengths, those that are first on the left site, and
# those that are first on the right one.
PAIR_COLUMNS = (SUM, SUM, SUM, SUM)
PAIR_WIDTH = 2 * NAME_WIDTH
# An odd number: a product with it, modulo 2^64, scrambles a number.
SCRAMBLE = np.uint64(0x9E3779B97F4A7C15)


def join_sites(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Make keys from the digests of two sites, whose last axis is bytes.

    The pairs of a site are in all partitions: the first word of the left digest is
    scrambled by that of the right one. Sorting by eight bytes nearly suffices, then.

    >>> digests = np.arange(64, dtype=np.uint8).reshape(2, 2, 16)
    >>> keys = join_sites(digests[0], digests[1])
    >>> keys.shape, (np.array(split_sites(keys)) == digests).all()
    ((2, 32), np.True_)
    """
    left, right = (_to_words(digests) for digests in (left, right))
    return _to_bytes(
        [left[:, 0] ^ _scramble(right[:, 0]), right[:, 0], left[:, 1], right[:, 1]]
    )


def split_sites(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the digests of both sites of keys."""
    words = _to_words(keys).reshape(-1, 4)
    left = words[:, 0] ^ _scramble(words[:, 1])
    return _to_bytes([left, words[:, 2]]), _to_bytes([words[:, 1], words[:, 3]])


def _to_words(digests: np.ndarray) -> np.ndarray:
    """Return the words of digests: a row of two for each of them."""
    return np.ascontiguousarray(digests).view(np.uint64).reshape(-1, 2)


def _to_bytes(columns: list[np.ndarray]) -> np.ndarray:
    return np.stack(columns, axis=1).view(np.uint8)


def _scramble(words: np.ndarray) -> np.ndarray:
    with np.errstate(over='ignore'):
        scrambled = words * SCRAMBLE
    return scrambled ^ (scrambled >> np.uint64(32))
