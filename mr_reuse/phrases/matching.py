"""Match pages to cover with all documents: which popular shingles they have in common.

    match/PART   COLUMNS   pages, documents, common popular shingles, counts, flags

Of several documents with the same popular shingles of a page, both at home or both not,
a cover can take none but the best. The others are dropped.
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse import kernel
from mr_reuse.pages.documents import document_parts, servers
from mr_reuse.phrases.covered import Covered
from mr_reuse.phrases.vectors import POSITIONS, Vectors
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import partition_key
from mr_reuse.shuffle.protocol import Line
from mr_reuse.shuffle.ragged import MAX_BYTES

UNIT = 'match'
HOME, FOREIGN = np.uint64(1), np.uint64(2)  # flags
LOW = 64  # positions in the first of two numbers
MAX_VECTORS = 20_000  # to compare with the pages together
MAX_PAGES = 60_000  # of a batch, so that codes have 16 bits
MAX_TOGETHER = 20  # of which the matches make lines together
CODES = 88  # of a row: as many as the kernel compares at a time


class Matches(NamedTuple):
    """Documents that have popular shingles of pages."""

    pages: np.ndarray
    documents: np.ndarray
    low: np.ndarray  # the common popular shingles: a bit for each position
    high: np.ndarray
    common: np.ndarray  # number of all common shingles
    flags: np.ndarray

    def take(self, rows: np.ndarray | slice) -> 'Matches':
        """Return some of the matches."""
        return Matches(*(column[rows] for column in self))


def pack_bits(positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pack rows of 84 truth values into two numbers each.

    >>> rows = np.zeros((1, POSITIONS), bool); rows[0, [0, 3, 64]] = True
    >>> [column.tolist() for column in pack_bits(rows)]
    [[9], [1]]
    """
    bits = np.zeros((len(positions), 2 * LOW), bool)
    bits[:, :POSITIONS] = positions > 0
    packed = np.packbits(bits, axis=1, bitorder='little').view('<u8')
    return packed[:, 0], packed[:, 1]


