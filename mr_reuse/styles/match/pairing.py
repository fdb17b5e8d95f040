"""The names of documents that are alike a known one, and of these.

pair/0000  TEXTS  keyed rows of the table
"""

import shutil
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np

from mr_reuse import storage
from mr_reuse.messages import to_bytes
from mr_reuse.pages.documents.document import Document
from mr_reuse.shuffle import ragged, sorting
from mr_reuse.shuffle.partitions import pack_texts, partition_key, unit_of
from mr_reuse.shuffle.protocol import Line, read_parts
from mr_reuse.shuffle.sorting import DIGITS
from mr_reuse.storage import mapped
from mr_reuse.styles.describing import MAX_TEXTS, OVERHEAD
from mr_reuse.styles.match import finding
from mr_reuse.styles.style_file import StyleFile
from mr_reuse.tables.decimals import format_decimal

UNIT = 'pair'
# The nearest known document of a document; zeros if it is alike none. The place of a
# row in the file is the number of the document.
MATCH = np.dtype([('row', '<u4'), ('agreeing', 'u1'), ('empty', 'u1'), ('no', '<u2')])


def write_matches(name: str, parts: Iterable[str], total: int) -> None:
    """Write the file for tasks, from the lines of `finding`, for `total` documents."""
    with storage.open_scratch() as scratch:
        scratch.truncate(total * MATCH.itemsize)
        matches = mapped.map_writable(scratch).view(MATCH)
        for key, value in read_parts(parts):
            if unit_of(key) == finding.UNIT:
                numbers, *columns = ragged.unpack_columns(value)
                numbers = numbers.astype(np.int64)
                for field, column in zip(MATCH.names, columns, strict=False):
                    matches[field][numbers] = column
        with storage.write(name) as stream:
            shutil.copyfileobj(scratch, stream, 1 << 20)


def map_matches(name: str | None) -> np.ndarray:
    """Map the file into memory; empty without a name."""
    if not name:
        return np.zeros(0, MATCH)
    return np.frombuffer(mapped.map_bytes(name), MATCH)


class PairCollector:
    """A `Collector` of documents: the rows of those that are alike a known one."""

    def __init__(self, known: StyleFile, matches: np.ndarray):
        self._known, self._matches = known, matches
        self._name = lru_cache(maxsize=1000)(known.name)
        self._similarity = lru_cache(maxsize=None)(self._format)  # at most 128^2 / 2
        self._texts: list[bytes] = []
        self._size = 0

    def add(self, page: Document, number: int) -> Iterator[Line]:
        """Add a document."""
        if number >= len(self._matches) or not self._matches['agreeing'][number]:
            return
        row, *counts, _ = self._matches[number].tolist()
        style = int(self._known.styles_of(slice(row, row + 1))[0])
        names = page.rid, page.url, str(style), self._similarity(*counts)
        text = match_row(number, *names, *self._name(row))
        self._texts.append(text)
        self._size += len(text) + OVERHEAD
        if self._size > MAX_TEXTS:
            yield from self.finish()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the rows in memory."""
        for value in pack_texts(self._texts) if self._texts else ():
            yield partition_key(UNIT, 0), value
        self._texts, self._size = [], 0

    def _format(self, agreeing: int, both_empty: int) -> str:
        header = self._known.header
        counted = header.m - (both_empty if header.normalize_empty else 0)
        return format_decimal(Fraction(agreeing, counted))


def match_row(
    number: int, rid: str, url: str, style: str, similarity: str, *known: str
) -> bytes:
    """Make the keyed row of a document.

    >>> match_row(7, 'a:0', 'http://a/', '3', '0.500000000', 'b:0', '').split(b'\\0')[1]
    b'a:0\\thttp://a/\\t3\\t0.500000000\\tb:0\\t'
    """
    billionths = int(similarity.replace('.', ''))
    key = sorting.descending(billionths) + b'%0*d' % (DIGITS, number)
    cells = rid, url, style, similarity, *known
    return sorting.add_key(key, to_bytes('\t'.join(cells)))
