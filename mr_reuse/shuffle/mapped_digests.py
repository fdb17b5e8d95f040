"""Sorted digests in a file for tasks, which look them up without loading the file.

A digest is two numbers of 64 bits, in the byte order of the machine. The search reads
few rows, so neither the number of digests nor that of tasks takes memory.
"""

import struct
from bisect import bisect_left
from collections.abc import Iterable
from typing import IO

import numpy as np

WIDTH = 16  # bytes of a digest
_numbers = struct.Struct('>QQ').unpack


def write(stream: IO[bytes], pieces: Iterable[np.ndarray]) -> None:
    """Write digests, which come in ascending order; a row of a piece is a digest."""
    for keys in pieces:
        words = np.ascontiguousarray(keys).view('>u8').astype(np.uint64)
        stream.write(words.tobytes())


class MappedDigests:
    """The digests of a file, for the operator `in`."""

    def __init__(self, data: memoryview):
        words = data.cast('Q')
        self._upper, self._lower = words[::2], words[1::2]

    def __len__(self) -> int:
        return len(self._upper)

    def __contains__(self, digest: bytes) -> bool:
        upper, lower = _numbers(digest)
        index = bisect_left(self._upper, upper)
        while index < len(self._upper) and self._upper[index] == upper:
            if self._lower[index] == lower:
                return True
            index += 1
        return False
