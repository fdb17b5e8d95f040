"""Popular shingles: those that enough documents have at the same position.

    shingle/PART   COLUMNS   in the shuffle: phrases, positions, sizes, documents
    popular/PART   COLUMNS   documents, positions of their popular shingles
    phrase/PART    COLUMNS   phrases, documents, positions, a document that has each

The position of a shingle and its phrase identify it (`vectors.py`). A phrase is in one
partition with all of its positions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple

import numpy as np

from mr_reuse.phrases.vectors import Vectors
from mr_reuse.shuffle import packing, ragged
from mr_reuse.shuffle.partitions import part_of, partition_key
from mr_reuse.shuffle.protocol import Line
from mr_reuse.shuffle.ragged import MAX_BYTES

SHINGLES, POPULAR, PHRASES = 'shingle', 'popular', 'phrase'
IN_MEMORY = 16 << 20  # bytes of the lines of a partition
MAX_VECTORS = 8_000  # of a mapper in memory; sorting their shingles takes some 40 MB


class Shingles(NamedTuple):
    """Distinct shingles, sorted, and the documents of each, laid end to end."""

    phrases: np.ndarray
    positions: np.ndarray
    sizes: np.ndarray
    documents: np.ndarray


def group_shingles(phrases: np.ndarray, documents: np.ndarray) -> Shingles:
    """Group documents, which ascend, by their shingles.

    Each document has a row of phrases, one for each position.

    >>> phrases = np.array([[9, 8], [7, 8]], np.uint64)
    >>> found = group_shingles(phrases, np.array([4, 5], np.uint64))
    >>> [column.tolist() for column in found]
    [[7, 8, 9], [0, 1, 0], [1, 2, 1], [5, 4, 5, 4]]
    """
    # The order of equal phrases is that of the columns: by position, then by document.
    columns = np.ascontiguousarray(phrases.T).ravel()
    order = packing.stable_order(columns)
    positions, rows = np.divmod(order, np.uint32(len(documents)))
    columns = columns[order]
    is_new = np.ones(len(order), bool)
    is_new[1:] = (columns[1:] != columns[:-1]) | (positions[1:] != positions[:-1])
    starts = np.flatnonzero(is_new)
    sizes = np.diff(starts, append=len(order))
    return Shingles(columns[starts], positions[starts], sizes, documents[rows])


class ShingleCollector:
    """A `Collector` of vectors: their shingles, divided by the phrases."""

    def __init__(self, bits: int):
        self._bits = bits
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
        numbers, phrases, _ = map(np.concatenate, zip(*self._vectors, strict=True))
        self._vectors, self._count = [], 0
        ascending = np.argsort(numbers)
        found = group_shingles(phrases[ascending], numbers[ascending])
        parts = found.phrases >> np.uint64(64 - self._bits)
        ends = np.cumsum(found.sizes)
        for rows in ragged.runs_of(parts):
            key = partition_key(SHINGLES, int(parts[rows.start]))
            for where in ragged.cut_by_size(10 + 4 * found.sizes[rows], MAX_BYTES):
                chosen = slice(rows.start + where.start, rows.start + where.stop)
                start = int(ends[chosen.start] - found.sizes[chosen.start])
                documents = found.documents[start : int(ends[chosen.stop - 1])]
                columns = [column[chosen] for column in found[:3]]
                yield key, ragged.pack_columns([*columns, documents])


class Distinct(NamedTuple):
    """The distinct ones of some numbers, ascending."""

    values: np.ndarray
    order: np.ndarray  # of all numbers
    starts: np.ndarray  # of each distinct one in this order
    rows: np.ndarray  # of each number: which of the distinct ones it is


def number_distinct(numbers: np.ndarray) -> Distinct:
    """Find the distinct ones of numbers.

    >>> [column.tolist() for column in number_distinct(np.array([7, 9, 7, 8]))][0::3]
    [[7, 8, 9], [0, 2, 0, 1]]
    """
    order = np.argsort(numbers)  # np.unique takes several times as long
    ascending = numbers[order]
    starts = packing.group_starts(ascending)
    rows = np.empty(len(order), np.uint64)
    rows[order] = packing.number_groups(starts, len(order))
    return Distinct(ascending[starts], order, starts, rows)


class ShingleTable:
    """The shingles of a partition: how many documents have each, and the first one.

    They are in the order of phrases and then of positions. `rows` has the row of each
    shingle of each piece.

    >>> phrases = np.array([[9, 8], [7, 8]], np.uint64)
    >>> piece = group_shingles(phrases, np.array([4, 5], np.uint64))
    >>> table = ShingleTable([piece, piece._replace(documents=piece.documents - 2)])
    >>> table.counts.tolist(), table.firsts.tolist()
    ([2, 4, 2], [3, 2, 2])
    >>> [rows.tolist() for rows in table.rows]
    [[0, 1, 2], [0, 1, 2]]
    """

    def __init__(self, pieces: Iterable[Shingles]):
        columns = [(*p[:3], p.documents[ragged.starts_of(p.sizes)]) for p in pieces]
        phrases, positions, sizes, firsts = map(
            np.concatenate, zip(*columns, strict=True)
        )
        self._phrases, *_, numbers = number_distinct(phrases)
        keys = numbers << np.uint64(7) | positions.astype(np.uint64)
        self._keys, order, starts, rows = number_distinct(keys)
        self.counts = np.add.reduceat(sizes[order].astype(np.uint64), starts)
        self.firsts = np.minimum.reduceat(firsts[order].astype(np.uint64), starts)
        ends = np.cumsum([len(piece) for piece, *_ in columns])
        self.rows = np.split(rows.astype(np.uint32), ends[:-1])

    def list_phrases(self, is_popular: np.ndarray) -> 'PhraseList':
        """Return the phrases of the popular ones among the shingles."""
        of_row = (self._keys[is_popular] >> np.uint64(7)).astype(np.int64)
        starts = np.array([rows.start for rows in ragged.runs_of(of_row)], np.int64)
        if not len(starts):
            return PhraseList.empty()
        return PhraseList(
            self._phrases[of_row[starts]],
            np.maximum.reduceat(self.counts[is_popular], starts),
            np.diff(starts, append=len(of_row)).astype(np.uint64),
            np.minimum.reduceat(self.firsts[is_popular], starts),
        )


class PhraseList(NamedTuple):
    """Popular phrases."""

    phrases: np.ndarray
    documents: np.ndarray  # the most that have it as a shingle at one position
    positions: np.ndarray  # how many of its shingles are popular
    examples: np.ndarray  # the first document that has it as a popular shingle

    @classmethod
    def empty(cls) -> 'PhraseList':
        """Make a list without phrases."""
        return cls(*[np.zeros(0, np.uint64)] * len(cls._fields))

    def join(self, other: 'PhraseList') -> 'PhraseList':
        """Join two lists."""
        return PhraseList(*map(np.concatenate, zip(self, other, strict=True)))

    def most_frequent(self, top: int) -> 'PhraseList':
        """Return the phrases in most documents: `top` of them, and all equal ones.

        >>> ones = np.ones(4, np.uint64)
        >>> found = PhraseList(ones, np.array([5, 9, 7, 7]), ones, ones)
        >>> [found.most_frequent(n).documents.tolist() for n in (0, 2, 9)]
        [[], [9, 7, 7], [5, 9, 7, 7]]
        """
        if top >= len(self.documents):
            return self
        if not top:
            return self.empty()
        least = np.partition(self.documents, -top)[-top]
        return PhraseList(*(column[self.documents >= least] for column in self))


class PopularFinder:
    """A reducer of the lines of `ShingleCollector`."""

    def __init__(self, least: int, top: int):
        self._least, self._top = least, top
        self._phrases = PhraseList.empty()
        self._frequency: Counter[int] = Counter()
        self._counts = Counter(popular_shingles=0, popular_phrases=0, entries=0)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the documents with popular shingles of a partition.

        The values are read twice: for the numbers of documents, and for the documents.
        In memory are the shingles of each line, which the hashes of phrases divide
        evenly.
        """
        with SpooledTemporaryFile(IN_MEMORY) as spool:
            table = ShingleTable(map(unpack_shingles, _copy_lines(values, spool)))
            is_popular = table.counts >= self._least
            self._count(table, is_popular)
            if not is_popular.any():
                return
            spool.seek(0)
            for line, rows in zip(spool, table.rows, strict=True):
                found = unpack_shingles(line.rstrip(b'\n'))
                kept = np.flatnonzero(is_popular[rows])
                yield from _popular_lines(part_of(key), found, kept)

    def _count(self, table: ShingleTable, is_popular: np.ndarray) -> None:
        """Count popular shingles and phrases, and keep the most frequent ones."""
        counts = table.counts[is_popular]
        phrases = table.list_phrases(is_popular)
        self._phrases = self._phrases.join(phrases).most_frequent(self._top)
        numbers, times = np.unique(counts, return_counts=True)
        self._frequency.update(dict(zip(numbers.tolist(), times.tolist(), strict=True)))
        self._counts['popular_shingles'] += len(counts)
        self._counts['popular_phrases'] += len(phrases.phrases)
        self._counts['entries'] += int(counts.sum())

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the most frequent phrases."""
        widths = np.full(len(self._phrases.phrases), 32)
        for where in ragged.cut_by_size(widths, MAX_BYTES):
            columns = [column[where] for column in self._phrases]
            yield partition_key(PHRASES, 0), ragged.pack_columns(columns)

    @property
    def stats(self) -> dict[str, Any]:
        """The counts, and the number of popular shingles by documents."""
        return {'popular': self._counts, 'frequency': self._frequency}


def unpack_shingles(value: bytes) -> Shingles:
    """Unpack the value of a line with shingles."""
    return Shingles(*ragged.unpack_columns(value))


def unpack_phrases(value: bytes) -> PhraseList:
    """Unpack the value of a line with phrases."""
    return PhraseList(*ragged.unpack_columns(value))


def _copy_lines(values: Iterable[bytes], stream: IO[bytes]) -> Iterator[bytes]:
    """Yield values, and write each to a line of a file."""
    for value in values:
        stream.write(value + b'\n')
        yield value


def _popular_lines(part: int, found: Shingles, chosen: np.ndarray) -> Iterator[Line]:
    """Yield the documents of chosen shingles, with the positions of these."""
    if not len(chosen):
        return
    documents = found.documents[ragged.indexes_of(found.sizes, chosen)]
    sizes = found.sizes[chosen].astype(np.int64)
    positions = np.repeat(found.positions[chosen], sizes)
    for where in ragged.cut_by_size(np.full(len(documents), 5), MAX_BYTES):
        value = ragged.pack_columns([documents[where], positions[where]])
        yield partition_key(POPULAR, part), value
