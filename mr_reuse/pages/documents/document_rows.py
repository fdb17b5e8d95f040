"""Rows of numbers, one for each document, in lines `UNIT/0000  SEGMENTS;BASE64`.

Segments say which documents these are. The rows, all of the same width, are laid end to
end.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pybase64 as base64

from mr_reuse.pages.documents import numbering, segments
from mr_reuse.pages.documents.numbering import Numbers
from mr_reuse.pages.documents.segments import Segment
from mr_reuse.shuffle.partitions import partition_key
from mr_reuse.shuffle.protocol import Line

MAX_BYTES = 550_000  # of the rows of a line; in base64 they make 730,000


def pack_rows(rows: bytes, covered: Iterable[Segment]) -> bytes:
    """Pack the rows of the documents of segments."""
    return b'%b;%b' % (segments.format_segments(covered), base64.b64encode(rows))


def unpack_rows(value: bytes, width: int) -> tuple[np.ndarray, list[Segment]]:
    """Unpack a value of `pack_rows` to a row of bytes for each document.

    >>> value = pack_rows(bytes(8), [Segment('7', 2)])
    >>> rows, covered = unpack_rows(value, 4)
    >>> rows.shape, covered
    ((2, 4), [Segment(first='7', count=2)])
    """
    head, _, text = value.rstrip(b'\t').partition(b';')
    data = base64.b64decode(text, validate=True)
    covered = segments.parse_segments(head)
    if len(data) != width * sum(segment.count for segment in covered):
        raise ValueError('a line is damaged: documents and rows differ in number')
    return np.frombuffer(data, np.uint8).reshape(-1, width), covered


class ReadyLine(NamedTuple):
    """A line that is complete."""

    line: Line

    def to_line(self) -> Line:
        return self.line


class RowReader:
    """Reads lines of rows, without those of the documents left out."""

    def __init__(self, width: int, numbers: Numbers, left_out: np.ndarray):
        self._width, self._numbers, self._left_out = width, numbers, left_out

    def read(self, value: bytes) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of the documents of a line, and their rows."""
        rows, covered = unpack_rows(value, self._width)
        numbered = [segments.number_segment(s, self._numbers) for s in covered]
        numbers = segments.numbers_of(numbered)
        kept = ~numbering.are_among(numbers, self._left_out)
        return (numbers, rows) if kept.all() else (numbers[kept], rows[kept])


class RowWriter:
    """A `Collector` of the rows of documents, each known by batch and ordinal."""

    def __init__(self, unit: str):
        self._key = partition_key(unit, 0)
        self._places: list[tuple[str, int]] = []
        self._rows: list[bytes] = []
        self._size = 0

    def add(self, place: tuple[str, int], row: bytes) -> Iterator[Line]:
        """Add the row of a document, given its place in a batch."""
        self._places.append(place)
        self._rows.append(row)
        self._size += len(row)
        return self.finish() if self._size >= MAX_BYTES else iter(())

    def finish(self) -> Iterator[Line]:
        """Yield the line of all rows in memory."""
        if self._places:
            covered = segments.join_segments(self._places)
            yield self._key, pack_rows(b''.join(self._rows), covered)
        self._places, self._rows, self._size = [], [], 0
