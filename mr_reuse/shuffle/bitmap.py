"""A bitmap of the first bits of digests: a filter of bounded size for many digests.

It has no false negatives. A digest that was not added passes if another one begins with
the same bits.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from mr_reuse.shuffle.packing import group_starts, prefixes

MIN_BITS, MAX_BITS = 13, 29  # of a digest: bitmaps of a kilobyte and of 64 megabytes
BITS_PER_DIGEST = 16  # of the bitmap; so many digests in one that were not added pass
BLOCK = 1 << 15  # bytes of a block

Block = tuple[int, bytes]  # number, and bytes


def bits_for(count: int) -> int:
    """Choose the number of bits of a digest for a bitmap of so many digests.

    >>> bits_for(0), bits_for(1 << 20), bits_for(10**9)
    (13, 24, 29)
    """
    wanted = max(0, count * BITS_PER_DIGEST - 1).bit_length()
    return min(MAX_BITS, max(MIN_BITS, wanted))


class Bitmap:
    """A bitmap, empty or of the bytes of another one.

    >>> keys = np.frombuffer(b'aabbcc', np.uint8).reshape(-1, 2)
    >>> bitmap = Bitmap(make_empty(13)).add(keys[:2])
    >>> bitmap.may_contain(keys).tolist()
    [True, True, False]
    """

    def __init__(self, data: np.ndarray):
        self.data = data
        self._shift = np.uint64(65 - (8 * len(data)).bit_length())

    def add(self, keys: np.ndarray) -> 'Bitmap':
        """Add sorted digests."""
        bits = prefixes(keys) >> self._shift
        at = bits >> np.uint64(3)
        first = group_starts(at)
        if len(first):
            self.data[at[first]] |= np.bitwise_or.reduceat(_mask(bits), first)
        return self

    def may_contain(self, keys: np.ndarray) -> np.ndarray:
        """Return a mask of the digests that may have been added."""
        bits = prefixes(keys) >> self._shift
        return (self.data[bits >> np.uint64(3)] & _mask(bits)) != 0

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks that are not empty, with their numbers."""
        for start in range(0, len(self.data), BLOCK):
            block = self.data[start : start + BLOCK]
            if block.any():
                yield start // BLOCK, block.tobytes()


def _mask(bits: np.ndarray) -> np.ndarray:
    return np.uint8(1) << (bits & np.uint64(7)).astype(np.uint8)


def make_empty(bits: int) -> np.ndarray:
    """Return the bytes of an empty bitmap of the first bits of digests."""
    return np.zeros(1 << (bits - 3), np.uint8)


def unite_blocks(bits: int, blocks: Iterable[Block]) -> np.ndarray:
    """Return the bytes of the union of bitmaps, of which these are the blocks.

    >>> unite_blocks(13, [(0, bytes([1])), (0, bytes([2]))])[:2].tolist()
    [3, 0]
    """
    data = make_empty(bits)
    for number, block in blocks:
        start = number * BLOCK
        data[start : start + len(block)] |= np.frombuffer(block, np.uint8)
    return data
