"""From bytes to WARC and ARC records, whatever happened to them.

`ordinary` takes the one record of a sound gzip member apart, which is nearly all
that ever happens. `Records` reads any other stream with care: it checks that a
record ends where its length says, and finds the next one where it does not.
"""

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from mr_reuse.account import Account
from mr_reuse.members import End
from mr_reuse.streams import BLOCK, Window

SMALL = 16 << 20  # a block up to this size is handled in one piece
MAX_HEAD = 1 << 20
LINE = 8 << 10  # looked at to tell whether a record begins
OVERLAP = 512  # of two pieces, so that a header is seen that lies across them

WARC_LINE = rb'WARC/\d\.\d+\r?\n[A-Za-z-]+:'
ARC_LINE = (
    rb'(?P<url>[A-Za-z][\w.+-]*:[^\r\n]*?) (?P<ip>[\d.]{7,15}|[\da-fA-F:]{3,39}|-) '
    rb'(?P<date>\d{14}|\d{12}|0) [^\n]{0,512}?(?P<length>\d{1,15})\r?\n'
)
HEAD_END = re.compile(rb'\r?\n\r?\n')
FIELDS = re.compile(
    rb'^(warc-type|warc-target-uri|warc-date|warc-ip-address|content-length)'
    rb'[ \t]*:[ \t]*([^\r\n]*?)[ \t]*\r?$',
    re.I | re.M,
)
WARC_START = re.compile(WARC_LINE)


class Syntax(NamedTuple):
    """How a format's records begin: here, inside a block, after junk."""

    start: re.Pattern[bytes]
    inside: re.Pattern[bytes]
    resync: re.Pattern[bytes]


WARC = Syntax(
    WARC_START,
    re.compile(rb'\n(?=%s)' % WARC_LINE),
    re.compile(rb'(?=%s)' % WARC_LINE),
)
ARC = Syntax(
    re.compile(ARC_LINE),
    re.compile(rb'\n(?=%s)' % ARC_LINE),
    re.compile(rb'\n(?=%s)' % ARC_LINE),
)

BAD_HEAD = 'record header that cannot be read'
JUNK = 'bytes that belong to no record'
OVERRUN = 'length runs over the next record'
SHORT = 'bytes behind the declared length of a record'


class Head(NamedTuple):
    """What the header of a record says."""

    type: str
    url: bytes
    date: str
    ip: str
    length: int


class Lost(Exception):
    """A record turned out to be unreadable while its block was read."""


class Record(NamedTuple):
    """A record: where it starts in its stream, its header, its block.

    `block` is bytes or a view of them, or a `Block` when it is large.
    """

    at: int
    head: Head
    block: 'bytes | memoryview | Block'
    cut: bool = False


def warc_head(raw: bytes) -> Head | None:
    """Parse a WARC header; None if it has no valid length.

    >>> warc_head(b'WARC/1.0\\r\\nWARC-Type: response\\r\\nContent-Length: 5')
    Head(type='response', url=b'', date='', ip='', length=5)
    """
    found = {k.lower(): v for k, v in FIELDS.findall(raw)}
    length = found.get(b'content-length', b'')
    if not length.isdigit():
        return None
    text = {k: v.decode('latin-1') for k, v in found.items()}
    return Head(
        text.get(b'warc-type', '').lower(),
        found.get(b'warc-target-uri', b'').strip(b'<>'),
        text.get(b'warc-date', ''),
        text.get(b'warc-ip-address', ''),
        int(length),
    )


def arc_head(line: re.Match[bytes]) -> Head:
    """What the line before an ARC record says, of version 1 or 2.

    >>> line = b'http://a.org/ 10.0.0.1 20080102030405 text/html 17\\n'
    >>> arc_head(ARC.start.match(line))
    Head(type='response', url=b'http://a.org/', date='2008-01-02T03:04:05Z', \
ip='10.0.0.1', length=17)
    """
    kind = 'warcinfo' if line['url'].startswith(b'filedesc:') else 'response'
    ip, d = line['ip'].decode('ascii'), line['date'].decode('ascii').ljust(14, '0')
    date = f'{d[:4]}-{d[4:6]}-{d[6:8]}T{d[8:10]}:{d[10:12]}:{d[12:14]}Z'
    known = line['date'] != b'0'
    return Head(kind, line['url'], date if known else '', ip, int(line['length']))


def ordinary(data: bytes) -> tuple[Head, int] | None:
    """The header and the start of the block of a member that holds just one record.

    >>> head, start = ordinary(
    ...     b'WARC/1.0\\r\\nContent-Length: 4\\r\\n\\r\\npage\\r\\n\\r\\n')
    >>> head.length, start
    (4, 31)
    """
    end = data.find(b'\r\n\r\n')
    if end < 0 or not WARC_START.match(data):
        return None
    head = warc_head(data[:end])
    start = end + 4
    if head and len(data) == start + head.length + 4 and data.endswith(b'\r\n\r\n'):
        return head, start
    return None


