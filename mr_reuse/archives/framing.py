"""Parse bytes into WARC and ARC records, also if they are damaged.

`Records` parses any stream. It checks that each record ends where its length says, and
otherwise searches for the next header. `ordinary.py` parses sound records faster.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple, NoReturn, Protocol

from mr_reuse.archives import causes
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.containers.members import End
from mr_reuse.archives.headers import (
    ARC,
    HEAD_END,
    LINE_ENDS,
    Head,
    Syntax,
    parse_arc_line,
    parse_warc_head,
)
from mr_reuse.archives.payload import Message
from mr_reuse.archives.window import BLOCK, LOOKAHEAD, Window

SMALL = 16 << 20  # bytes; a larger block is read in pieces, to bound memory
MAX_HEAD = 1 << 20  # bytes of a header
FAILING = (End.CRC, End.BROKEN)


class Lost(Exception):
    """The record of a block is unreadable; it is already counted as lost."""


class Record(NamedTuple):
    """A record: its offset in the stream, its header and its block.

    A large block is a `Block`, others are bytes or a view of bytes. `message` is the
    parsed head of the HTTP message in the block, if the kernel has parsed it.
    """

    at: int
    head: Head
    block: 'bytes | memoryview | Block'
    cut: bool = False
    message: Message | None = None


Ordinary = Callable[[Window], Record | None]


class Block:
    """A large block, read in pieces. Raises `Lost` at the end if it is unreadable.

    `remaining` is the number of bytes that are not yet read. `cut` is final only then.
    """

    def __init__(self, records: 'Records', size: int):
        self._records = records
        self._start = records.window.offset
        self._suspect: int | None = None
        self.remaining = size
        self.cut = False

    def __iter__(self) -> Iterator[bytes]:
        window = self._records.window
        while self.remaining and (piece := window.take(min(self.remaining, BLOCK))):
            self.remaining -= len(piece)
            self._look_for_record(piece)
            yield piece
            if self._suspect is not None and self._runs_over_the_end():
                break
        else:
            if self.remaining:
                self._records.at_end = window.offset
        missing, self.remaining = self.remaining, 0
        self.cut = self._records.check(self._start, missing, self._suspect)

    def peek(self, size: int) -> bytes:
        """Return the first bytes; only before iterating."""
        return self._records.window.peek(size)[: self.remaining]

    def _runs_over_the_end(self) -> bool:
        """Test whether the stream is known to end before the declared end."""
        records = self._records
        end = records.window.offset + self.remaining
        return records.at_end is not None and end > records.at_end

    def _look_for_record(self, piece: bytes) -> None:
        """Remember the offset of the first record header inside the block."""
        if self._suspect is None:
            records = self._records
            inside = records.find_header(piece)
            start = records.window.offset - len(piece)
            self._suspect = None if inside is None else start + inside


class Ending(Protocol):
    """What knows how a stream ends; `SOUND` as long as that is not known.

    If `verified`, all bytes up to the end are right, and only those behind are not.
    """

    end: End
    verified: bool


class Known(NamedTuple):
    """The end of a stream that was read before."""

    end: End
    verified: bool = False


class Records:
    """The records of a stream that may be damaged; a plain file may always be cut."""

    def __init__(
        self, window: Window, stats: ArchiveStats, syntax: Syntax, ending: Ending
    ):
        self.window, self.stats, self.syntax = window, stats, syntax
        self._ending = ending
        self.count = self.readable = 0  # number of headers, of readable records
        self.blamed = False  # a loss was counted under the cause in `end`
        self.at_end: int | None = None  # offset of the end of the stream, if known

    @property
    def end(self) -> End:
        return self._ending.end

    def read(self, ordinary: Ordinary | None = None) -> Iterator[Record]:
        """Yield the records; `ordinary` may parse those that it knows."""
        while True:
            while ordinary and (record := ordinary(self.window)):
                self.count += 1
                self.readable += 1
                yield record
            behind = self.window.offset
            if not self._skip_line_ends():
                return
            at = self.window.offset
            if ordinary and at > behind:
                continue
            head = self._head()
            if head is None:
                self._skip_gap(at)
                continue
            self.count += 1
            record = self._record(at, head)
            if record:
                yield record
                self._drain(record.block)

    def _skip_line_ends(self) -> bool:
        """Move to the next byte that is no line end; False at the end of the stream."""
        self.window.skip(LINE_ENDS)
        return self.window.need(1) > 0

    def _drain(self, block: bytes | Block) -> None:
        """Read the part of a large block that the consumer has not read."""
        with contextlib.suppress(Lost):  # already counted
            for _ in block if isinstance(block, Block) and block.remaining else ():
                pass

    def _head(self) -> Head | None:
        """Read a header and move behind it; None without moving if no header begins."""
        window = self.window
        start = self.syntax.start.match(window.peek(LOOKAHEAD))
        if not start:
            return None
        if self.syntax is ARC:
            window.at += start.end()
            return parse_arc_line(start)
        for size in (LOOKAHEAD, MAX_HEAD):  # few headers need the larger buffer
            ahead = window.peek(size)
            header = self.syntax.search.search(ahead, 1)
            end = HEAD_END.search(ahead, 0, header.start() if header else len(ahead))
            if end:
                break
            if header:  # the header breaks off, as another begins inside it
                return None
        else:
            return None
        head = parse_warc_head(ahead[: end.start()])
        window.at += end.end() if head else 0
        return head

    def _skip_gap(self, at: int) -> None:
        """Move from an offset without a record to the next record; count the gap."""
        window = self.window
        is_head = self.syntax.start.match(window.peek(LOOKAHEAD)) is not None
        is_stub = self._is_stub()
        window.at += 1
        has_next = window.search(self.syntax.search)
        size = window.offset - at
        if not has_next and (is_stub or self.end in FAILING):
            # The reader of the member counts the bytes of one that fails.
            size = 0 if self.end in FAILING else size
            self.stats.lose(self.end.value, int(not self.blamed), size)
            self.blamed = True
        else:
            self.stats.lose(
                causes.BAD_HEAD if is_head else causes.JUNK, int(is_head), size
            )

    def _is_stub(self) -> bool:
        """Test whether the rest of the stream is the beginning of a header."""
        window = self.window
        if window.need(MAX_HEAD) >= MAX_HEAD or self.end is End.SOUND:
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
        have = window.need(head.length + LOOKAHEAD)
        # Checking the end may refill the buffer of the window.
        start, data, first, suspect = window.offset, window.data, window.at, None
        missing = max(0, head.length - have)
        window.at += head.length - missing
        last = window.at
        if missing or not self._is_block_end():
            # The header of another record may begin inside and end behind the block.
            header = self.syntax.search.search(data, first, last + LOOKAHEAD)
            if header and header.start() < last:
                suspect = start + header.start() - first
        block = data[first:last] if suspect is None else b''
        try:
            cut = self.check(start, missing, suspect)
        except Lost:
            return None
        return Record(at, head, block, cut)

    def find_header(self, piece: bytes) -> int | None:
        """Find a header that begins in the piece just read; return its offset there."""
        match = self.syntax.search.search(piece + self.window.peek(LOOKAHEAD))
        return match.start() if match and match.start() < len(piece) else None

    def check(self, start: int, missing: int, suspect: int | None) -> bool:
        """Check a block that was read, and count its damage.

        `start` is the offset of the block, `missing` the number of its bytes behind
        the end of the stream, `suspect` the offset of a record header inside it.
        Return True if the end of the file cuts it. Raise `Lost` if it is unreadable;
        the window is then at the offset from which to continue.
        """
        window = self.window
        if not missing and self._is_block_end():
            if self._is_alone():
                self._lose(self.end.value)
        elif suspect is not None:
            window.seek(suspect)
            self._lose(causes.OVERRUN, suspect - start)
        elif self.end in FAILING and (missing or not self._ending.verified):
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
        self.readable += 1
        return missing > 0

    def _lose(self, cause: str, size: int = 0) -> NoReturn:
        self.stats.lose(cause, 1, size)
        self.blamed = self.blamed or cause == self.end.value
        raise Lost

    def _is_alone(self) -> bool:
        """Test whether this is the only record of a damaged member: then it is bad."""
        if self._ending.verified or self.end not in FAILING or self.count > 1:
            return False
        rest = self.window.peek(LOOKAHEAD).lstrip(LINE_ENDS)
        return self.syntax.start.match(rest) is None

    def _is_block_end(self) -> bool:
        """Test for the end of a block: line ends, then a record or nothing."""
        rest = self.window.peek(LOOKAHEAD)
        if rest.startswith(self.syntax.ends):
            return True
        rest = rest.lstrip(LINE_ENDS)
        return not rest or self.syntax.start.match(rest) is not None or self._is_stub()
