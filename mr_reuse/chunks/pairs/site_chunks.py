"""The chunks of sites: the first step of the pairs, from page lines to shared chunks.

    chunk/PART   digest of the chunk, digest of the site; date, length
    site/PART    texts: a number of chunks, and the name of a site that has them

Only chunks with several copies can be on two sites, and only these travel. Of the other
chunks of a site, each of which is on one page, only the number travels.
"""

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.archives.dates import parse_date
from mr_reuse.chunks.page_lines import DATE, URL, Batch, SplitLine, select_owners
from mr_reuse.chunks.pairs.sites import Sites
from mr_reuse.messages import to_text
from mr_reuse.shuffle import partitions, sorting, spilling
from mr_reuse.shuffle.bitmap import Bitmap
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import MAX, Merge, Rows
from mr_reuse.shuffle.partitions import name_digest
from mr_reuse.shuffle.protocol import Line
from mr_reuse.shuffle.spilling import MergeTable

MIN: Merge = np.minimum.reduceat
# First date; length, which is 0 if the site has the chunk only on captures that are
# passed over. Such captures count for dates only.
COLUMNS = (MIN, MAX)
BOUND = 400_000  # rows of a table in memory
MAX_SITES = 50_000  # in memory, with names of at most so many bytes
MAX_NAMES = 8 << 20


class ChunkRule(NamedTuple):
    """The chunks that are counted: long enough, and no stop chunks."""

    min_len: int
    stop: DigestIndex

    def is_counted(self, rows: Rows) -> np.ndarray:
        """Return a mask of rows of (digest; length, …)."""
        mask = rows.columns[0] > self.min_len
        if len(self.stop):
            mask[mask] = self.stop.find(rows.keys[mask]) < 0
        return mask


class SiteChunks:
    """A `Collector` of page lines: the chunks of each site.

    `copied` passes all chunks with several copies; without it, all chunks travel.
    """

    def __init__(
        self, width: int, unit: str, rule: ChunkRule, copied: Bitmap | None, bits: int
    ):
        self._unit, self._rule, self._copied, self._bits = unit, rule, copied, bits
        self._batch = Batch(width)
        self._passed_over: list[int] = []  # indexes of the lines of such captures
        self._table = MergeTable(COLUMNS, bound=BOUND)
        self._clear_sites()

    def _clear_sites(self) -> None:
        self._sites = Sites(self._unit)
        self._single = np.zeros(0, np.int64)  # chunks that do not travel, by site

    def add(self, key: bytes, value: bytes, is_kept: bool) -> Iterator[Line]:
        """Add a page line, of a capture that is kept or passed over."""
        if not is_kept:
            self._passed_over.append(len(self._batch.lines))
        if self._batch.add(key, value):
            yield from self._flush()

    def finish(self) -> Iterator[Line]:
        """Yield the remaining chunks and sites."""
        yield from self._flush()
        yield from self._drain_chunks()
        yield from self._drain_sites()

    def _flush(self) -> Iterator[Line]:
        rows, owners, lines = self._take_batch()
        lines, owners = select_owners(lines, owners)
        sites = self._number_sites(lines)
        rows, owners = _take(rows, owners, sites[owners] >= 0)
        if self._copied is not None:
            is_copied = self._copied.may_contain(rows.keys)
            self._count_single(sites[owners[~is_copied & (rows.columns[0] > 0)]])
            rows, owners = _take(rows, owners, is_copied)
        if self._add_chunks(rows, owners, sites, lines):
            yield from self._drain_chunks()
        if len(self._single) > MAX_SITES or self._sites.size > MAX_NAMES:
            yield from self._drain_sites()

    def _take_batch(self) -> tuple[Rows, np.ndarray, list[SplitLine]]:
        """Take the batch; the rows of captures that are passed over have length 0."""
        rows, owners, lines = self._batch.take()
        rows, owners = _take(rows, owners, self._rule.is_counted(rows))
        owners = owners.astype(np.intp)
        if self._passed_over:
            is_kept = np.ones(len(lines), np.uint64)
            is_kept[self._passed_over] = 0
            length, copies = rows.columns
            rows = Rows(rows.keys, (length * is_kept[owners], copies))
            self._passed_over = []
        return rows, owners, lines

    def _number_sites(self, lines: Sequence[SplitLine]) -> np.ndarray:
        number = self._sites.number
        numbers = [number(fields[URL]) for _, fields in lines]
        return np.array(numbers, np.intp)

    def _count_single(self, sites: np.ndarray) -> None:
        counts = np.bincount(sites, minlength=len(self._sites.digests))
        counts[: len(self._single)] += self._single
        self._single = counts

    def _add_chunks(
        self,
        rows: Rows,
        owners: np.ndarray,
        sites: np.ndarray,
        lines: Sequence[SplitLine],
    ) -> bool:
        """Add rows to the table; return True if it is full."""
        lines, line_numbers = select_owners(lines, owners)
        dates = [_parse_date(fields[DATE]) for _, fields in lines]
        digests = self._sites.digests[sites[owners]]
        keys = np.concatenate([rows.keys, digests], axis=1)
        columns = np.array(dates, np.uint64)[line_numbers], rows.columns[0]
        return self._table.add(Rows(keys, columns))

    def _drain_chunks(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._table, 'chunk', self._bits)

    def _drain_sites(self) -> Iterator[Line]:
        self._count_single(np.zeros(0, np.intp))
        counts = self._single.tolist()
        yield from pack_sites(zip(self._sites.names, counts, strict=True), self._bits)
        self._clear_sites()


@functools.lru_cache(maxsize=10_000)
def _parse_date(date: bytes) -> int:
    return parse_date(to_text(date))


def _take(rows: Rows, owners: np.ndarray, mask: np.ndarray) -> tuple[Rows, np.ndarray]:
    if mask.all():
        return rows, owners
    return rows.take(mask), owners[mask]


def pack_sites(sites: Iterable[tuple[bytes, int]], bits: int) -> Iterator[Line]:
    """Pack sites, each with a number of chunks, for the partitions of their digests.

    >>> [(key, value)] = pack_sites([(b'a.org', 7)], 6)
    >>> key, list(unpack_sites([value]))
    (b'site/0009', [(b'a.org', 7)])
    """
    parts: dict[int, list[tuple[bytes, int]]] = {}
    for site in sites:
        part = partitions.part_of_digest(name_digest(site[0]), bits)
        parts.setdefault(part, []).append(site)
    for part, of_part in parts.items():
        for value in _pack_texts(of_part):
            yield partitions.partition_key('site', part), value


def _pack_texts(sites: Iterable[tuple[bytes, int]]) -> Iterator[bytes]:
    return partitions.pack_texts(b'%d %b' % (count, name) for name, count in sites)


def merge_sites(part: int, values: Iterable[bytes]) -> Iterator[Line]:
    """Add up the numbers of each site of a partition."""
    lines = (sorting.add_key(name, b'%d' % n) for name, n in unpack_sites(values))
    groups = sorting.group_rows(lines)
    sums = ((name, sum(map(int, counts))) for name, counts in groups)
    for value in _pack_texts(sums):
        yield partitions.partition_key('site', part), value


def unpack_sites(values: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Yield the sites of lines, each with a number of chunks."""
    for value in values:
        for text in partitions.unpack_texts(value):
            count, _, name = text.partition(b' ')
            yield name, int(count)
