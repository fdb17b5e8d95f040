"""Page lines: the output of HashChunks, one line a page or several for a long page."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pybase64 as base64

from mr_reuse import kernel
from mr_reuse.archives import items, rids, sniff
from mr_reuse.archives.references import parse_reference
from mr_reuse.messages import ESCAPED_SEPARATORS, to_bytes, to_text
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.packing import Columns, Rows
from mr_reuse.shuffle.protocol import Line

PAGE_ROWS = 16_000  # of a line; with 32-byte digests they take most of a megabyte
# A batch is full with this many rows, a quarter as many lines, or this many bytes. A
# line takes memory even if its page has no chunks.
BATCH_ROWS = 50_000
ROWS_PER_LINE = 4
BATCH_BYTES = 48 << 20

# Indexes of the fields of a line after its key.
URL, DATE, IP, TYPE, SIZE, FILE_HASH, CHUNKS, PACKED = range(8)
# Lines of older versions end before these.
RECORD_ID, PAYLOAD_DIGEST, TRUNCATED, REFERS_TO, KIND = range(8, 13)
NO_FIELDS = [b''] * (KIND + 1)
# Kinds of lines: a revisit as it was read, and one with the content of its target.
REVISIT, RESOLVED = items.REVISIT.encode(), b'resolved'
Fields = list[bytes]
SplitLine = tuple[bytes, Fields]  # key and fields


class PageLine(NamedTuple):
    """A line of a page.

    If a page has several lines, the further ones have only its URL and its date.
    """

    rid: str
    url: str
    date: str
    ip: str
    type: str
    size: int
    file_hash: str  # '' if the page was truncated
    chunks: int  # their number in this line, with repetitions
    packed: bytes  # columns of digests and lengths, and of copies in a long page
    record_id: str = ''  # of the archive's record, as are the next two
    payload_digest: str = ''
    truncated: str = ''
    refers_to: str = ''  # of a revisit: a `Reference`
    kind: str = ''  # `page` for a file that is a page, or REVISIT or RESOLVED

    def to_line(self) -> Line:
        """Return key and value, without empty fields at the end."""
        rid, url, date, ip, type_, size, file_hash, chunks, packed, *others = self
        # For each page: this takes half the time of a join of all fields.
        facts = f'{rid}\t{url}\t{date}\t{ip}\t{type_}\t{size}\t{file_hash}\t{chunks}'
        after = '\t'.join(others)
        # Nearly no field has separators, so all are tested at once.
        text = facts + after
        if text.count('\t') != len(self) - 3 or '\n' in text or '\r' in text:
            return self._escape_separators().to_line()
        key, before = to_bytes(facts).split(b'\t', 1)
        return key, b'\t'.join((before, packed, to_bytes(after))).rstrip(b'\t')

    def _escape_separators(self) -> 'PageLine':
        fields = (
            f.translate(ESCAPED_SEPARATORS) if type(f) is str else f for f in self
        )
        return PageLine(*fields)


class FinishedLine(NamedTuple):
    """The line of a page as the kernel has written it."""

    key: bytes
    value: bytes
    chunks: int

    @property
    def packed(self) -> bytes:
        return split_fields(self.key, self.value)[PACKED]

    def to_line(self) -> Line:
        return self.key, self.value


def parse_page_line(key: bytes, value: bytes) -> PageLine:
    """Parse a page line from its key and value.

    >>> line = PageLine('a:0', 'http://a/', '', '', 'text/html', 9, 'ff', 1, b'20,4:')
    >>> parse_page_line(*line.to_line()) == line
    True
    """
    fields = value.split(b'\t')
    texts = map(to_text, (key, *fields[:PACKED]))
    rid, url, date, ip, media_type, size, file_hash, chunks = texts
    facts = rid, url, date, ip, media_type, int(size), file_hash, int(chunks)
    return PageLine(*facts, fields[PACKED], *map(to_text, fields[PACKED + 1 :]))


def is_page_line(key: bytes) -> bool:
    """Test by its key whether a line is a page line: the key is a rid.

    >>> is_page_line(b'a.warc.gz:0#1'), is_page_line(b'chunk/00'), is_page_line(b'@')
    (True, False, False)
    """
    return b':' in key


def pack_short_page(digests: bytes, lengths: bytes, width: int) -> bytes:
    """Pack the columns of a short page, without the overhead of numpy.

    Each length has 32 bits.

    >>> packed = pack_short_page(b'aabb', b'\\3\\0\\0\\0\\4\\0\\0\\0', 2)
    >>> packing.unpack(packed).columns[0].tolist()
    [3, 4]
    """
    return short_page_head(width) + base64.b64encode(digests + lengths)


def short_page_head(width: int) -> bytes:
    """Return the head of the columns of a short page: the widths of their numbers."""
    return b'%d,4:' % width


def file_digests(
    lines: Sequence[SplitLine], width: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the file digests of page lines, and the index of the line of each.

    A truncated page has no file digest.

    >>> truncated, page = [[b''] * 8 for _ in range(2)]
    >>> page[FILE_HASH] = b'6162'
    >>> keys, owners = file_digests([(b'a:0', truncated), (b'a:9', page)], 2)
    >>> keys.tobytes(), owners.tolist()
    (b'ab', [1])
    """
    hashes = [fields[FILE_HASH] for _, fields in lines]
    owners = [number for number, file_hash in enumerate(hashes) if file_hash]
    digests = bytes.fromhex(b''.join(hashes).decode())
    keys = np.frombuffer(digests, np.uint8).reshape(-1, width)
    return keys, np.array(owners, np.uint64)


