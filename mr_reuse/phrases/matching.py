"""Match pages to cover with all documents: which popular shingles they have in common.

    match/PART   COLUMNS   pages, documents, common popular shingles, counts, flags

A cover never takes a document if a better one has all of its popular shingles of the
page. Such a document is dropped, unless only the better one is at home. To save time,
documents are compared with the best few of those that are kept.
"""

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
GROUP = 64  # pages of which the matches are found, and make lines, together
CODES = 88  # of a row: as many as the kernel compares at a time
LEADING = 16  # documents with which the others are compared


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
    """Return the matches of a page that its cover may take, the best ones first.

    The best one has most shingles in common, then the smaller number.

    >>> columns = [[7, 7, 7], [5, 4, 3], [1, 1, 2], [0, 0, 0], [9, 9, 8], [1, 1, 1]]
    >>> keep_best(Matches(*np.array(columns, np.uint64))).documents.tolist()
    [4, 3]
    """
    matches = matches.take(np.lexsort([matches.documents, ~matches.common]))
    leading, left = [], _keep_first(matches)
    while len(left.pages) and len(leading) < LEADING:
        leading.append(left.take(slice(0, 1)))
        left = left.take(~_are_covered(left, *leading[-1]))
    return Matches(*map(np.concatenate, zip(*leading, left, strict=True)))


def _keep_first(matches: Matches) -> Matches:
    """Keep the first one of the matches with the same positions, at home and not."""
    same = [matches.flags & HOME, matches.high, matches.low]
    order = np.lexsort(same)  # a stable sort
    is_first = np.ones(len(order), bool)
    is_first[1:] = False
    for column in same:
        is_first[1:] |= column[order][1:] != column[order][:-1]
    return matches.take(np.sort(order[is_first]))


def _are_covered(matches: Matches, *better: np.ndarray) -> np.ndarray:
    """Return a mask of the matches that a better one makes useless."""
    one = Matches(*better)
    has_more = (matches.low & ~one.low) | (matches.high & ~one.high)
    return (has_more | (one.flags & ~matches.flags & HOME)) == 0


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
        vectors = vectors.take(np.argsort(vectors.numbers))
        self._vectors, self._count = [], 0
        for batch in self._batches:
            for matches in batch.match_pages(vectors):
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
        self._masks = np.zeros((len(sample.popular), CODES), bool)
        self._masks[:, :POSITIONS] = sample.popular
        columns = sample.vectors.phrases.T
        self._known = [np.unique(column) for column in columns]
        self._codes = np.ascontiguousarray(self._encode(sample.vectors.phrases).T)

    def _encode(self, phrases: np.ndarray) -> np.ndarray:
        """Replace phrases by their codes: 0 for those that no page of the batch has.

        The codes are in columns.
        """
        codes = np.zeros((CODES, len(phrases)), np.uint16)
        for position, values in enumerate(self._known):
            column = phrases[:, position]
            at = np.searchsorted(values, column)
            at[at == len(values)] = 0
            codes[position] = np.where(values[at] == column, at + 1, 0)
        return codes

    def match_pages(self, vectors: Vectors) -> Iterator[Matches]:
        """Yield the best matches of pages, some pages at a time.

        The numbers of the documents ascend.
        """
        codes = self._encode(vectors.phrases)
        rows = np.ascontiguousarray(codes.T)
        starts, loaded = range(0, len(self._codes), GROUP), kernel.load()
        if not loaded:
            for start in starts:
                pages = range(start, min(start + GROUP, len(self._codes)))
                found = [keep_best(self._match(n, vectors, rows)) for n in pages]
                yield Matches(*map(np.concatenate, zip(*found, strict=True)))
            return
        columns = rows, codes[:POSITIONS], vectors.servers, vectors.numbers
        packed = [column.tobytes() for column in columns]
        own = self._sample.vectors
        fields = np.column_stack([self._popular, own.servers, own.numbers])
        for start in starts:
            group = slice(start, start + GROUP)
            pages = self._codes[group].tobytes(), fields[group].tobytes()
            found = np.frombuffer(loaded.match_pages(*packed, *pages), np.uint64)
            yield Matches(*found.reshape(-1, len(Matches._fields)).T)

    def _match(self, page: int, vectors: Vectors, codes: np.ndarray) -> Matches:
        """Return the documents that have popular shingles of a page."""
        own = self._sample.vectors
        number = own.numbers[page]
        is_common = codes == self._codes[page]
        # Most documents have no popular shingle of the page.
        at_popular = is_common.view(np.uint64) & self._masks[page].view(np.uint64)
        is_other = vectors.numbers != number
        rows = np.flatnonzero(at_popular.any(axis=1) & is_other)
        is_common = is_common[rows, :POSITIONS]
        both = zip(pack_bits(is_common), self._popular[page], strict=True)
        low, high = (bits & popular for bits, popular in both)
        return Matches(
            np.full(len(rows), number),
            vectors.numbers[rows],
            low,
            high,
            is_common.sum(axis=1).astype(np.uint64),
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
