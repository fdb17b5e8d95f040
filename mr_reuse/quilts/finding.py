"""Covers of candidates: their lists come together, and a greedy cover is made of them.

    cover/PART  COLUMNS  in the shuffle: owners, numbers of grams, sizes, documents
    cover/PART  TEXTS    NUMBER patch SOURCES WITNESSES, in order
    needed/PART COLUMNS  numbers; sizes; all documents of the same covers

SOURCES are `DOCUMENT:NEW:SHARED`, separated by spaces, in the order of the cover.
WITNESSES are documents with the patch grams that no source has. They are needed to
compare words (`checking.py`), and are not reported.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mr_reuse.algorithms import covers
from mr_reuse.algorithms.covers import ClassLists, Source
from mr_reuse.messages import to_text
from mr_reuse.pages.documents import document_parts, numbering, servers
from mr_reuse.quilts import shares
from mr_reuse.quilts.lists import Lists
from mr_reuse.shuffle import ordered_parts, ragged
from mr_reuse.shuffle.partitions import part_of, partition_key
from mr_reuse.shuffle.protocol import Line

UNIT, NEEDED = 'cover', 'needed'
BATCH = 1_000_000  # entries to divide together
ENTRIES = 500_000  # of lists to take together


class Rule(NamedTuple):
    """The rule of a cover."""

    delta: Fraction  # least share of the patch grams that a source adds
    foreign: str  # which documents are on another server


class Cover(NamedTuple):
    """The cover of a document."""

    number: int
    patch: int
    sources: list[Source]
    witnesses: list[int]

    @classmethod
    def parse(cls, text: bytes) -> 'Cover':
        """Parse a text of the output.

        >>> cover = Cover(7, 3, [Source(5, 2, 2)], [9])
        >>> Cover.parse(cover.to_text()) == cover
        True
        """
        number, patch, sources, witnesses = to_text(text).split('\t')
        parts = (map(int, source.split(':')) for source in sources.split(' '))
        found = [Source(*part) for part in parts] if sources else []
        return cls(int(number), int(patch), found, list(map(int, witnesses.split())))

    def to_text(self) -> bytes:
        """Make a text of the output."""
        sources = ' '.join(':'.join(map(str, source)) for source in self.sources)
        others = ' '.join(map(str, self.witnesses))
        number = f'{self.number:0{shares.DIGITS}d}'
        return f'{number}\t{self.patch}\t{sources}\t{others}'.encode()

    @property
    def documents(self) -> list[int]:
        """The document itself, its sources and the witnesses."""
        return [self.number, *(s.document for s in self.sources), *self.witnesses]


class Candidates(NamedTuple):
    """The candidates of a run, in the order of their numbers."""

    numbers: np.ndarray
    grams: np.ndarray

    def grams_of(self, number: int) -> int:
        """Return the number of grams of a candidate."""
        return int(self.grams[np.searchsorted(self.numbers, np.uint64(number))])


class ListDivider:
    """Divides the lists among the partitions of the candidates in them."""

    def __init__(self, candidates: np.ndarray, parts: int, total: int):
        self._candidates, self._parts, self._total = candidates, parts, total

    def divide(self, lists: Lists) -> Iterator[Line]:
        """Yield the lines of lists: each list once for each candidate in it."""
        is_owner = numbering.are_among(lists.documents, self._candidates)
        which = lists.owners()[is_owner]
        owners = lists.documents[is_owner].astype(np.uint64)
        for where in ragged.cut_by_size(lists.sizes[which], BATCH):
            yield from self._lines(lists, which[where], owners[where])

    def _lines(
        self, lists: Lists, which: np.ndarray, owners: np.ndarray
    ) -> Iterator[Line]:
        parts = document_parts.parts_of(owners, self._parts, self._total)
        for part, rows in document_parts.split_by_part(parts):
            sizes = 6 + 4 * lists.sizes[which[rows]].astype(np.int64)
            for where in ragged.cut_by_size(sizes, ragged.MAX_BYTES):
                chosen = lists.take(which[rows[where]])
                columns = [owners[rows[where]], *chosen[:3]]
                yield partition_key(UNIT, part), ragged.pack_columns(columns)


class CoverFinder:
    """A reducer of the lists of candidates: finds their covers."""

    def __init__(
        self, rule: Rule, candidates: Candidates, server_data: memoryview | None
    ):
        self._rule, self._candidates = rule, candidates
        self._servers = None
        if server_data is not None:
            self._servers = np.frombuffer(server_data, np.uint64).reshape(-1, 2)

    def find(self, values: Iterable[bytes]) -> Iterator[Cover]:
        """Yield the covers of the candidates of a partition, in order."""
        columns = zip(*map(ragged.unpack_columns, values), strict=True)
        owners, counts, sizes, documents = map(np.concatenate, columns)
        order = np.argsort(owners, kind='stable')
        starts = ragged.starts_of(sizes)[order]
        owners, counts = owners[order], counts[order].astype(np.uint64)
        sizes = sizes[order].astype(np.uint32)
        runs = list(ragged.runs_of(owners))
        entries = np.array([sizes[where].sum() for where in runs])
        # Those of many candidates together, or of one that has very many.
        for some in ragged.cut_by_size(entries, ENTRIES):
            rows = slice(runs[some.start].start, runs[some.stop - 1].stop)
            columns = self._take(documents, owners[rows], starts[rows], sizes[rows])
            first = 0
            for where, size in zip(runs[some], entries[some].tolist(), strict=True):
                taken = (column[first : first + size] for column in columns)
                lists = ClassLists(counts[where], sizes[where], *taken)
                yield find_cover(int(owners[where.start]), lists, self._rule)
                first += size

    def _take(
        self,
        documents: np.ndarray,
        owners: np.ndarray,
        starts: np.ndarray,
        sizes: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the documents of some lists, and which of them may be sources."""
        taken, admitted = [], []
        for where in ragged.cut_by_size(sizes, ENTRIES):
            found = documents[ragged.indexes_at(starts[where], sizes[where])]
            of_entries = np.repeat(owners[where], sizes[where].astype(np.int64))
            taken.append(found)
            admitted.append(self._admit(of_entries, found))
        return np.concatenate(taken), np.concatenate(admitted)

    def _admit(self, owners: np.ndarray, documents: np.ndarray) -> np.ndarray:
        """Return a mask of the entries that may be sources."""
        if self._servers is None:
            return owners != documents
        name, address = self._servers[owners.astype(np.int64)].T
        names, addresses = self._servers[documents.astype(np.int64)].T
        is_foreign = servers.are_foreign(name, address, names, addresses)
        return (owners != documents) & is_foreign

    def grams_of(self, number: int) -> int:
        """Return the number of grams of a candidate."""
        return self._candidates.grams_of(number)


