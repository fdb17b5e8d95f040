"""A Bloom filter over digests: no false negatives, false positives at a chosen rate."""

import math

import numpy as np

from mr_reuse.shuffle.packing import prefixes

BLOCK = 1 << 18  # digests to add at a time: their bits stay in the CPU cache


def filter_size(count: int, rate: float) -> tuple[int, int]:
    """Return the numbers of bits and hashes for a number of digests and a rate.

    >>> filter_size(75_000_000, 0.01)
    (718879379, 7)
    >>> filter_size(0, 0.01)
    (64, 1)
    """
    bits = math.ceil(-count * math.log(rate) / math.log(2) ** 2)
    return max(64, bits), max(1, round(bits / max(count, 1) * math.log(2)))


class Bloom:
    """A filter for `count` digests; `data` are the bytes of a filled filter.

    >>> keys = np.arange(4000, dtype=np.uint8).reshape(-1, 20)
    >>> bloom = Bloom(200, 0.01).add(keys)
    >>> bool(Bloom(200, 0.01, bloom.data.tobytes()).may_contain(keys).all())
    True
    """

    def __init__(self, count: int, rate: float, data: bytes | None = None):
        bits, self._hashes = filter_size(count, rate)
        self._bits = np.uint64(bits)
        if data is None:
            self.data = np.zeros(bits // 8 + 1, np.uint8)
        else:
            self.data = np.frombuffer(data, np.uint8)
            if len(self.data) != bits // 8 + 1:
                raise ValueError('this Bloom filter is of another number of digests')

    def add(self, keys: np.ndarray) -> 'Bloom':
        """Add digests."""
        for start in range(0, len(keys), BLOCK):
            for bits in self._bit_numbers(keys[start : start + BLOCK]):
                self._set(bits)
        return self

    def _set(self, bits: np.ndarray) -> None:
        # Sorted and joined byte by byte: 0.6 of the time that `bitwise_or.at` takes.
        bits.sort()
        at = bits >> np.uint64(3)
        first = np.flatnonzero(np.diff(at, prepend=at[:1] + np.uint64(1)))
        self.data[at[first]] |= np.bitwise_or.reduceat(_mask(bits), first)

    def _bit_numbers(self, keys: np.ndarray):
        # Digests are random, so two of their words serve as two independent hashes.
        first, second = prefixes(keys), prefixes(keys[:, 8:16]) | np.uint64(1)
        for i in range(self._hashes):
            yield (first + np.uint64(i) * second) % self._bits

    def may_contain(self, keys: np.ndarray) -> np.ndarray:
        """Return a mask of the keys that may have been added; the others were not."""
        mask = np.ones(len(keys), bool)
        for bits in self._bit_numbers(keys):
            mask &= (self.data[bits >> np.uint64(3)] & _mask(bits)) != 0
        return mask


def _mask(bits: np.ndarray) -> np.ndarray:
    return np.uint8(1) << (bits & np.uint64(7)).astype(np.uint8)