class Block:
    """A large block, read in pieces; it is known to be whole only at its end."""

    def __init__(self, records: 'Records', size: int):
        self._records = records
        self._start = records.window.offset
        self._suspect: int | None = None
        self._tail = b''
        self.left = size
        self.cut = False

    def __iter__(self) -> Iterator[bytes]:
        window = self._records.window
        while self.left and (piece := window.take(min(self.left, BLOCK))):
            self.left -= len(piece)
            self._look_for_record(self._tail + piece, window.offset)
            self._tail = piece[-OVERLAP:]
            yield piece
        missing, self.left = self.left, 0
        self.cut = self._records.check(self._start, missing, self._suspect)

    def peek(self, size: int) -> bytes:
        """The first bytes, before any were read."""
        return self._records.window.peek(size)[: self.left]

    def _look_for_record(self, data: bytes, end: int) -> None:
        if self._suspect is None and (
            found := self._records.syntax.inside.search(data)
        ):
            self._suspect = end - len(data) + found.end()


class Records:
    """The records of a stream that may be damaged.

    `end_of` tells how the stream ended, once it did; a plain file is cut there.
    """

    def __init__(
        self,
        window: Window,
        account: Account,
        syntax: Syntax,
        end_of: Callable[[], End] = lambda: End.CUT,
    ):
        self.window, self.account, self.syntax = window, account, syntax
        self._end_of = end_of
        self._count = 0
        self.blamed = False  # whether the stream's end has cost a record

    def __iter__(self) -> Iterator[Record]:
        while self._skip_blank():
            at = self.window.offset
            head = self._head()
            if head is None:
                self._go_on(at)
                continue
            self._count += 1
            record = self._record(at, head)
            if record:
                yield record
                self._drain(record.block)

    def _drain(self, block: bytes | Block) -> None:
        """Read what the consumer left of a large block."""
        with contextlib.suppress(Lost):  # it is in the account already
            for _ in block if isinstance(block, Block) and block.left else ():
                pass

    def _skip_blank(self) -> bool:
        """Move over line ends; False at the end of the stream."""
        window = self.window
        while window.need(1):
            if window.data[window.at] not in b'\r\n':
                return True
            window.at += 1
        return False

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
            if end := HEAD_END.search(ahead):
                break
        else:
            return None
        head = warc_head(ahead[: end.start()])
        window.at += end.end() if head else 0
        return head

    def _go_on(self, at: int) -> None:
        """No record begins here: find one that does, and account for the gap."""
        is_record = self.syntax.start.match(self.window.peek(LINE)) is not None
        self.window.at += 1
        self.window.search(self.syntax.resync)
        cause = BAD_HEAD if is_record else JUNK
        self.account.lose(cause, int(is_record), self.window.offset - at)

    def _record(self, at: int, head: Head) -> Record | None:
        window = self.window
        if head.length > SMALL:
            return Record(at, head, Block(self, head.length))
        start, suspect = window.offset, None
        block = window.take(head.length)
        if len(block) < head.length or not self._boundary():
            found = self.syntax.inside.search(block)
            suspect = start + found.end() if found else None
        try:
            cut = self.check(start, head.length - len(block), suspect)
        except Lost:
            return None
        return Record(at, head, block, cut)

    def check(self, start: int, missing: int, suspect: int | None) -> bool:
        """Judge a block that was read to its end, or as far as it went.

        True if it is cut by the end of the file. Raises `Lost` if it is no good;
        the place is then where reading goes on.
        """
        window = self.window
        if not missing and self._boundary():
            self._alone_and_sound()
            return False
        if suspect is not None:
            window.seek(suspect)
            self.account.lose(OVERRUN, 1, suspect - start)
            raise Lost
        if not missing:
            gap = window.offset
            window.search(self.syntax.resync)
            self.account.lose(SHORT, 0, window.offset - gap)
            return False
        end = self._end_of()
        if end is End.SOUND:
            self.account.lose(OVERRUN, 1, window.offset - start)
            raise Lost
        self._blame(end)
        if end is not End.CUT:
            raise Lost
        return True

    def _alone_and_sound(self) -> None:
        """The only record of a member that fails its checksum is no good."""
        if self._count > 1 or self.window.peek(LINE).strip(b'\r\n'):
            return
        end = self._end_of()
        if end in (End.CRC, End.BROKEN):
            self._blame(end)
            raise Lost

    def _blame(self, end: End) -> None:
        self.account.lose(end.value, 1)
        self.blamed = True

    def _boundary(self) -> bool:
        """Whether a block may end here: line ends, then a record or the end."""
        rest = self.window.peek(LINE).lstrip(b'\r\n')
        return not rest or self.syntax.start.match(rest) is not None
