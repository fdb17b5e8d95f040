"""Slices of archives: the records at the rows of an index, and no others.

A row is the offset and the length of a record in its archive. Rows that are close
together are read by one request.
"""

import itertools
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from mr_reuse import storage
from mr_reuse.archives import causes
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.framing import Block, Record
from mr_reuse.archives.heartbeat import heartbeat
from mr_reuse.archives.records import OffsetRecords, read_records
from mr_reuse.archives.rids import offsets_of
from mr_reuse.archives.window import Window
from mr_reuse.storage import Busy

MAX_GAP = 256 << 10  # bytes; reading more between two rows costs more than a request
# Causes of damage at the end of a row, by which its length is wrong.
AT_THE_END = {causes.CUT, causes.BETWEEN, causes.JUNK, causes.SHORT}
# Causes where there is no record.
NO_RECORDS = {causes.NOTHING, causes.NO_ARCHIVE, causes.EMPTY}
# Errors that all rows of an archive would have.
FINAL = (FileNotFoundError, PermissionError, Busy)


class Row(NamedTuple):
    """The place of a record in an archive."""

    offset: int
    length: int

    @property
    def end(self) -> int:
        return self.offset + self.length


def format_rows(rows: Iterable[tuple[int, int]]) -> str:
    """Format offsets with lengths, in ascending order and without repetitions.

    >>> format_rows([(90, 5), (7, 12), (90, 5)])
    '7+12 90+5'
    """
    return ' '.join(f'{offset}+{length}' for offset, length in sorted(set(rows)))


def parse_rows(text: str) -> list[Row]:
    """Parse the result of `format_rows`.

    >>> parse_rows('7+12')
    [Row(offset=7, length=12)]
    """
    return [Row(*map(int, row.split('+'))) for row in text.split()]


def join_rows(first: str, second: str) -> str:
    """Join two texts of rows.

    >>> join_rows('7+12 90+5', '0+3 90+5')
    '0+3 7+12 90+5'
    """
    return format_rows([*parse_rows(first), *parse_rows(second)])


def size_of(text: str) -> int:
    """Return the sum of the lengths of formatted rows."""
    return sum(row.length for row in parse_rows(text))


def cut(text: str, start: int, size: int) -> str:
    """Return the rows at a position in the bytes of all rows, about `size` bytes.

    >>> cut('0+10 50+10 90+10 100+10', 12, 15)
    '50+10 90+10'
    """
    rows = parse_rows(text)
    ends = list(itertools.accumulate(row.length for row in rows))
    chosen = zip(rows, ends, strict=True)
    return format_rows(
        row for row, end in chosen if start < end < start + size + row.length
    )


def merge_rows(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Group ascending rows: those that are close together share a request.

    >>> far = MAX_GAP + 100
    >>> [len(group) for group in merge_rows([Row(0, 50), Row(90, 9), Row(far, 9)])]
    [2, 1]
    """
    group: list[Row] = []
    end = 0
    for row in rows:
        if group and row.offset > end + MAX_GAP:
            yield group
            group, end = [], 0
        group.append(row)
        end = max(end, row.end)
    if group:
        yield group


def read_rows(path: str, text: str, stats: ArchiveStats) -> OffsetRecords:
    """Yield the records of formatted rows, with their offsets.

    Rows without a record, or with a wrong length, are counted as damage. If the archive
    cannot be read, so are all of its rows.
    """
    rows = parse_rows(text)
    done = 0
    for group in merge_rows(rows):
        shared: BinaryIO | None = None
        for row in group:
            try:
                if shared is None:
                    end = max(row.end for row in group)
                    shared = storage.open_read(path, row.offset, end - row.offset)
                yield from _read_row(path, row, shared, stats)
            except (OSError, Busy) as error:
                is_final = isinstance(error, FINAL)
                stats.lose(causes.refusal(error), len(rows) - done if is_final else 1)
                if is_final:
                    return
                shared = None
            done += 1
        if shared:
            shared.close()


def _read_row(
    path: str, row: Row, shared: BinaryIO, stats: ArchiveStats
) -> OffsetRecords:
    """Yield the record of a row, or all records of its gzip member."""
    heartbeat.report(path, row.offset)
    opened: list[Limited] = []

    def reopen(offset: int) -> Limited:
        stream, size = shared, max(0, row.end - offset)
        if opened:  # recovery reads bytes again, which the shared stream has passed
            stream = storage.open_read(path, offset, size)
        else:
            stream.seek(offset)
        opened.append(Limited(stream, size))
        return opened[-1]

    found = ArchiveStats(stats.archive)
    is_found = is_cut = has_more = False
    for offset, record in read_records(Window(reopen, row.offset), found):
        if offsets_of(offset)[0] != row.offset:
            has_more = True
            break
        yield offset, record
        is_found, is_cut = True, is_cut or _is_cut(record)
    if errors := [stream.error for stream in opened if stream.error]:
        raise errors[0]
    # The record may end before the row does, or so may the file.
    is_short = has_more or all(stream.left for stream in opened)
    is_wrong = is_short or bool(found.damage.keys() & AT_THE_END)
    for cause, lost in found.damage.items():
        if cause not in AT_THE_END and cause not in NO_RECORDS:
            stats.lose(cause, *lost)
    if is_found and is_wrong:
        stats.lose(causes.ROW_LENGTH, int(is_cut))
    elif not is_found and (is_wrong or found.damage.keys() <= NO_RECORDS):
        stats.lose(causes.NO_ROW, 1, row.length)


def _is_cut(record: Record) -> bool:
    """Test whether a record that was read is cut; of a large one, its block tells."""
    return record.cut or (isinstance(record.block, Block) and record.block.cut)


class Limited:
    """A part of a stream, which ends at the first error.

    `left` is the number of bytes that are unread. A job reads large bodies, so errors
    are kept for the reader of the row.
    """

    def __init__(self, stream: BinaryIO, size: int):
        self._stream, self.left = stream, size
        self.error: OSError | Busy | None = None

    def read(self, size: int) -> bytes:
        try:
            data = b'' if self.error else self._stream.read(min(size, self.left))
        except (OSError, Busy) as error:
            self.error, data = error, b''
        self.left -= len(data)
        return data