def find_cover(number: int, lists: ClassLists, rule: Rule) -> Cover:
    """Find the cover of a candidate, and witnesses for the grams that it leaves."""
    patch = int(lists.counts.sum())
    sources = lists.cover(covers.least_gain(rule.delta, patch))
    witnesses: list[Source] = []
    if sum(source.new for source in sources) < patch:
        left = lists_without(lists, [source.document for source in sources])
        is_other = left.documents != np.uint64(number)
        witnesses = left._replace(is_admitted=is_other).cover()
    return Cover(number, patch, sources, [w.document for w in witnesses])


def lists_without(lists: ClassLists, taken: list[int]) -> ClassLists:
    """Return the lists that have none of some documents.

    >>> sizes, documents = np.array([2, 1]), np.array([7, 8, 9], np.uint64)
    >>> lists = ClassLists(sizes, sizes, documents, documents > 0)
    >>> lists_without(lists, [7]).documents.tolist()
    [9]
    """
    is_taken = np.isin(lists.documents, np.array(taken, np.uint64))
    starts = ragged.starts_of(lists.sizes)
    kept = np.flatnonzero(~np.logical_or.reduceat(is_taken, starts))
    at = ragged.indexes_of(lists.sizes, kept)
    return ClassLists(
        lists.counts[kept],
        lists.sizes[kept],
        lists.documents[at],
        lists.is_admitted[at],
    )


class CoverCounter:
    """Counts the quilts for several values of alpha and c."""

    def __init__(self, alphas: Sequence[Fraction], sources: Sequence[int]):
        self._alphas, self._sources = alphas, sources
        self.stats: Counter[str] = Counter()

    def add(self, cover: Cover, grams: int) -> None:
        """Add a cover; its document is a candidate for some of the values."""
        found = len(cover.sources)
        for alpha in self._alphas:
            if shares.is_candidate(cover.patch, grams, alpha):
                for least in self._sources:
                    if found >= least:
                        key = count_key(alpha, least)
                        self.stats[key] += 1
                        self.stats[f'{key} sources'] += found


def count_key(alpha: Fraction, least: int) -> str:
    """Return the key of the number of quilts for an alpha and a c.

    >>> count_key(Fraction(1, 2), 4)
    '1/2 4'
    """
    return f'{alpha} {least}'


def pack_covers(key: bytes, found: Iterable[Cover]) -> Iterator[Line]:
    """Yield the lines of the covers of a partition."""
    covers, part = list(found), part_of(key)
    texts = (cover.to_text() for cover in covers)
    yield from ordered_parts.pack_rows(UNIT, part, texts)
    documents = [cover.documents for cover in covers]
    sizes = np.array(list(map(len, documents)), np.int64)
    for where in ragged.cut_by_size(4 * sizes + 6, ragged.MAX_BYTES):
        some = documents[where]
        columns = (
            [one[0] for one in some],
            sizes[where],
            [d for one in some for d in one],
        )
        packed = ragged.pack_columns(
            [np.array(column, np.uint64) for column in columns]
        )
        yield partition_key(NEEDED, part), packed


class Needed(NamedTuple):
    """The documents of covers: each itself, its sources and the witnesses."""

    owners: np.ndarray
    sizes: np.ndarray
    documents: np.ndarray

    @classmethod
    def unpack(cls, value: bytes) -> 'Needed':
        """Unpack the value of a line."""
        return cls(*ragged.unpack_columns(value))
