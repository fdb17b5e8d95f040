"""Shared chunks: the second step of the pairs, from the chunks of sites to pairs.

    pair/PART    two sites; chunks, bytes, chunks that are first on either of them
    count/PART   digest of the site; a number of chunks that several pages have
    common/0000  the number of chunks on too many sites

Chunks on the same sites, with first captures in the same order, are a class. Its pairs
are formed once for all of its chunks.
"""

import operator
from collections.abc import Iterable, Iterator

import numpy as np

from mr_reuse.archives.dates import UNKNOWN
from mr_reuse.chunks.pairs import pair_keys
from mr_reuse.chunks.pairs.pair_keys import PAIR_COLUMNS
from mr_reuse.shuffle import packing, partitions, spilling
from mr_reuse.shuffle.packing import SUM, Rows
from mr_reuse.shuffle.protocol import Line
from mr_reuse.shuffle.spilling import Groups, MergeTable

COMMON = 100  # sites; a chunk on more is common, and connects nobody
BOUND = 400_000  # rows of a table in memory
BLOCK = 200_000  # pairs to make together
HELD = 250_000  # holders of chunks to collect before they are paired
# An odd number; the powers of it tell the holders of a chunk apart.
FACTOR = np.uint64(0x9E3779B97F4A7C15)


# Sites, dates and lengths of chunks on so many sites.
Held = tuple[np.ndarray, np.ndarray, np.ndarray]


class SharedChunks:
    """A `Collector` of the chunks of sites: their pairs, and the chunks of each site.

    `width` is that of the digests of chunks.
    """

    def __init__(self, width: int, bits: int):
        self._width, self._bits = width, bits
        self._pairs = MergeTable(PAIR_COLUMNS, bound=BOUND)
        self._counts = MergeTable([SUM], bound=BOUND)
        self._common = 0
        # Of chunks on several sites, by the number of these: sites, dates, lengths.
        self._held: dict[int, list[Held]] = {}
        self._rows = 0
        # Of a common chunk, a few more sites suffice to see that it is common.
        shorten = operator.methodcaller('take', slice(COMMON + 1))
        self._groups = Groups(width, shorten)

    def add(self, chunks: MergeTable) -> Iterator[Line]:
        """Add all chunks of a partition: (chunk and site; date, length)."""
        for held in chunks.drain():
            # The length is 0 on sites that have the chunk only on other captures.
            rows = held.take(held.columns[1] > 0)
            sites = rows.keys[:, self._width :]
            if self._counts.add(Rows(sites, (np.ones(len(sites), np.uint64),))):
                yield from self._drain_counts()
            yield from self._hold(self._groups.add(rows))
        yield from self._hold(self._groups.finish())

    def _hold(self, pieces: Iterable[Rows]) -> Iterator[Line]:
        for rows in pieces:
            self._hold_chunks(rows)
            if self._rows >= HELD:
                yield from self._pair_held()

    def _hold_chunks(self, rows: Rows) -> None:
        """Collect the sites of chunks; the sites of a chunk are complete."""
        starts = packing.group_starts(rows.keys[:, : self._width])
        sizes = np.diff(starts, append=len(rows.keys))
        self._common += int((sizes > COMMON).sum())
        for size in np.unique(sizes[(sizes > 1) & (sizes <= COMMON)]).tolist():
            index = starts[sizes == size][:, np.newaxis] + np.arange(size)
            sites = np.ascontiguousarray(rows.keys[index, self._width :])
            dates, lengths = rows.columns[0][index], rows.columns[1][index[:, 0]]
            self._held.setdefault(size, []).append((sites, dates, lengths))
            self._rows += sites.shape[0] * size

    def _pair_held(self) -> Iterator[Line]:
        for held in self._held.values():
            sites, dates, lengths = map(np.concatenate, zip(*held, strict=True))
            for pairs in make_pairs(merge_classes(sites, rank(dates), lengths)):
                if self._pairs.add(pairs):
                    yield from self._drain_pairs()
        self._held, self._rows = {}, 0

    def _drain_pairs(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._pairs, 'pair', self._bits)

    def _drain_counts(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._counts, 'count', self._bits)

    def finish(self) -> Iterator[Line]:
        """Yield the remaining pairs and numbers."""
        yield from self._pair_held()
        yield from self._drain_pairs()
        yield from self._drain_counts()
        yield partitions.partition_key('common', 0), b'%d' % self._common


