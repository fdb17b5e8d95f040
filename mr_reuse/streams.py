"""A byte stream that can be looked into, searched, and gone back in.

A window holds a few megabytes of a stream, whatever the stream's length.
"""

import io
import re
from collections.abc import Callable
from typing import Protocol

BLOCK = 1 << 20  # read at a time; large enough that the calls cost nothing


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Window:
    """The place in a stream where one reads, and what lies ahead of it.

    >>> w = Window.of(b'one two')
    >>> w.take(3), w.offset, w.need(10)
    (b'one', 3, 4)
    >>> w.seek(4); bytes(w.take(9))
    b'two'
    """

    def __init__(self, reopen: Callable[[int], Readable], start: int = 0):
        """`reopen(offset)` gives the stream from that offset on."""
        self._reopen = reopen
        self.stream = reopen(start)
        self.data, self.at, self._base = b'', 0, start
        self.ended = False

    @classmethod
    def of(cls, data: bytes) -> 'Window':
        """A window on bytes that are all there."""
        window = cls(lambda offset: io.BytesIO(data[offset:]))
        window.data, window.ended = data, True
        return window

    @property
    def offset(self) -> int:
        """Where in the stream the next byte stands."""
        return self._base + self.at

    def need(self, size: int) -> int:
        """Look ahead `size` bytes; how many there are, fewer only at the end."""
        have = len(self.data) - self.at
        if have >= size or self.ended:
            return have
        parts = [self.data[self.at :]]
        while have < size and not self.ended:
            block = self.stream.read(max(BLOCK, size - have))
            self.ended = not block
            parts.append(block)
            have += len(block)
        self._base += self.at
        self.data, self.at = b''.join(parts), 0
        return have

    def peek(self, size: int) -> bytes:
        """The next bytes, which stay ahead."""
        self.need(size)
        return self.data[self.at : self.at + size]

    def take(self, size: int) -> bytes:
        """The next bytes; the place moves behind them."""
        found = self.peek(size)
        self.at += len(found)
        return found

    def seek(self, offset: int) -> None:
        """Go to a place, ahead or behind; behind the end is the end."""
        if self._base <= offset <= self._base + len(self.data):
            self.at = offset - self._base
            return
        if offset < self._base:
            close(self.stream)
            self.stream = self._reopen(offset)
            self._start_at(offset)
        elif hasattr(self.stream, 'seek'):
            self.stream.seek(offset)
            self._start_at(offset)
        while self.offset < offset and self.need(1):
            self.at += min(len(self.data) - self.at, offset - self.offset)

    def _start_at(self, offset: int) -> None:
        self.data, self.at, self._base, self.ended = b'', 0, offset, False

    def to_end(self) -> int:
        """Move to the end of the stream, and say where it is."""
        while self.need(1):
            self.at = len(self.data)
        return self.offset

    def search(self, pattern: re.Pattern[bytes], overlap: int = 512) -> bool:
        """Move behind the next match, which with what it looks at ahead is short.

        Without one the place is the end of the stream.

        >>> w = Window.of(b'ab=c')
        >>> w.search(re.compile(b'=')), w.take(9), w.search(re.compile(b'='))
        (True, b'c', False)
        """
        while True:
            have = self.need(BLOCK)
            found = pattern.search(self.data, self.at)
            if found and (self.ended or found.end() + overlap <= len(self.data)):
                self.at = found.end()
                return True
            if self.ended:
                self.at = len(self.data)
                return False
            # Too near the end to be sure: read more from here on.
            self.at = found.start() if found else self.at + have - overlap
            self.need(have + overlap if found else BLOCK)


def close(stream: Readable) -> None:
    """Close what can be closed."""
    getattr(stream, 'close', lambda: None)()
