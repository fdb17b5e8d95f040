"""Deflated data as a stream in which one can go back."""

import errno
import io
import sys
import zlib
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple

BUFFER = 1 << 20
PIECE = 64 << 10  # bytes that are inflated at a time
SPACING = 1 << 20  # inflated bytes between two marks, doubled whenever there are many
MAX_MARKS = 128  # each takes 45 KB


class Mark(NamedTuple):
    """The state of the inflater at an offset of the inflated data."""

    offset: int
    packed: int  # offset of the deflated data behind those that it has taken
    inflater: Any


class Marks:
    """States at ascending offsets of one stream, from which inflating can begin."""

    def __init__(self) -> None:
        self._marks = [Mark(0, 0, zlib.decompressobj(-zlib.MAX_WBITS))]
        self._spacing = SPACING

    def before(self, offset: int) -> Mark:
        """Return the last mark that is not behind an offset."""
        place = bisect_right(self._marks, offset, key=lambda mark: mark.offset)
        return self._marks[place - 1]

    def add(self, offset: int, packed: int, inflater: Any) -> None:
        """Add a mark, if it is far enough behind the last one."""
        if offset < self._marks[-1].offset + self._spacing:
            return
        self._marks.append(Mark(offset, packed, inflater.copy()))
        if len(self._marks) > MAX_MARKS:
            del self._marks[1::2]
            self._spacing *= 2


class UpToError(io.BufferedReader):
    """A buffered stream that returns the bytes before an error first."""

    def read(self, size: int | None = -1) -> bytes:
        left = sys.maxsize if size is None or size < 0 else size
        data = bytearray()
        while left:
            try:
                part = self.read1(min(left, BUFFER))
            except OSError:
                if data:
                    break
                raise
            if not part:
                break
            data += part
            left -= len(part)
        return bytes(data)


class Inflating(io.RawIOBase):
    """The inflated bytes of raw deflated data.

    An error is raised again by the next call.

    >>> packer = zlib.compressobj(wbits=-15)
    >>> packed = packer.compress(b'one two') + packer.flush()
    >>> stream = Inflating('x', lambda at: io.BytesIO(packed[at:]), Marks(), 4)
    >>> stream.read(3), stream.seek(0), stream.read(9)
    (b'two', 0, b'one two')
    """

    def __init__(
        self,
        name: str,
        open_packed: Callable[[int], BinaryIO],
        marks: Marks,
        offset: int = 0,
    ):
        """Open the data; `open_packed` opens the deflated data at an offset."""
        super().__init__()
        self._name, self._open_packed, self._marks = name, open_packed, marks
        self._packed: BinaryIO | None = None
        self.seek(offset)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._target

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation('only from the beginning')
        mark = self._marks.before(offset)
        if not self._packed or offset < self._at or mark.offset > self._at:
            self._start_at(mark)
        self._target = offset
        return offset

    def _start_at(self, mark: Mark) -> None:
        if self._packed:
            self._packed.close()
        self._packed = self._open_packed(mark.packed)
        self._taken, self._at, self._ahead = mark.packed, mark.offset, b''
        self._inflater = mark.inflater.copy()

    def readinto(self, buffer) -> int:
        while self._at < self._target:
            if not self._inflate(min(PIECE, self._target - self._at)):
                return 0
        data = self._inflate(len(buffer))
        buffer[: len(data)] = data
        self._target = self._at
        return len(data)

    def _inflate(self, size: int) -> bytes:
        """Inflate up to `size` bytes; b'' only at the end."""
        inflated = b''
        while not inflated and not self._inflater.eof:
            if not self._ahead:
                self._marks.add(self._at, self._taken, self._inflater)
                self._ahead = self._packed.read(PIECE)
                self._taken += len(self._ahead)
            is_last = not self._ahead
            inflated = self._inflate_ahead(size)
            if is_last and not inflated:
                raise self._error('its deflated data are cut')
        self._at += len(inflated)
        return inflated

    def _inflate_ahead(self, size: int) -> bytes:
        """Inflate the bytes ahead, or those before a break in them."""
        count = len(self._ahead)
        while True:
            before = self._inflater.copy()  # after an error the object is useless
            try:
                inflated = self._inflater.decompress(self._ahead[:count], size)
            except zlib.error:
                self._inflater = before
                if count <= 1:
                    raise self._error('its deflated data are damaged') from None
                count //= 2
            else:
                self._ahead = self._inflater.unconsumed_tail + self._ahead[count:]
                return inflated

    def _error(self, reason: str) -> OSError:
        return OSError(errno.EIO, reason, self._name)

    def close(self) -> None:
        if not self.closed and self._packed:
            self._packed.close()
        super().close()
