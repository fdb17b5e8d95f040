"""The bytes of a WACZ, which is a file in another store."""

import errno
import io
from dataclasses import dataclass, field
from typing import BinaryIO

from mr_reuse.storage.base import BUFFER, UNKNOWN, Answer, Entry, Opened, Ranged, Store


class Bounded:
    """The first bytes of an answer, which may be longer.

    >>> Bounded(io.BytesIO(b'one two'), 3).read(9)
    b'one'
    """

    def __init__(self, answer: Answer, left: int):
        self.stamp = getattr(answer, 'stamp', None)
        self._answer, self._left = answer, left

    def read(self, size: int, /) -> bytes:
        data = self._answer.read(min(size, self._left))
        self._left -= len(data)
        return data

    def close(self) -> None:
        self._answer.close()


@dataclass(frozen=True)
class PackageFile:
    """A package, by its status in the store that holds it."""

    entry: Entry
    store: Store = field(compare=False)

    def open_part(self, start: int, end: int, offset: int, limit: int = 0) -> Opened:
        """Open a part of the package at an offset in it, like `Store.open_range`."""
        left = min(end - start - offset, limit or end)
        if left <= 0:
            return io.BytesIO(), end - start
        name = self.entry.name
        answer, size = self.store.open_range(name, start + offset, left)
        if size not in (None, self.entry.size):
            answer.close()
            raise OSError(errno.EIO, 'changed while it was read', name)
        return Bounded(answer, left), end - start

    def read_part(self, name: str, start: int, end: int, offset: int = 0) -> BinaryIO:
        """Open a part of the package as a stream; `name` is for errors."""

        def open_at(at: int, limit: int) -> Opened:
            return self.open_part(start, end, at, limit)

        stream = Ranged(name, open_at, offset, self.store.broken)
        stream.max_skip = self.store.max_skip
        if not self.store.broken:  # a disk loses no connections
            stream.piece = BUFFER
        return io.BufferedReader(stream, BUFFER)

    def read(self, offset: int, size: int) -> bytes:
        """Read bytes of the package, at most to its end."""
        name, end = self.entry.name, self.entry.size
        if end == UNKNOWN:
            reason = 'the server does not send the size of this file; download it'
            raise OSError(errno.EIO, reason, name)
        with self.read_part(name, min(offset, end), min(offset + size, end)) as part:
            return part.read()