def rank(dates: np.ndarray) -> np.ndarray:
    """Rank the dates of each row, from 1; equal dates are equal, unknown ones are 0.

    >>> rank(np.array([[20, 10, UNKNOWN, 20]])).tolist()
    [[2, 1, 0, 2]]
    """
    order = np.argsort(dates, axis=1)
    ascending = np.take_along_axis(dates, order, axis=1)
    steps = np.ones(dates.shape, np.uint8)
    steps[:, 1:] = ascending[:, 1:] != ascending[:, :-1]
    ranks = np.empty(dates.shape, np.uint8)
    np.put_along_axis(ranks, order, np.cumsum(steps, axis=1, dtype=np.uint8), axis=1)
    ranks[dates == UNKNOWN] = 0
    return ranks


# Of each class: sites, ranks of their dates, number of chunks, sum of their lengths.
Classes = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def merge_classes(sites: np.ndarray, ranks: np.ndarray, lengths: np.ndarray) -> Classes:
    """Merge chunks with the same sites and ranks.

    A class may remain in pieces, as their pairs are added up later.

    >>> sites = np.arange(32, dtype=np.uint8).reshape(1, 2, 16).repeat(3, axis=0)
    >>> ranks = np.array([[1, 2], [2, 1], [1, 2]], np.uint8)
    >>> _, ranks, counts, sums = merge_classes(sites, ranks, np.array([7, 8, 9]))
    >>> sorted(zip(ranks.tolist(), counts.tolist(), sums.tolist()))
    [([1, 2], 2, 16), ([2, 1], 1, 8)]
    """
    with np.errstate(over='ignore'):
        powers = np.cumprod(np.full(ranks.shape[1], FACTOR))
        words = sites.view(np.uint64)[:, :, 0] ^ (ranks * FACTOR)
        mixed = (words * powers).sum(axis=1, dtype=np.uint64)
    order = np.argsort(mixed)
    mixed, sites, ranks = mixed[order], sites[order], ranks[order]
    is_start = np.ones(len(order), bool)
    is_start[1:] = mixed[1:] != mixed[:-1]
    for column in (sites.reshape(len(order), -1), ranks):
        is_start[1:] |= (column[1:] != column[:-1]).any(axis=1)
    starts = np.flatnonzero(is_start)
    counts = np.diff(starts, append=len(order)).astype(np.uint64)
    return sites[starts], ranks[starts], counts, SUM(lengths[order], starts)


def make_pairs(classes: Classes) -> Iterator[Rows]:
    """Yield the pairs of the sites of classes, in pieces; the sites are sorted.

    >>> sites = np.arange(32, dtype=np.uint8).reshape(1, 2, 16)
    >>> numbers = np.array([3], np.uint64), np.array([450], np.uint64)
    >>> [rows] = make_pairs((sites, np.array([[1, 2]], np.uint8), *numbers))
    >>> [column.tolist() for column in rows.columns]
    [[3], [450], [3], [0]]
    """
    sites, ranks, counts, lengths = classes
    left, right = np.triu_indices(sites.shape[1], 1)
    step = max(1, BLOCK // len(left))
    for start in range(0, len(sites), step):
        block = slice(start, start + step)
        keys = pair_keys.join_sites(sites[block][:, left], sites[block][:, right])
        chunks, sums = (
            np.repeat(column[block], len(left)) for column in (counts, lengths)
        )
        of_left, of_right = (ranks[block][:, side].ravel() for side in (left, right))
        is_known = (of_left > 0) & (of_right > 0)
        left_first = chunks * (is_known & (of_left < of_right))
        right_first = chunks * (is_known & (of_right < of_left))
        yield Rows(keys, (chunks, sums, left_first, right_first))