def count_bits(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Count the bits of pairs of numbers.

    >>> count_bits(np.array([9], np.uint64), np.array([1], np.uint64)).tolist()
    [3]
    """
    return np.bitwise_count(low) + np.bitwise_count(high)


def keep_best(matches: Matches) -> Matches:
    """Keep the best documents of each page: one for each set of positions and flags.

    The best one has most shingles in common, then the smaller number.

    >>> columns = [[7, 7, 7], [5, 4, 3], [1, 1, 2], [0, 0, 0], [9, 9, 8], [1, 1, 1]]
    >>> keep_best(Matches(*np.array(columns, np.uint64))).documents.tolist()
    [4, 3]
    """
    same = [matches.flags & HOME, matches.high, matches.low, matches.pages]
    order = np.lexsort([matches.documents, ~matches.common, *same])
    is_first = np.zeros(len(order), bool)
    is_first[:1] = True
    for column in same:
        is_first[1:] |= column[order][1:] != column[order][:-1]
    return matches.take(order[is_first])


class SourceMatcher:
    """A `Collector` of vectors: the documents that have popular shingles of pages."""

    def __init__(self, sample: Covered, parts: int, total: int):
        self._parts, self._total = parts, total
        count = len(sample.vectors.numbers)
        starts = range(0, count, MAX_PAGES)
        self._batches = [
            PageBatch(sample.take(slice(n, n + MAX_PAGES))) for n in starts
        ]
        self._vectors: list[Vectors] = []
        self._count = 0

    def add(self, vectors: Vectors) -> Iterator[Line]:
        """Add the vectors of some documents."""
        self._vectors.append(vectors)
        self._count += len(vectors.numbers)
        if self._count >= MAX_VECTORS:
            yield from self.finish()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of all vectors in memory."""
        if not self._count:
            return
        vectors = Vectors(*map(np.concatenate, zip(*self._vectors, strict=True)))
        self._vectors, self._count = [], 0
        for batch in self._batches:
            found = batch.match_pages(vectors)
            while pages := list(itertools.islice(found, MAX_TOGETHER)):
                matches = Matches(*map(np.concatenate, zip(*pages, strict=True)))
                yield from self._lines(matches)

    def _lines(self, matches: Matches) -> Iterator[Line]:
        """Yield the lines of pages, which are ascending."""
        parts = document_parts.parts_of(matches.pages, self._parts, self._total)
        for rows in ragged.runs_of(parts):
            key = partition_key(UNIT, int(parts[rows.start]))
            found = matches.take(rows)
            for where in ragged.cut_by_size(np.full(len(found.pages), 24), MAX_BYTES):
                yield key, ragged.pack_columns(found.take(where))


class PageBatch:
    """Pages to cover. Shingles are compared by codes: small numbers for a position."""

    def __init__(self, sample: Covered):
        self._sample = sample
        self._popular = np.stack(pack_bits(sample.popular), axis=1)
        columns = sample.vectors.phrases.T
        self._known = [np.unique(column) for column in columns]
        self._codes = self._encode(sample.vectors.phrases)

    def _encode(self, phrases: np.ndarray) -> np.ndarray:
        """Replace phrases by their codes: 0 for those that no page of the batch has."""
        codes = np.zeros((len(phrases), CODES), np.uint16)
        for position, values in enumerate(self._known):
            column = phrases[:, position]
            at = np.searchsorted(values, column)
            at[at == len(values)] = 0
            codes[:, position] = np.where(values[at] == column, at + 1, 0)
        return codes

    def match_pages(self, vectors: Vectors) -> Iterator[Matches]:
        """Yield the best matches of each page among some documents."""
        codes = self._encode(vectors.phrases)
        loaded = kernel.load()
        if not loaded:
            for page in range(len(self._codes)):
                yield keep_best(self._match(page, vectors, codes))
            return
        columns = codes.tobytes(), vectors.servers.tobytes(), vectors.numbers.tobytes()
        own = self._sample.vectors
        fields = np.column_stack([self._popular, own.servers, own.numbers])
        for codes_of_page, of_page in zip(self._codes, fields, strict=True):
            found = loaded.match_page(
                *columns, codes_of_page.tobytes(), of_page.tobytes()
            )
            rows = np.frombuffer(found, np.uint64).reshape(-1, 5)
            yield Matches(np.full(len(rows), of_page[-1]), *rows.T)

    def _match(self, page: int, vectors: Vectors, codes: np.ndarray) -> Matches:
        """Return the documents that have popular shingles of a page."""
        own, popular = self._sample.vectors, self._popular[page]
        is_common = codes[:, :POSITIONS] == self._codes[page, :POSITIONS]
        low, high = pack_bits(is_common)
        low, high = low & popular[0], high & popular[1]
        number = own.numbers[page]
        rows = np.flatnonzero(((low | high) != 0) & (vectors.numbers != number))
        return Matches(
            np.full(len(rows), number),
            vectors.numbers[rows],
            low[rows],
            high[rows],
            is_common[rows].sum(axis=1).astype(np.uint64),
            flag_servers(own.servers[page], vectors.servers[rows]),
        )


def flag_servers(page: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the flags of documents, of which these are the servers.

    >>> page, others = np.array([1, 7]), np.array([[1, 8], [2, 7], [2, 8], [2, 0]])
    >>> flags = flag_servers(page, others)
    >>> (flags & HOME > 0).tolist(), (flags & FOREIGN > 0).tolist()
    ([True, True, False, False], [True, False, True, True])
    """
    name, address = page
    names, addresses = others.T
    is_foreign = servers.are_foreign(name, address, names, addresses)
    is_home = (names == name) | ((addresses == address) & (address != 0))
    is_home &= (name != 0) & (names != 0)  # without a host, nobody is at home
    return is_home * HOME | is_foreign * FOREIGN
