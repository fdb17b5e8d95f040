"""From bytes to WARC and ARC records, whatever happened to them.

`ordinary` reads the one record of a sound gzip member, which is nearly all that ever
happens. `Records` reads any other stream with care: it checks that a
record ends where its length says, and finds the next one where it does not.
"""

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import NamedTuple, NoReturn

from mr_reuse import kernel
from mr_reuse.archives import causes
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.headers import (
    ARC,
    HEAD_END,
    LINE_ENDS,
    WARC,
    Head,
    Syntax,
    arc_head,
    warc_head,
)
from mr_reuse.archives.members import End
from mr_reuse.archives.payload import Message
from mr_reuse.archives.window import BLOCK, LINE, Window

SMALL = 16 << 20  # a block up to this size is handled in one piece
MAX_HEAD = 1 << 20
FAILING = (End.CRC, End.BROKEN)


class Lost(Exception):
    """A record turned out to be unreadable while its block was read."""


class Record(NamedTuple):
    """A record: where it starts in its stream, its header, its block.

    `block` is bytes or a view of them, or a `Block` when it is large; `message` what
    the head of the HTTP message in it says, if that is known already.
    """

    at: int
    head: Head
    block: 'bytes | memoryview | Block'
    cut: bool = False
    message: Message | None = None


Ordinary = Callable[[bytearray], Record | None]


def ordinary() -> Ordinary:
    """The fastest way to read the record of a member that holds just one."""
    native = kernel.load()
    return functools.partial(_by_kernel, native.ordinary) if native else pure_ordinary


def _by_kernel(read: Callable, data: bytearray) -> Record | None:
    found = read(data)
    if found is None:
        return None
    kind, url, date, ip, length, own_type, start, status, body, content_type = found
    message = Message(status, body, (), content_type) if status >= 0 else None
    block = memoryview(data)[start : start + length]
    head = Head(kind, url, date, ip, length, own_type)
    return Record(0, head, block, False, message)


def pure_ordinary(data: bytearray) -> Record | None:
    """The record of a member that holds just one, None of any other member.

    >>> record = pure_ordinary(bytearray(
    ...     b'WARC/1.0\\r\\nContent-Length: 4\\r\\n\\r\\npage\\r\\n\\r\\n'))
    >>> record.head.length, bytes(record.block)
    (4, b'page')
    """
    end = data.find(b'\r\n\r\n')
    if end < 0 or not WARC.start.match(data):
        return None
    head = warc_head(data[:end])
    start = end + 4
    if head and len(data) == start + head.length + 4 and data.endswith(b'\r\n\r\n'):
        return Record(0, head, memoryview(data)[start : start + head.length])
    return None


class Block:
    """A large block, read in pieces; it is known to be whole only at its end."""

    def __init__(self, records: 'Records', size: int):
        self._records = records
        self._start = records.window.offset
        self._suspect: int | None = None
        self.left = size
        self.cut = False

    def __iter__(self) -> Iterator[bytes]:
        window = self._records.window
        while self.left and (piece := window.take(min(self.left, BLOCK))):
            self.left -= len(piece)
            self._look_for_record(piece)
            yield piece
            if self._suspect is not None and self._runs_over_the_end():
                break
        else:
            if self.left:
                self._records.at_end = window.offset
        missing, self.left = self.left, 0
        self.cut = self._records.check(self._start, missing, self._suspect)

    def peek(self, size: int) -> bytes:
        """The first bytes, before any were read."""
        return self._records.window.peek(size)[: self.left]

    def _runs_over_the_end(self) -> bool:
        """Whether there is less than was declared, if that is known already."""
        records = self._records
        end = records.window.offset + self.left
        return records.at_end is not None and end > records.at_end

    def _look_for_record(self, piece: bytes) -> None:
        """Look for a record that begins in the block."""
        if self._suspect is None:
            records = self._records
            found = records.begins_in(piece)
            start = records.window.offset - len(piece)
            self._suspect = None if found is None else start + found


