"""A byte stream that can be looked into, searched, and gone back in.

A window holds a few megabytes of a stream, whatever the stream's length.
"""

import io
import re
from collections.abc import Callable
from typing import BinaryIO, Protocol

BLOCK = 1 << 20  # read at a time; large enough that the calls cost nothing
LINE = 8 << 10  # what one looks at to tell whether a record begins
SECTOR = 4 << 10  # what a disk can or cannot read


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
        """`reopen(offset)` gives the stream from that offset on; a file can seek."""
        self._reopen = reopen
        self.stream = reopen(start)
        # The bytes ahead, the place in them, and the offset of the first of them.
        self.data, self.at, self.base = b'', 0, start
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
        return self.base + self.at

    def need(self, size: int) -> int:
        """Look ahead `size` bytes; how many there are, fewer only at the end."""
        have = len(self.data) - self.at
        if have >= size or self.ended:
            return have
        parts = [self.data[self.at :]] if have else []  # a single one is not copied
        while have < size and not self.ended:
            block = self.stream.read(BLOCK)
            self.ended = not block
            parts.append(block)
            have += len(block)
        self.base += self.at
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
        """Move to the end of the stream, and say where it is."""
        while self.need(1):
            self.at = len(self.data)
        return self.offset

    def skip(self, some: bytes) -> None:
        """Move over any of these bytes.

        >>> w = Window.of(b'\\n\\n\\r\\nWARC')
        >>> w.skip(b'\\r\\n'), w.offset
        (None, 4)
        """
        while self.need(1):
            ahead = self.peek(LINE)
            left = len(ahead.lstrip(some))
            self.at += len(ahead) - left
            if left:
                return

    def search(self, pattern: re.Pattern[bytes]) -> bool:
        """Move to the next match, which with what it looks at is at most a `LINE`.

        Without one the place is the end of the stream.

        >>> w = Window.of(b'ab=c')
        >>> w.search(re.compile(b'=')), w.take(9), w.search(re.compile(b'='))
        (True, b'=c', False)
        """
        while True:
            have = self.need(BLOCK + LINE)
            found = pattern.search(self.data, self.at)
            if found and (self.ended or found.end() + LINE <= len(self.data)):
                self.at = found.start()
                return True
            if self.ended:
                self.at = len(self.data)
                return False
            # Too near the end to be sure: read more from here on.
            self.at = found.start() if found else self.at + max(0, have - LINE)
            self.need(2 * LINE)


class Patient:
    """A file on a disk that may refuse to read some of it: there it ends.

    `refused` is the error, if it was one that made the end. `moved` is given each
    place to which it was read.
    """

    def __init__(
        self,
        reopen: Callable[[int], BinaryIO],
        start: int,
        moved: Callable[[int], None],
    ):
        self._reopen, self._at, self._moved = reopen, start, moved
        self._stream = reopen(start)
        self.refused: OSError | None = None

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; what a part of them hides is read in smaller pieces."""
        while True:
            try:
                found = self._stream.read(size)
            except OSError as error:
                self.refused = error
                self._stream = self._reopen(self._at)
                if size <= SECTOR:
                    return b''
                size //= 2
            else:
                self._at += len(found)
                if found:
                    self._moved(self._at)
                return found

    def seek(self, offset: int) -> None:
        self._stream.seek(offset)
        self._at = offset

    def close(self) -> None:
        self._stream.close()


def close(stream: Readable) -> None:
    """Close what can be closed."""
    getattr(stream, 'close', lambda: None)()