def split_fields(key: bytes, value: bytes) -> Fields:
    """Split the value of a page line; raise ValueError if fields are missing.

    The fields behind the columns are empty if the line lacks them.

    >>> split_fields(b'a:0', b'http://a/\\t2020-01-0')
    Traceback (most recent call last):
    ValueError: the page line of a:0 is damaged
    >>> split_fields(b'a:0', b'\\t' * PACKED)[KIND]
    b''
    """
    fields = value.split(b'\t')
    if len(fields) <= PACKED:
        raise damaged_line(key)
    fields += NO_FIELDS[len(fields) :]
    return fields


def is_unresolved(value: bytes) -> bool:
    """Test by the value of a line whether it is that of a revisit as it was read.

    >>> fields = [b''] * KIND
    >>> is_unresolved(b'\\t'.join([*fields, REVISIT])), is_unresolved(b'a\\trevisit')
    (True, False)
    """
    return has_kind(value, REVISIT)


def has_kind(value: bytes, kind: bytes) -> bool:
    """Test whether a line has a kind, without splitting it into fields."""
    return value.endswith(kind) and value.split(b'\t')[KIND:] == [kind]


def is_page(fields: Fields) -> bool:
    """Test by the fields of the first line of an item whether it is a page."""
    return sniff.is_text(fields[TYPE].decode()) and fields[SIZE] != b'0'


def content_rid(key: bytes, fields: Fields) -> str:
    """Return the rid of the record with the content of a line: its own or a target.

    >>> revisit = [b''] * KIND + [RESOLVED]
    >>> revisit[REFERS_TO] = b'2020-01-02T00:00:00Z a.warc:7 http://a/'
    >>> content_rid(b'b.warc:9', revisit), content_rid(b'b.warc:9#1', [b''] * 13)
    ('a.warc:7', 'b.warc:9')
    """
    if fields[KIND] == RESOLVED:
        return parse_reference(to_text(fields[REFERS_TO])).id
    return to_text(rids.rid_of(key))


def damaged_line(key: bytes) -> ValueError:
    """Make the error for a damaged page line, from its key."""
    return ValueError(f'the page line of {to_text(key)} is damaged')


