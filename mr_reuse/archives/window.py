"""A byte stream with lookahead, search and seek.

A window buffers a few megabytes, whatever the length of the stream.
"""

import io
import re
from collections.abc import Callable
from typing import BinaryIO, Protocol

from mr_reuse.storage import Busy

BLOCK = 1 << 20  # bytes read at a time, to make the cost of calls negligible
LOOKAHEAD = 8 << 10  # bytes that suffice to decide whether a record begins
SECTOR = 4 << 10  # bytes; the unit of a disk that is readable or not


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Pattern(Protocol):
    """What finds something in bytes, such as a regular expression."""

    def search(self, data: bytes, start: int = 0, /) -> re.Match[bytes] | None: ...


class Window:
    """A stream at an offset, with a buffer of the bytes ahead.

    >>> w = Window.of(b'one two')
    >>> w.take(3), w.offset, w.need(10)
    (b'one', 3, 4)
    >>> w.seek(4); bytes(w.take(9))
    b'two'
    """

    def __init__(self, reopen: Callable[[int], Readable], start: int = 0):
        """Open the stream; `reopen(offset)` returns the stream from an offset on."""
        self._reopen = reopen
        self.stream = reopen(start)
        # The buffer, the index in it, and the offset of its first byte in the stream.
        self.data, self.at, self.base = b'', 0, start
        self.ended = False

    @classmethod
    def of(cls, data: bytes) -> 'Window':
        """Make a window on bytes in memory."""
        window = cls(lambda offset: io.BytesIO(data[offset:]))
        window.data, window.ended = data, True
        return window

    @property
    def offset(self) -> int:
        """The offset of the next byte in the stream."""
        return self.base + self.at

    @property
    def failed(self) -> OSError | Busy | None:
        """The error that ended the stream, or None at its real end."""
        return getattr(self.stream, 'error', None)

    def reopen(self, offset: int) -> 'Window':
        """Open another window on the same stream."""
        return Window(self._reopen, offset)

    def need(self, size: int) -> int:
        """Buffer `size` bytes ahead; return their number, smaller only at the end."""
        have = len(self.data) - self.at
        if have >= size or self.ended:
            return have
        parts = [self.data[self.at :]] if have else []  # join copies no single part
        while have < size and not self.ended:
            block = self.stream.read(BLOCK)
            self.ended = not block
            parts.append(block)
            have += len(block)
        self.base += self.at
        self.data, self.at = b''.join(parts), 0
        return have

    def peek(self, size: int) -> bytes:
        """Return the next bytes without moving."""
        self.need(size)
        return self.data[self.at : self.at + size]

    def take(self, size: int) -> bytes:
        """Return the next bytes and move behind them."""
        data = self.peek(size)
        self.at += len(data)
        return data

    def seek(self, offset: int) -> None:
        """Move to an offset in either direction, at most to the end of the stream."""
        if self.base <= offset <= self.base + len(self.data):
            self.at = offset - self.base
            return
        if offset < self.base:
            close(self.stream)
            self.stream = self._reopen(offset)
            self._start_at(offset)
        elif hasattr(self.stream, 'seek') and not self.ended:
            self.stream.seek(offset)
            self._start_at(offset)
        while self.offset < offset and self.need(1):
            self.at += min(len(self.data) - self.at, offset - self.offset)

    def _start_at(self, offset: int) -> None:
        self.data, self.at, self.base, self.ended = b'', 0, offset, False

    def to_end(self) -> int:
        """Move to the end of the stream, and return its offset."""
        while self.need(1):
            self.at = len(self.data)
        return self.offset

    def skip(self, bytes_: bytes) -> None:
        """Move behind a run of any of these bytes.

        >>> w = Window.of(b'\\n\\n\\r\\nWARC')
        >>> w.skip(b'\\r\\n'), w.offset
        (None, 4)
        """
        while self.need(1):
            ahead = self.peek(LOOKAHEAD)
            remaining = len(ahead.lstrip(bytes_))
            self.at += len(ahead) - remaining
            if remaining:
                return

    def search(self, pattern: Pattern) -> bool:
        """Move to the next match, or to the end of the stream; return True for a match.

        A match, with the bytes that the pattern looks at, is at most `LOOKAHEAD` long.

        >>> w = Window.of(b'ab=c')
        >>> w.search(re.compile(b'=')), w.take(9), w.search(re.compile(b'='))
        (True, b'=c', False)
        """
        while True:
            have = self.need(BLOCK + LOOKAHEAD)
            match = pattern.search(self.data, self.at)
            if match and (self.ended or match.end() + LOOKAHEAD <= len(self.data)):
                self.at = match.start()
                return True
            if self.ended:
                self.at = len(self.data)
                return False
            # More bytes might change a match this close to the end of the buffer.
            self.at = match.start() if match else self.at + max(0, have - LOOKAHEAD)
            self.need(2 * LOOKAHEAD)


class SalvagingReader:
    """A file that ends at the first sector that the disk cannot read.

    It also ends where a server stays busy.

    `error` is the error that ended it, or None at the real end. `report` is called with
    each offset that reading reaches.
    """

    def __init__(
        self,
        reopen: Callable[[int], BinaryIO],
        start: int,
        report: Callable[[int], None],
    ):
        self._reopen, self._at, self._report = reopen, start, report
        self._stream = reopen(start)
        self.error: OSError | Busy | None = None

    def read(self, size: int) -> bytes:
        """Read up to `size` bytes, in smaller pieces before an unreadable sector."""
        while True:
            try:
                data = self._stream.read(size)
            except Busy as error:  # it was asked often enough
                self.error = error
                return b''
            except OSError as error:
                self.error = error
                self._stream = self._reopen(self._at)
                if size <= SECTOR:
                    return b''
                size //= 2
            else:
                self._at += len(data)
                if data:
                    self._report(self._at)
                return data

    def seek(self, offset: int) -> None:
        self._stream.seek(offset)
        self._at = offset

    def close(self) -> None:
        self._stream.close()


def close(stream: Readable) -> None:
    """Close a stream that can be closed."""
    getattr(stream, 'close', lambda: None)()
