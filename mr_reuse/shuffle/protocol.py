"""What a line between two jobs looks like.

A page:     rid  url  date  ip  type  size  file_hash  chunks  WIDTHS:COLUMNS
Counts:     chunk/PART or file/PART  WIDTHS:COLUMNS       digest; copies, pages, length
The last:   @  JSON                                       what a task tells the driver

Columns are packed (`packing.py`). A page's are digest and length, in the page's
order, or digest, length and copies. The rows of a page may repeat a digest within a
line, never across lines: a page that needs more than one goes on in `rid#1`, …
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pybase64 as base64

from mr_reuse.shuffle import packing
from mr_reuse.shuffle.packing import Columns, Rows

LAST = b'@'
MAX_BATCH = 48 << 20  # bytes of page lines
PAGE_ROWS = 16_000  # in one line; with 32-byte digests they make most of a megabyte
SEPARATORS = str.maketrans({'\t': '%09', '\n': '%0A', '\r': '%0D'})


class PageLine(NamedTuple):
    """One line of a page; a page that goes on has its facts in the first."""

    rid: str
    url: str
    date: str
    ip: str
    type: str
    size: int
    file_hash: str  # '' if the page was cut
    chunks: int  # in this line
    packed: bytes

    def pair(self) -> tuple[bytes, bytes]:
        """The line as key and value."""
        rid, *facts, chunks, packed = self
        text = '\t'.join([rid, *map(str, facts), str(chunks)])
        if text.count('\t') != len(facts) + 1 or '\n' in text or '\r' in text:
            text = '\t'.join(str(f).translate(SEPARATORS) for f in self[:-1])
        key, value = text.encode('utf-8', 'surrogateescape').split(b'\t', 1)
        return key, value + b'\t' + packed


def read_page(key: bytes, value: bytes) -> PageLine:
    """A page line from its key and value.

    >>> line = PageLine('a:0', 'http://a/', '', '', 'text/html', 9, 'ff', 1, b'20,4:')
    >>> read_page(*line.pair()) == line
    True
    """
    fields = value.split(b'\t')
    text = [f.decode('utf-8', 'surrogateescape') for f in (key, *fields[:7])]
    return PageLine(*text[:5], int(text[5]), text[6], int(text[7]), fields[7])


def is_page(key: bytes) -> bool:
    """Whether a line is a page's, by its key.

    >>> is_page(b'a.warc.gz:0#1'), is_page(b'chunk/00'), is_page(LAST)
    (True, False, False)
    """
    return b':' in key


def rid_of(key: bytes) -> bytes:
    """The rid of a page, from the key of any of its lines.

    >>> rid_of(b'a#b:7#1'), rid_of(b'a#b:7')
    (b'a#b:7', b'a#b:7')
    """
    if b'#' not in key:
        return key
    archive, _, place = key.rpartition(b':')
    return archive + b':' + place.partition(b'#')[0]


def in_order(rid: bytes, row: bytes) -> bytes:
    """A row with what sorts it by its rid: the archive, then the offset as a number.

    >>> in_order(b'a:9', b'x') < in_order(b'a:10', b'x') < in_order(b'b:1', b'x')
    True
    """
    archive, _, place = rid.rpartition(b':')
    member, _, inside = place.partition(b'+')
    return b'%b\1%020d%020d\0%b' % (archive, int(member), int(inside or 0), row)


def pack_page(digests: bytes, lengths: bytes, width: int) -> bytes:
    """The columns of a short page, without the price of numpy; lengths have 32 bits.

    >>> line = pack_page(b'aabb', b'\\3\\0\\0\\0\\4\\0\\0\\0', 2)
    >>> packing.unpack(line).columns[0].tolist()
    [3, 4]
    """
    return short_head(width) + base64.b64encode(digests + lengths)


def short_head(width: int) -> bytes:
    """How the columns of a short page begin: the widths of digest and length."""
    return b'%d,4:' % width


def count_key(unit: str, part: int) -> bytes:
    """The key of a line of counts: a part of the digests of chunks or of files.

    >>> count_key('chunk', 10)
    b'chunk/000a'
    """
    return b'%b/%04x' % (unit.encode(), part)


def unit_of(key: bytes) -> str:
    """The unit that a line of counts counts.

    >>> unit_of(b'file/0000')
    'file'
    """
    return key.partition(b'/')[0].decode()


def last(told: dict[str, Any]) -> tuple[bytes, bytes]:
    """The last line of a task."""
    return LAST, json.dumps(told, sort_keys=True).encode()


def told(line: bytes) -> dict[str, Any]:
    """What the last line of a task says; nothing if there is no such line.

    >>> told(b'@\\t{"n": 1}\\n'), told(b'')
    ({'n': 1}, {})
    """
    key, _, value = line.rstrip(b'\t\n').partition(b'\t')
    return json.loads(value) if key == LAST else {}


class Lines:
    """How jobs read and write lines: keys and values are bytes, always."""

    def read(self, line: bytes) -> tuple[bytes, bytes]:
        key, _, value = line.partition(b'\t')
        return key, value

    def write(self, key: bytes, value: bytes) -> bytes:
        return key + b'\t' + value


class Batch:
    """Page lines that are handled together, many at a time."""

    def __init__(self, width: int, rows: int = 50_000):
        self._width, self._rows = width, rows
        self._clear()

    def _clear(self) -> None:
        self.lines: list[tuple[bytes, list[bytes]]] = []
        # By widths: the columns, and line and rows of each payload in them.
        self._packed: dict[bytes, tuple[Columns, list[int], list[int]]] = {}
        self._size = self._bytes = 0

    def add(self, key: bytes, value: bytes) -> bool:
        """Take a line in; whether the batch is full."""
        fields = value.split(b'\t')
        head, _, data = fields[7].partition(b':')
        held = self._packed.get(head)
        if held is None:
            held = self._packed[head] = Columns(head), [], []
        columns, owners, counts = held
        count = columns.add(base64.b64decode(data))
        owners.append(len(self.lines))
        counts.append(count)
        fields[7] = head  # the rest is large, and would be kept for long
        self.lines.append((key, fields))
        self._size += count
        self._bytes += len(value)
        full = self._size >= self._rows or len(self.lines) >= self._rows // 4
        return full or self._bytes >= MAX_BATCH

    def take(self) -> tuple[Rows, np.ndarray, list[tuple[bytes, list[bytes]]]]:
        """Rows of digest; length, copies. The line of each row. The lines. Empties."""
        parts, owners = [self._none()], [np.zeros(0, np.uint64)]
        for columns, lines, counts in self._packed.values():
            rows = columns.rows()
            length, *copies = rows.columns
            copies = copies[0] if copies else np.ones(len(length), np.uint64)
            parts.append(Rows(rows.keys, (length, copies)))
            owners.append(np.repeat(np.array(lines, np.uint64), counts))
        found = packing.join(parts), np.concatenate(owners), self.lines
        self._clear()
        return found

    def _none(self) -> Rows:
        return packing.rows_of(b'', self._width, [], [])


def read_lines(stream: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """The lines of a part file as keys and values, Hadoop's trailing tab taken off."""
    for line in stream:
        key, _, value = line.rstrip(b'\t\n').partition(b'\t')
        yield key, value