def select_owners(
    lines: Sequence[SplitLine], owners: np.ndarray
) -> tuple[list[SplitLine], np.ndarray]:
    """Select the lines that own a row; return them, and the owner of each row.

    >>> lines, owners = select_owners([(b'a', []), (b'b', []), (b'c', [])], [2, 0, 2])
    >>> [key for key, _ in lines], owners.tolist()
    ([b'a', b'c'], [1, 0, 1])
    """
    is_owner = np.zeros(len(lines), bool)
    is_owner[owners] = True
    selected = list(itertools.compress(lines, is_owner))
    return selected, (np.cumsum(is_owner) - 1)[owners]


class Batch:
    """Page lines to handle together, many at a time."""

    def __init__(self, width: int, max_rows: int = BATCH_ROWS):
        self._width, self._max_rows = width, max_rows
        native = kernel.load()
        # Collects the lines of short pages, which nearly all are, in C.
        self._short = native.Lines(width) if native else None
        self._clear()

    def _clear(self) -> None:
        self.lines: list[SplitLine] = []
        self._short_owners: list[int] = []
        # By head: the columns, and the index of each line.
        self._buffers: dict[bytes, tuple[Columns, list[int]]] = {}
        self._rows = self._bytes = 0

    def add(self, key: bytes, value: bytes) -> bool:
        """Add a line; return True if the batch is full."""
        fields = self._short.add(value) if self._short else None
        if fields:
            self._short_owners.append(len(self.lines))
            self._rows += int(fields[CHUNKS])
        else:
            fields = self._add_columns(split_fields(key, value))
        self.lines.append((key, fields))
        self._bytes += len(value)
        return (
            self._rows >= self._max_rows
            or len(self.lines) >= self._max_rows // ROWS_PER_LINE
            or self._bytes >= BATCH_BYTES
        )

    def _add_columns(self, fields: Fields) -> Fields:
        """Add the columns of a line; return its fields without them."""
        head, _, data = fields[PACKED].partition(b':')
        buffer = self._buffers.get(head)
        if buffer is None:
            buffer = self._buffers[head] = Columns(head), []
        columns, owners = buffer
        self._rows += columns.add(base64.b64decode(data, validate=True))
        owners.append(len(self.lines))
        fields[PACKED] = head  # drop the data, which is in the columns now
        return fields

    def take(self) -> tuple[Rows, np.ndarray, list[SplitLine]]:
        """Empty the batch; return rows, the index of the line of each row, the lines.

        A row is (digest; length, copies). The numbers of chunks in the lines have to
        agree with the rows.
        """
        # Empty arrays, since an empty list cannot be concatenated.
        pieces = [packing.make_rows(b'', self._width, [], [])]
        owners = [np.zeros(0, np.uint64)]
        if self._short:
            digests, *numbers = self._short.take()
            lengths, counts = (np.frombuffer(column, '<u4') for column in numbers)
            ones = np.ones(len(lengths), np.uint64)
            pieces.append(packing.make_rows(digests, self._width, lengths, ones))
            indexes = np.array(self._short_owners, np.uint64)
            owners.append(np.repeat(indexes, counts))
        for columns, indexes in self._buffers.values():
            rows = columns.rows()
            # Only the rows of long pages have a column of copies.
            length, *copies = rows.columns
            copies = copies[0] if copies else np.ones(len(length), np.uint64)
            pieces.append(Rows(rows.keys, (length, copies)))
            owners.append(np.repeat(np.array(indexes, np.uint64), columns.counts))
        rows, lines = packing.join(pieces), self.lines
        chunks = sum(int(fields[CHUNKS]) for _, fields in lines)
        if int(rows.columns[1].sum()) != chunks:
            raise ValueError(
                f'a page line is damaged, one of {len(lines)} after '
                f'{to_text(lines[0][0])}: it lacks chunks'
            )
        self._clear()
        return rows, np.concatenate(owners), lines
