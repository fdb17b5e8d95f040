"""Patch fractions: documents with the numbers of their grams and patch grams.

    doc/PART        TEXTS    in the shuffle: documents
    doc/PART        COLUMNS  in the shuffle: documents, patch grams, entries
    doc/PART        TEXTS    NUMBER rid url ip words grams patch, in order
    candidate/PART  COLUMNS  documents, patch grams, grams
    server/PART     COLUMNS  documents, names and addresses of their servers

The entries of a document are the other documents in its lists, with repetitions.
Candidates have a patch fraction of at least alpha.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mr_reuse.messages import to_bytes, to_text
from mr_reuse.pages.documents import document_parts, servers
from mr_reuse.pages.documents.document import Document
from mr_reuse.quilts.lists import Lists
from mr_reuse.shuffle import ordered_parts, ragged
from mr_reuse.shuffle.partitions import (
    pack_texts,
    part_of,
    partition_key,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line

UNIT, CANDIDATES, SERVERS = 'doc', 'candidate', 'server'
BATCH = 1_000_000  # documents of lists to add up together
MAX_TEXTS = 16 << 20  # bytes of texts in memory, with OVERHEAD for each
OVERHEAD = 100
DIGITS = 20  # of a number, so that texts sort like it


class Row(NamedTuple):
    """A document with its patch grams."""

    number: int
    rid: str
    url: str
    ip: str
    words: int
    grams: int
    patch: int

    @classmethod
    def parse(cls, text: bytes) -> 'Row':
        """Parse a text of the output."""
        number, rid, url, ip, *counts = to_text(text).split('\t')
        return cls(int(number), rid, url, ip, *map(int, counts))


class Counted(NamedTuple):
    """A document in a reducer."""

    text: bytes
    number: int
    words: int
    grams: int
    patch: int
    entries: int


def is_candidate(patch: int, grams: int, alpha: Fraction) -> bool:
    """Test whether a document has patch grams, and a fraction of at least alpha.

    >>> half = Fraction(1, 2)
    >>> is_candidate(2, 4, half), is_candidate(2, 5, half), is_candidate(0, 4, 0 * half)
    (True, False, False)
    """
    return patch > 0 and patch * alpha.denominator >= grams * alpha.numerator


def document_text(page: Document, number: int) -> bytes:
    """Make the text of a document for the shuffle."""
    fields = page.rid, page.url, page.ip, page.words, page.grams
    return to_bytes('\t'.join([f'{number:0{DIGITS}d}', *map(str, fields)]))


class PatchCollector:
    """A `Collector` of lists and of documents, by partition of the documents."""

    def __init__(self, parts: int, total: int):
        self._parts, self._total = parts, total
        self._columns: list[tuple[np.ndarray, ...]] = []
        self._count = 0
        self._texts: dict[int, list[bytes]] = {}
        self._size = 0

    def add_lists(self, lists: Lists) -> Iterator[Line]:
        """Add the lists of at most m documents."""
        owners = lists.owners()
        self._columns.append(
            (lists.documents, lists.counts[owners], lists.sizes[owners] - 1)
        )
        self._count += len(owners)
        if self._count >= BATCH:
            yield from self._drain_lists()

    def add_document(self, page: Document, number: int) -> Iterator[Line]:
        """Add a document."""
        text = document_text(page, number)
        part = document_parts.part_of_number(number, self._parts, self._total)
        self._texts.setdefault(part, []).append(text)
        self._size += len(text) + OVERHEAD
        if self._size > MAX_TEXTS:
            yield from self._drain_texts()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of all that is in memory."""
        yield from self._drain_lists()
        yield from self._drain_texts()

    def _drain_lists(self) -> Iterator[Line]:
        if not self._columns:
            return
        documents, *numbers = map(np.concatenate, zip(*self._columns, strict=True))
        self._columns, self._count = [], 0
        sums = add_up(documents, numbers)
        parts = document_parts.parts_of(sums[0], self._parts, self._total)
        for part, rows in document_parts.split_by_part(parts):
            for where in ragged.cut_by_size(np.full(len(rows), 20), ragged.MAX_BYTES):
                value = ragged.pack_columns([column[rows[where]] for column in sums])
                yield partition_key(UNIT, part), value

    def _drain_texts(self) -> Iterator[Line]:
        for part, texts in self._texts.items():
            for value in pack_texts(texts):
                yield partition_key(UNIT, part), value
        self._texts, self._size = {}, 0


