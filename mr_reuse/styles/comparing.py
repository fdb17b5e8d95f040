"""The similarity of all documents to one page.

text/PART   TEXTS    in the shuffle: number, rid and URL of a document
text/PART   COLUMNS  in the shuffle: numbers, and how many dimensions agree or are
                     empty in both
near/PART   TEXTS    keyed rows of the table
"""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from mr_reuse.algorithms.agreement import Agreement, count_agreeing
from mr_reuse.messages import to_bytes
from mr_reuse.pages.documents import document_parts
from mr_reuse.pages.documents.document import Document
from mr_reuse.shuffle import ordered_parts, ragged, sorting
from mr_reuse.shuffle.partitions import (
    pack_texts,
    part_of,
    partition_key,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line
from mr_reuse.styles.describing import (
    DIGITS,
    MAX_TEXTS,
    OVERHEAD,
    UNIT,
    format_similarities,
)
from mr_reuse.styles.fingerprints import Fingerprints

NEAR = 'near'  # unit
UNKNOWN = 255  # of a document without a fingerprint; m is at most 128


class OneCollector:
    """A `Collector` of documents, and of their agreement with one fingerprint."""

    def __init__(self, one: np.ndarray, parts: int, total: int):
        self._one, self._parts, self._total = one, parts, total
        self._texts: dict[int, list[bytes]] = {}
        self._size = 0

    def add(self, page: Document, number: int) -> Iterator[Line]:
        """Add a document."""
        text = b'%0*d\t' % (DIGITS, number) + to_bytes(f'{page.rid}\t{page.url}')
        part = document_parts.part_of_number(number, self._parts, self._total)
        self._texts.setdefault(part, []).append(text)
        self._size += len(text) + OVERHEAD
        if self._size > MAX_TEXTS:
            yield from self.finish()

    def compare(self, found: Fingerprints) -> Iterator[Line]:
        """Compare the fingerprints of some documents."""
        agreement = count_agreeing(self._one, found.keys)
        parts = document_parts.parts_of(found.numbers, self._parts, self._total)
        for part, rows in document_parts.split_by_part(parts):
            columns = [column[rows] for column in (found.numbers, *agreement)]
            yield partition_key(UNIT, part), ragged.pack_columns(columns)

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the documents in memory."""
        for part, texts in self._texts.items():
            for value in pack_texts(texts):
                yield partition_key(UNIT, part), value
        self._texts, self._size = {}, 0


class OneComparer:
    """A reducer of the lines of `OneCollector`: writes the rows of the table."""

    def __init__(self, shape: tuple[int, bool], parts: int, total: int):
        self._m, self._normalizes = shape
        self._parts, self._total = parts, total
        self.stats: Counter[str] = Counter()  # documents by similarity

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the rows of a partition."""
        part = part_of(key)
        first, end = (
            document_parts.first_of_part(n, self._parts, self._total)
            for n in (part, part + 1)
        )
        found = np.full((2, end - first), UNKNOWN, np.uint8)
        texts = list_texts(values, found, first)
        rows = self._rows(texts, Agreement(*found), first)
        yield from ordered_parts.pack_rows(NEAR, part, rows)

    def _rows(
        self, texts: Iterable[bytes], found: Agreement, first: int
    ) -> Iterator[bytes]:
        """Yield the keyed rows of documents with a fingerprint."""
        near = format_similarities(found, self._m, self._normalizes)
        for text in texts:
            number, _, name = text.partition(b'\t')
            at = int(number) - first
            if found.agreeing[at] != UNKNOWN:
                self.stats[near[at]] += 1
                yield near_row(near[at], number, name)


def list_texts(
    values: Iterable[bytes], found: np.ndarray, first: int
) -> Iterable[bytes]:
    """Return the texts of a partition, after `found` has the counts of all columns."""
    texts = []
    for value in values:
        if b':' in value:
            numbers, *counts = ragged.unpack_columns(value)
            found[:, numbers.astype(np.int64) - first] = counts
        else:
            texts += unpack_texts(value)
    return texts


def near_row(similarity: str, number: bytes, name: bytes) -> bytes:
    """Make the keyed row of a document.

    >>> near_row('0.500000000', b'%020d' % 7, b'a:0\\thttp://a/').split(b'\\0')[1]
    b'0.500000000\\ta:0\\thttp://a/'
    """
    billionths = int(similarity.replace('.', ''))
    key = sorting.descending(billionths) + number
    return sorting.add_key(key, b'%b\t%b' % (similarity.encode(), name))
