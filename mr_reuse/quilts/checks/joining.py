"""Divide what the check of quilts needs among partitions of the documents.

    doc/PART    TEXTS    documents that a cover needs, as in the output of SumPatches
    doc/PART    TEXTS    COVER and the covers of documents of the partition
    doc/PART    COLUMNS  references: documents, the partitions of the quilts with them
    doc/PART    COLUMNS  lists with a quilt in them: of documents that a cover needs

The lists are those of at most m documents with their grams (`lists.py`). A partition
has each list that has a document of it.
"""

from collections.abc import Iterator

import numpy as np

from mr_reuse.pages.documents import document_parts
from mr_reuse.quilts import finding, shares
from mr_reuse.quilts.finding import Needed
from mr_reuse.quilts.lists import Lists
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import pack_texts, partition_key, unpack_texts
from mr_reuse.shuffle.protocol import Line

UNIT = 'page'
COVER = b'cover\t'  # begins the text of a cover; that of a document begins with a digit
NEEDED, QUILT = 1, 2  # bits of the kind of a document


class Parts:
    """The partitions of `total` documents."""

    def __init__(self, count: int, total: int):
        self._count, self._total = count, total

    def of(self, numbers: np.ndarray) -> np.ndarray:
        """Return the partitions of documents."""
        return document_parts.parts_of(numbers, self._count, self._total)

    def bounds(self, part: int) -> tuple[int, int]:
        """Return the first document of a partition, and that behind its last one."""
        first, end = (
            document_parts.first_of_part(n, self._count, self._total)
            for n in (part, part + 1)
        )
        return first, end


class CheckDivider:
    """A mapper of documents, covers and lists. `kinds` has the kind of each document.

    `m` is the most documents of a patch gram.
    """

    def __init__(self, parts: Parts, kinds: np.ndarray, m: int):
        self._parts, self._kinds, self._m = parts, kinds, m

    def add_documents(self, value: bytes) -> Iterator[Line]:
        """Yield the documents of a line that some cover needs."""
        texts = unpack_texts(value)
        numbers = np.array([int(text[: shares.DIGITS]) for text in texts], np.int64)
        kept = np.flatnonzero(self._kinds[numbers])
        parts = self._parts.of(numbers[kept])
        for part, rows in document_parts.split_by_part(parts):
            for packed in pack_texts(texts[row] for row in kept[rows].tolist()):
                yield partition_key(UNIT, part), packed

    def add_covers(self, value: bytes) -> Iterator[Line]:
        """Yield the covers of a line."""
        texts = unpack_texts(value)
        numbers = np.array([int(text[: shares.DIGITS]) for text in texts], np.uint64)
        for part, rows in document_parts.split_by_part(self._parts.of(numbers)):
            for packed in pack_texts(COVER + texts[row] for row in rows.tolist()):
                yield partition_key(UNIT, part), packed

    def add_references(self, needed: Needed) -> Iterator[Line]:
        """Yield references to the documents of covers."""
        owners = np.repeat(self._parts.of(needed.owners), needed.sizes.astype(np.int64))
        pairs = np.stack([needed.documents.astype(np.uint64), owners])
        documents, owners = np.unique(pairs, axis=1)
        for part, rows in document_parts.split_by_part(self._parts.of(documents)):
            packed = ragged.pack_columns([documents[rows], owners[rows]])
            yield partition_key(UNIT, part), packed

    def add_lists(self, lists: Lists) -> Iterator[Line]:
        """Yield the lists that have a quilt, without documents that no cover needs."""
        if not len(lists.sizes):
            return
        kinds = self._kinds[lists.documents]
        starts = ragged.starts_of(lists.sizes)
        has_quilt = np.bitwise_or.reduceat(kinds, starts) & QUILT > 0
        has_quilt &= lists.sizes <= self._m
        owners = lists.owners()
        kept = np.flatnonzero((kinds > 0) & has_quilt[owners])
        owners, documents = owners[kept], lists.documents[kept]
        if not len(kept):
            return
        first = np.flatnonzero(np.diff(owners, prepend=-1))
        chosen, sizes = owners[first], np.diff(first, append=len(owners))
        of_quilts = lists.take(chosen)._replace(sizes=sizes, documents=documents)
        # Documents ascend, so those of one list and one partition are neighbors.
        rows = np.repeat(np.arange(len(first)), sizes)
        parts = self._parts.of(documents).astype(np.int64)
        is_new = (np.diff(rows, prepend=-1) != 0) | (np.diff(parts, prepend=-1) != 0)
        for part, at in document_parts.split_by_part(parts[is_new]):
            yield from _pack_lists(of_quilts, rows[is_new][at], part)


def _pack_lists(lists: Lists, rows: np.ndarray, part: int) -> Iterator[Line]:
    sizes = 2 + 4 * lists.sizes[rows].astype(np.int64)
    sizes += 10 * lists.counts[rows].astype(np.int64)
    for where in ragged.cut_by_size(sizes, ragged.MAX_BYTES):
        value = ragged.pack_columns(lists.take(rows[where]))
        yield partition_key(UNIT, part), value


def is_cover_line(key: bytes) -> bool:
    """Test by its key whether a line is of covers."""
    return key.startswith(finding.UNIT.encode() + b'/')


def is_needed_line(key: bytes) -> bool:
    """Test by its key whether a line is of the documents of covers."""
    return key.startswith(finding.NEEDED.encode() + b'/')


def is_document_row(key: bytes) -> bool:
    """Test by its key whether a line is of rows of documents."""
    return key.startswith(shares.UNIT.encode() + b'/')
