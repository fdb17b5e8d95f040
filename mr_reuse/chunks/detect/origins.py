"""Who copied from whom: which labels neighborhoods share, and who had them first.

A label that is in many neighborhoods is common property and says nothing of who took
it from whom; it is left out. A date is a number, YYYYMMDDhhmmss.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mr_reuse.archives import domains, urls
from mr_reuse.archives.dates import UNKNOWN, parse_date
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.chunks.detect.neighborhoods import DOMAIN
from mr_reuse.messages import to_text
from mr_reuse.shuffle import packing, spilling
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import SUM, Merge, Rows
from mr_reuse.shuffle.partitions import name_digest
from mr_reuse.shuffle.protocol import Line
from mr_reuse.shuffle.spilling import MergeTable

COMMON = 100  # a label in more neighborhoods than this is common property
TOP = 10  # others that are named for each neighborhood
FIRSTS = 2  # of these, such as were captured first
BATCH = 5_000  # pages whose labels are unpacked together
MIN: Merge = np.minimum.reduceat
# Shared labels; first seen here, there; labels seen here first, there first.
SHARED = (SUM, MIN, MIN, SUM, SUM)
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd, so that numbers stay distinct
ALONE = bytes(16)  # in place of another: all labels of a neighborhood


def at_level(url: str, level: int) -> str:
    """The neighborhood of a page at a level, '' if it has none there.

    >>> [at_level('http://www.a.org/x/y/z', level) for level in (0, 1, 2, 9)]
    ['a.org/', 'www.a.org/', 'www.a.org/x/', '']
    """
    smallest = urls.neighborhood_of(url)
    if level == DOMAIN:
        return (
            f'{domains.registered_domain(smallest.partition("/")[0])}/'
            if smallest
            else ''
        )
    around = urls.enclosing_neighborhoods(smallest)
    return around[level - 1] if level <= len(around) else ''


class Holders(MergeTable):
    """Label and neighborhood with the first date: of a common label only so many."""

    def __init__(self, spill=None, most: int = COMMON, shared: int = 0):
        super().__init__([MIN], spill, shared)
        self._most = most

    def _compact(self) -> None:
        super()._compact()
        self._parts = [rows.take(rank(rows.keys) <= self._most) for rows in self._parts]
        self._rows = sum(len(rows.keys) for rows in self._parts)


def rank(keys: np.ndarray) -> np.ndarray:
    """Which one each of some sorted keys is among those with the same first bytes.

    >>> rank(packing.rows_of(b'aaaaaaaa1aaaaaaaa2bbbbbbbb1', 9).keys).tolist()
    [0, 1, 0]
    """
    starts = label_starts(keys)
    return np.arange(len(keys)) - np.repeat(starts, np.diff(starts, append=len(keys)))


def label_starts(keys: np.ndarray) -> np.ndarray:
    """Where among sorted keys each label begins."""
    first = packing.prefixes(keys)
    return np.flatnonzero(
        np.concatenate([[True], first[1:] != first[:-1]])[: len(keys)]
    )


class Holding:
    """A `Collector` of matches: which neighborhood has which label, since when."""

    def __init__(self, level: int, chunks: int, bits: int, most: int = COMMON):
        self._level, self._chunks, self._bits = level, chunks, bits
        self._held = Holders(most=most)
        self._pages: list[tuple[bytes, int, bytes]] = []

    def add(self, match: Match) -> Iterator[Line]:
        """Note the labels of a match."""
        if match.bad == 0:
            return
        prefix = at_level(to_text(match.url), self._level)
        if prefix:
            date = parse_date(match.date.decode('ascii', 'replace'))
            self._pages.append((name_digest(prefix), date, match.labels))
        if len(self._pages) >= BATCH:
            yield from self._flush()

    def _flush(self) -> Iterator[Line]:
        hashes, dates, labels = zip(*self._pages, strict=True)
        self._pages = []
        owners, numbers, _ = matching.unpack_labels(labels)
        of_chunks = numbers < self._chunks
        owners, numbers = owners[of_chunks], numbers[of_chunks]
        holders = np.frombuffer(b''.join(hashes), np.uint8).reshape(-1, 16)[owners]
        with np.errstate(over='ignore'):
            spread = matching.keys_of(numbers * SPREAD)
        keys = np.concatenate([spread, holders], axis=1)
        if self._held.add(Rows(keys, (np.array(dates, np.uint64)[owners],))):
            yield from self._drain()

    def _drain(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._held, 'held', self._bits)

    def finish(self) -> Iterator[Line]:
        """Yield what is left."""
        if self._pages:
            yield from self._flush()
        yield from self._drain()


class Sharing:
    """A `Collector` of holders of labels: what bad ones share with others."""

    def __init__(self, bad: np.ndarray, bits: int, most: int = COMMON):
        self._bad, self._bits, self._most = DigestIndex(bad), bits, most
        self._shared = MergeTable(SHARED)

    def add(self, holders: Holders) -> Iterator[Line]:
        """Note all labels of a partition."""
        for rows in holders.drain():
            names, dates = np.ascontiguousarray(rows.keys[:, 8:]), rows.columns[0]
            is_bad = self._bad.find(names) >= 0
            bounds = [*label_starts(rows.keys).tolist(), len(names)]
            for a, b in pairwise(bounds):
                if b - a <= self._most and is_bad[a:b].any():
                    pairs = pairs_of(names[a:b], dates[a:b], is_bad[a:b])
                    if self._shared.add(pairs):
                        yield from self._drain()

    def _drain(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._shared, 'shared', self._bits)

    def finish(self) -> Iterator[Line]:
        """Yield what is left."""
        yield from self._drain()


def pairs_of(names: np.ndarray, dates: np.ndarray, is_bad: np.ndarray) -> Rows:
    """What one label says: for each bad one and each other, and for each bad one alone.

    >>> names = np.arange(32, dtype=np.uint8).reshape(2, 16)
    >>> rows = pairs_of(names, np.array([7, 9], np.uint64), np.array([True, False]))
    >>> [column.tolist() for column in rows.columns]
    [[1, 1], [7, 7], [9, 7], [1, 0], [0, 0]]
    """
    here, there = (grid.ravel() for grid in np.indices((len(names), len(names))))
    wanted = is_bad[here] & (here != there)
    alone = np.flatnonzero(is_bad)
    here, there = here[wanted], there[wanted]
    nobody = np.frombuffer(ALONE * len(alone), np.uint8).reshape(-1, 16)
    keys = np.concatenate(
        [
            np.concatenate([names[here], names[there]], axis=1),
            np.concatenate([names[alone], nobody], axis=1),
        ]
    )
    first = np.concatenate([dates[here], dates[alone]])
    other = np.concatenate([dates[there], dates[alone]])
    ones = np.ones(len(keys), np.uint64)
    # What has no date is not later than what has one: nobody knows.
    here_first = (first < other) & (other < UNKNOWN)
    there_first = (other < first) & (first < UNKNOWN)
    earlier = (found.astype(np.uint64) for found in (here_first, there_first))
    return Rows(keys, (ones, first, other, *earlier))


class Shared(NamedTuple):
    """What a bad neighborhood shares with another; hashes stand for both."""

    here: bytes
    there: bytes
    labels: int
    of: int  # labels that the bad one has, without common ones
    first_here: int
    first_there: int
    earlier_here: int
    earlier_there: int


def most_shared(pieces: Iterable[Rows]) -> Iterator[Shared]:
    """For each bad neighborhood those with which it shares most labels."""
    for rows in pieces:
        here = np.ascontiguousarray(rows.keys[:, :16])
        differ = (here[1:] != here[:-1]).any(axis=1)
        starts = np.flatnonzero(np.concatenate([[True], differ])[: len(here)])
        for a, b in pairwise([*starts.tolist(), len(here)]):
            # ALONE sorts before all others.
            of = int(rows.columns[0][a])
            shared, _, dates, *_ = (column[a + 1 : b] for column in rows.columns)
            for i in (named(shared, dates) + a + 1).tolist():
                labels, *rest = (int(column[i]) for column in rows.columns)
                there = rows.keys[i, 16:].tobytes()
                yield Shared(here[i].tobytes(), there, labels, of, *rest)


def named(shared: np.ndarray, dates: np.ndarray, top: int = TOP) -> np.ndarray:
    """Which others are named: those that share most labels, and the first two.

    Copies of one original share more with each other than with it, such as what they
    put in between. So of those that share half as much the first always has a place,
    and the second, which tells by how much it was the first.

    >>> named(np.array([7, 6, 9, 9, 8]), np.array([1, 2, 5, 6, 4]), top=3).tolist()
    [2, 0, 1]
    >>> named(np.array([7, 9, 9, 8, 2]), np.array([1, 5, 6, 4, 0]), top=2).tolist()
    [3, 0]
    """
    order = np.argsort(-shared.astype(np.int64), kind='stable')
    near = order[2 * shared[order] >= shared.max(initial=0)]
    firsts = near[np.argsort(dates[near], kind='stable')[:FIRSTS]]
    most = order[~np.isin(order, firsts)][: top - len(firsts)]
    return order[np.isin(order, np.append(most, firsts))]
