"""Join pairs of documents with the rids of their documents.

    doc/PART    TEXTS     documents of a partition: NUMBER words rid
    doc/PART    COLUMNS   references: documents, the partitions of pairs that need them
    pair/PART   COLUMNS   pairs of documents, the later one of each first
    pair/PART   TEXTS     the documents that they need

A pair is in the partition of its later document, so the record of that document is read
once. That of the earlier one is read once in each partition that has pairs of it.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from mr_reuse.components.edges import Edges, join, sort_distinct
from mr_reuse.messages import to_bytes
from mr_reuse.pages.documents import document_parts
from mr_reuse.pages.documents.document import Document
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import (
    pack_texts,
    partition_key,
    unit_of,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line

DOCUMENTS, PAIRS = 'doc', 'pair'
MAX_TEXTS = 16 << 20  # bytes of texts in memory, with OVERHEAD for each
OVERHEAD = 100
MAX_PAIRS = 500_000  # in memory


def format_name(number: int, page: Document) -> bytes:
    """Make the text of a document.

    >>> page = Document('a:0', 'http://a/', '2020', '', False, 7, 3, 'ff', 2)
    >>> format_name(12, page)
    b'12\\t7\\ta:0'
    """
    return b'%d\t%d\t%b' % (number, page.words, to_bytes(page.rid))


def number_of(text: bytes) -> int:
    """Return the number of the document of a text."""
    return int(text.partition(b'\t')[0])


class PairDivider:
    """A `Collector` of documents and of pairs, by partition."""

    def __init__(self, parts: int, total: int):
        self._parts, self._total = parts, total
        self._texts: dict[int, list[bytes]] = {}
        self._size = 0
        self._pairs: list[Edges] = []
        self._count = 0

    def add_document(self, page: Document, number: int) -> Iterator[Line]:
        """Add a document."""
        text = format_name(number, page)
        part = document_parts.part_of_number(number, self._parts, self._total)
        self._texts.setdefault(part, []).append(text)
        self._size += len(text) + OVERHEAD
        if self._size > MAX_TEXTS:
            yield from self._finish_documents()

    def add_pairs(self, pairs: Edges) -> Iterator[Line]:
        """Add pairs."""
        self._pairs.append(pairs)
        self._count += len(pairs.numbers)
        if self._count >= MAX_PAIRS:
            yield from self._finish_pairs()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of what is in memory."""
        yield from self._finish_documents()
        yield from self._finish_pairs()

    def _finish_documents(self) -> Iterator[Line]:
        for part, texts in self._texts.items():
            for value in pack_texts(texts):
                yield partition_key(DOCUMENTS, part), value
        self._texts, self._size = {}, 0

    def _finish_pairs(self) -> Iterator[Line]:
        """Yield pairs, and references to their documents."""
        pairs = sort_distinct(join(self._pairs))
        self._pairs, self._count = [], 0
        parts = self._parts_of(pairs.numbers)
        for part, rows in document_parts.split_by_part(parts):
            for where in ragged.cut_by_size(np.full(len(rows), 16), ragged.MAX_BYTES):
                value = ragged.pack_columns(pairs.take(rows[where]))
                yield partition_key(PAIRS, part), value
        documents = np.concatenate(pairs)
        wanted = Edges(documents, np.concatenate([parts, parts]))
        wanted = _distinct_rows(wanted)
        parts = self._parts_of(wanted.numbers)
        for part, rows in document_parts.split_by_part(parts):
            for where in ragged.cut_by_size(np.full(len(rows), 16), ragged.MAX_BYTES):
                value = ragged.pack_columns(wanted.take(rows[where]))
                yield partition_key(DOCUMENTS, part), value

    def _parts_of(self, numbers: np.ndarray) -> np.ndarray:
        return document_parts.parts_of(numbers, self._parts, self._total)


def _distinct_rows(rows: Edges) -> Edges:
    """Return distinct rows, sorted by both columns.

    >>> rows = Edges(np.array([5, 3, 5]), np.array([1, 9, 1]))
    >>> [column.tolist() for column in _distinct_rows(rows)]
    [[3, 5], [9, 1]]
    """
    return Edges(*np.unique(np.stack(rows, axis=1), axis=0).T)


def name_documents(key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
    """Yield pairs as they are, and documents to the partitions that need them."""
    if unit_of(key) == PAIRS:
        for value in values:
            yield key, value
        return
    names: dict[int, bytes] = {}
    references = []
    for value in values:
        if b':' in value:
            references.append(Edges(*ragged.unpack_columns(value)))
        else:
            names.update((number_of(text), text) for text in unpack_texts(value))
    wanted = _distinct_rows(join(references)).reverse()
    for part, rows in document_parts.split_by_part(wanted.numbers):
        numbers = wanted.neighbors[rows].tolist()
        for value in pack_texts(names[number] for number in numbers):
            yield partition_key(PAIRS, part), value