class Records:
    """The records of a stream that may be damaged.

    `end` is how the stream is known to end; a plain file may be cut there.
    """

    def __init__(self, window: Window, stats: ArchiveStats, syntax: Syntax, end: End):
        self.window, self.stats, self.syntax, self.end = window, stats, syntax, end
        self.count = self.good = 0  # headers, and records that stand
        self.blamed = False  # whether the stream's end has cost a record
        self.at_end: int | None = None  # where the stream ends, once that was seen

    def __iter__(self) -> Iterator[Record]:
        while self._find_something():
            at = self.window.offset
            head = self._head()
            if head is None:
                self._go_on(at)
                continue
            self.count += 1
            record = self._record(at, head)
            if record:
                yield record
                self._drain(record.block)

    def _find_something(self) -> bool:
        self.window.skip(LINE_ENDS)
        return self.window.need(1) > 0

    def _drain(self, block: bytes | Block) -> None:
        """Read what the consumer left of a large block."""
        with contextlib.suppress(Lost):  # it is in the stats already
            for _ in block if isinstance(block, Block) and block.left else ():
                pass

    def _head(self) -> Head | None:
        """Read a header, and move behind it; None, and no move, if there is none."""
        window = self.window
        start = self.syntax.start.match(window.peek(LINE))
        if not start:
            return None
        if self.syntax is ARC:
            window.at += start.end()
            return arc_head(start)
        for reach in (LINE, MAX_HEAD):
            ahead = window.peek(reach)
            other = self.syntax.search.search(ahead, 1)
            end = HEAD_END.search(ahead, 0, other.start() if other else len(ahead))
            if end:
                break
            if other:  # it breaks off where another begins
                return None
        else:
            return None
        head = warc_head(ahead[: end.start()])
        window.at += end.end() if head else 0
        return head

    def _go_on(self, at: int) -> None:
        """Move from a place where no record begins to the next one; count the gap."""
        window = self.window
        is_head = self.syntax.start.match(window.peek(LINE)) is not None
        is_stub = self._is_stub()
        window.at += 1
        found = window.search(self.syntax.search)
        size = window.offset - at
        if not found and (is_stub or self.end in FAILING):
            size = 0 if self.end in FAILING else size  # known to who reads the member
            self.stats.lose(self.end.value, int(not self.blamed), size)
            self.blamed = True
        else:
            self.stats.lose(
                causes.BAD_HEAD if is_head else causes.JUNK, int(is_head), size
            )

    def _is_stub(self) -> bool:
        """Whether all that is left is the beginning of a header."""
        window = self.window
        if self.end is End.SOUND or window.need(MAX_HEAD) >= MAX_HEAD:
            return False
        if self.syntax.search.search(window.data, window.at + 1):
            return False
        return (
            self.syntax.stub.match(window.peek(MAX_HEAD).lstrip(LINE_ENDS)) is not None
        )

    def _record(self, at: int, head: Head) -> Record | None:
        window = self.window
        if head.length > SMALL:
            return Record(at, head, Block(self, head.length))
        have = window.need(head.length + LINE)  # so that the way back is short
        start, first, suspect = window.offset, window.at, None
        missing = max(0, head.length - have)
        window.at += head.length - missing
        if missing or not self._ends_here():
            found = self.syntax.search.search(window.data, first, window.at + LINE)
            if found and found.start() < window.at:
                suspect = start + found.start() - first
        block = window.data[first : window.at] if suspect is None else b''
        try:
            cut = self.check(start, missing, suspect)
        except Lost:
            return None
        return Record(at, head, block, cut)

    def begins_in(self, piece: bytes) -> int | None:
        """Where in the piece before the window's place a record begins, if any."""
        found = self.syntax.search.search(piece + self.window.peek(LINE))
        return found.start() if found and found.start() < len(piece) else None

    def check(self, start: int, missing: int, suspect: int | None) -> bool:
        """Judge a block that was read to its end, or as far as it went.

        True if it is cut by the end of the file. Raises `Lost` if it is no good;
        the place is then where reading goes on.
        """
        window = self.window
        if not missing and self._ends_here():
            if self._is_alone():
                self._lose(self.end.value)
        elif suspect is not None:
            window.seek(suspect)
            self._lose(causes.OVERRUN, suspect - start)
        elif self.end in FAILING:
            self._lose(self.end.value)
        elif missing and self.end is End.SOUND:
            self._lose(causes.OVERRUN, window.offset - start)
        elif missing:
            self.stats.lose(self.end.value, 1)
            self.blamed = True
        else:
            gap = window.offset
            window.search(self.syntax.search)
            self.stats.lose(causes.SHORT, 0, window.offset - gap)
        self.good += 1
        return missing > 0

    def _lose(self, cause: str, size: int = 0) -> NoReturn:
        self.stats.lose(cause, 1, size)
        self.blamed = self.blamed or cause == self.end.value
        raise Lost

    def _is_alone(self) -> bool:
        """Whether no record follows the first of a member that does not end well."""
        if self.end not in FAILING or self.count > 1:
            return False
        rest = self.window.peek(LINE).lstrip(LINE_ENDS)
        return self.syntax.start.match(rest) is None

    def _ends_here(self) -> bool:
        """Whether a block may end here: line ends, then a record or the end."""
        rest = self.window.peek(LINE)
        if rest.startswith(self.syntax.ends):
            return True
        rest = rest.lstrip(LINE_ENDS)
        return not rest or self.syntax.start.match(rest) is not None or self._is_stub()
