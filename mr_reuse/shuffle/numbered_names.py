"""Numbers for names that may be too many for the memory."""

import os
import struct

import numpy as np

from mr_reuse import storage
from mr_reuse.shuffle.partitions import name_digest

HASH_BYTES = 8
SLOTS, BLOCK = 1 << 12, 1 << 16  # of an empty table; slots to read at a time
PLACE = struct.Struct('<QI')  # offset and bytes of a name in its file


class NumberedNames:
    """Numbers distinct names from 0 on, in the order in which they come.

    The names are in scratch files, and so is a hash table of their numbers. A slot of
    it has a hash and a number, from 1. At most half of the slots are used.

    >>> names = NumberedNames()
    >>> [names.number(name) for name in (b'x', b'y', b'x')], names[1], len(names)
    ([0, 1, 0], b'y', 2)
    """

    def __init__(self) -> None:
        self._file, self._places = storage.open_scratch(), storage.open_scratch()
        self._table = make_table(SLOTS)
        self._count = self._end = 0

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> bytes:
        self._file.flush()
        self._places.flush()
        place = os.pread(self._places.fileno(), PLACE.size, number * PLACE.size)
        start, length = PLACE.unpack(place)
        return os.pread(self._file.fileno(), length, start)

    def number(self, name: bytes) -> int:
        """Return the number of a name; a new name gets the next one."""
        key = int.from_bytes(name_digest(name)[:HASH_BYTES], 'big')
        slot = key % len(self._table)
        while number := int(self._table[slot, 1]):
            if int(self._table[slot, 0]) == key and self[number - 1] == name:
                return number - 1
            slot = (slot + 1) % len(self._table)  # another name is in this slot
        self._places.write(PLACE.pack(self._end, len(name)))
        self._file.write(name)
        self._end += len(name)
        self._count += 1
        self._table[slot] = key, self._count
        if 2 * self._count > len(self._table):
            self._grow()
        return self._count - 1

    def _grow(self) -> None:
        """Double the slots."""
        old, self._table = self._table, make_table(2 * len(self._table))
        for start in range(0, len(old), BLOCK):
            for key, number in old[start : start + BLOCK].tolist():
                if number:
                    slot = key % len(self._table)
                    while self._table[slot, 1]:
                        slot = (slot + 1) % len(self._table)
                    self._table[slot] = key, number


def make_table(slots: int) -> np.ndarray:
    """Make an empty table in a scratch file."""
    with storage.open_scratch() as stream:
        stream.truncate(16 * slots)
        return np.memmap(stream, np.uint64, 'r+', shape=(slots, 2))
