"""Page lines: the output of HashChunks, one line a page or several for a long page."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pybase64 as base64

from mr_reuse.messages import ESCAPED_SEPARATORS, to_bytes, to_text
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.packing import Columns, Rows

MAX_BATCH = 48 << 20  # bytes of page lines
PAGE_ROWS = 16_000  # of a line; with 32-byte digests they take most of a megabyte

# Indexes of the fields of a line after its key.
URL, DATE, IP, TYPE, SIZE, FILE_HASH, CHUNKS, PACKED = range(8)
Fields = list[bytes]
Lines = Sequence[tuple[bytes, Fields]]  # keys and fields


class PageLine(NamedTuple):
    """A line of a page. If a page has several lines, only the first has its facts."""

    rid: str
    url: str
    date: str
    ip: str
    type: str
    size: int
    file_hash: str  # '' if the page was truncated
    chunks: int  # number in this line
    packed: bytes  # columns of digests and lengths, and of copies in a long page

    def pair(self) -> tuple[bytes, bytes]:
        """Return the line as key and value; separators within a field are escaped."""
        rid, *facts, chunks, packed = self
        text = '\t'.join([rid, *map(str, facts), str(chunks)])
        if text.count('\t') != len(facts) + 1 or '\n' in text or '\r' in text:
            text = '\t'.join(str(f).translate(ESCAPED_SEPARATORS) for f in self[:-1])
        key, value = to_bytes(text).split(b'\t', 1)
        return key, value + b'\t' + packed


def read_page(key: bytes, value: bytes) -> PageLine:
    """Parse a page line from its key and value.

    >>> line = PageLine('a:0', 'http://a/', '', '', 'text/html', 9, 'ff', 1, b'20,4:')
    >>> read_page(*line.pair()) == line
    True
    """
    fields = value.split(b'\t')
    texts = map(to_text, (key, *fields[:PACKED]))
    rid, url, date, ip, media, size, file_hash, chunks = texts
    facts = rid, url, date, ip, media, int(size), file_hash, int(chunks)
    return PageLine(*facts, fields[PACKED])


def is_page(key: bytes) -> bool:
    """Test by its key whether a line is a page line.

    >>> is_page(b'a.warc.gz:0#1'), is_page(b'chunk/00'), is_page(b'@')
    (True, False, False)
    """
    return b':' in key


def pack_page(digests: bytes, lengths: bytes, width: int) -> bytes:
    """Pack the columns of a short page, without the overhead of numpy.

    Each length has 32 bits.

    >>> line = pack_page(b'aabb', b'\\3\\0\\0\\0\\4\\0\\0\\0', 2)
    >>> packing.unpack(line).columns[0].tolist()
    [3, 4]
    """
    return short_head(width) + base64.b64encode(digests + lengths)


def short_head(width: int) -> bytes:
    """Return the beginning of packed columns: the widths of digest and length."""
    return b'%d,4:' % width


def file_digests(lines: Lines, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the file digests of page lines, and the index of the line of each.

    A truncated page has no file digest.

    >>> cut, page = [[b''] * 8 for _ in range(2)]
    >>> page[FILE_HASH] = b'6162'
    >>> keys, owners = file_digests([(b'a:0', cut), (b'a:9', page)], 2)
    >>> keys.tobytes(), owners.tolist()
    (b'ab', [1])
    """
    hashed = [i for i, (_, fields) in enumerate(lines) if fields[FILE_HASH]]
    digests = bytes.fromhex(b''.join(lines[i][1][FILE_HASH] for i in hashed).decode())
    keys = np.frombuffer(digests, np.uint8).reshape(-1, width)
    return keys, np.array(hashed, np.uint64)


class Batch:
    """Page lines to handle together, many at a time."""

    def __init__(self, width: int, rows: int = 50_000):
        self._width, self._rows = width, rows
        self._clear()

    def _clear(self) -> None:
        self.lines: list[tuple[bytes, Fields]] = []
        # By widths: the columns, and for each payload its line and number of rows.
        self._packed: dict[bytes, tuple[Columns, list[int], list[int]]] = {}
        self._size = self._bytes = 0

    def add(self, key: bytes, value: bytes) -> bool:
        """Add a line; return True if the batch is full."""
        fields = value.split(b'\t')
        head, _, data = fields[PACKED].partition(b':')
        buffer = self._packed.get(head)
        if buffer is None:
            buffer = self._packed[head] = Columns(head), [], []
        columns, owners, counts = buffer
        count = columns.add(base64.b64decode(data))
        owners.append(len(self.lines))
        counts.append(count)
        fields[PACKED] = head  # drop the data, which is in the columns now
        self.lines.append((key, fields))
        self._size += count
        self._bytes += len(value)
        full = self._size >= self._rows or len(self.lines) >= self._rows // 4
        return full or self._bytes >= MAX_BATCH

    def take(self) -> tuple[Rows, np.ndarray, list[tuple[bytes, Fields]]]:
        """Empty the batch; return rows, the index of the line of each row, the lines.

        A row is (digest; length, copies).
        """
        parts, owners = [self._none()], [np.zeros(0, np.uint64)]
        for columns, lines, counts in self._packed.values():
            rows = columns.rows()
            length, *copies = rows.columns
            copies = copies[0] if copies else np.ones(len(length), np.uint64)
            parts.append(Rows(rows.keys, (length, copies)))
            owners.append(np.repeat(np.array(lines, np.uint64), counts))
        content = packing.join(parts), np.concatenate(owners), self.lines
        self._clear()
        return content

    def _none(self) -> Rows:
        return packing.make_rows(b'', self._width, [], [])