def add_up(documents: np.ndarray, numbers: Iterable[np.ndarray]) -> list[np.ndarray]:
    """Add up numbers of the same documents; return these, ascending, and the sums.

    >>> sums = add_up(np.array([7, 3, 7], np.uint64), [np.array([1, 2, 3])])
    >>> [column.tolist() for column in sums]
    [[3, 7], [2, 4]]
    """
    order = np.argsort(documents)
    documents = documents[order].astype(np.uint64)
    starts = np.flatnonzero(np.diff(documents, prepend=~documents[:1]))
    sums = (np.add.reduceat(n[order].astype(np.uint64), starts) for n in numbers)
    return [documents[starts], *sums] if len(order) else [documents, *numbers]


class PatchFractions:
    """A reducer of the lines of `PatchCollector`, by partition of the documents."""

    def __init__(self, parts: int, total: int, alpha: Fraction, foreign: str):
        self._parts, self._total = parts, total
        self._alpha, self._foreign = alpha, foreign
        self.percents: Counter[int] = Counter()
        self.stats = Counter(documents=0, wordless=0, with_grams=0, candidates=0)
        self.stats.update(entries=0, patch=0)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the documents of a partition that have grams."""
        part = part_of(key)
        counted = self._count(part, values)
        self.stats['documents'] += len(counted)
        self.stats['wordless'] += sum(one.words == 0 for one in counted)
        counted = [one for one in counted if one.grams]
        lines = (b'%b\t%d' % (one.text, one.patch) for one in counted)
        yield from ordered_parts.pack_rows(UNIT, part, lines)
        yield from self._candidates(part, counted)
        if self._foreign != servers.NONE:
            yield from self._servers(part, [one.text for one in counted])

    def _count(self, part: int, values: Iterable[bytes]) -> list[Counted]:
        """Return the documents of a partition in order, with their patch grams."""
        first, end = (
            document_parts.first_of_part(n, self._parts, self._total)
            for n in (part, part + 1)
        )
        sums = np.zeros((2, end - first), np.uint64)
        texts: list[bytes] = []
        for value in values:
            if b':' in value:
                documents, *numbers = ragged.unpack_columns(value)
                sums[:, documents.astype(np.int64) - first] += np.stack(numbers)
            else:
                texts += unpack_texts(value)
        patch, entries = sums.tolist()
        counted = []
        for text in sorted(texts):
            number = int(text[:DIGITS])
            words, grams = map(int, text.split(b'\t')[-2:])
            at = number - first
            counted.append(Counted(text, number, words, grams, patch[at], entries[at]))
        return counted

    def _candidates(self, part: int, counted: list[Counted]) -> Iterator[Line]:
        """Yield the candidates among documents with grams, and count all."""
        chosen = [
            one for one in counted if is_candidate(one.patch, one.grams, self._alpha)
        ]
        self.percents.update(100 * one.patch // one.grams for one in counted)
        self.stats['with_grams'] += len(counted)
        self.stats['candidates'] += len(chosen)
        self.stats['entries'] += sum(one.entries for one in chosen)
        self.stats['patch'] += sum(one.patch for one in chosen)
        rows = [(one.number, one.patch, one.grams) for one in chosen]
        columns = np.array(rows, np.uint64).reshape(-1, 3).T
        yield from _lines(CANDIDATES, part, list(columns))

    def _servers(self, part: int, texts: list[bytes]) -> Iterator[Line]:
        rows = []
        for text in texts:
            number, _, url, ip, *_ = to_text(text).split('\t')
            rows.append((int(number), *servers.server_of(url, ip, self._foreign)))
        columns = np.array(rows, np.uint64).reshape(-1, 3).T
        yield from _lines(SERVERS, part, list(columns))


def _lines(unit: str, part: int, columns: list[np.ndarray]) -> Iterator[Line]:
    """Yield the lines of columns of equal length."""
    widths = np.full(len(columns[0]), 8 * len(columns))
    for where in ragged.cut_by_size(widths, ragged.MAX_BYTES):
        value = ragged.pack_columns([column[where] for column in columns])
        yield partition_key(unit, part), value
