"""Sources of copies: the labels that neighborhoods share, and the first captures.

A label of many neighborhoods is common, and no evidence for a source, so it is omitted.
A date is a number, YYYYMMDDhhmmss. A holder of a label is a neighborhood with it, on a
page whose capture is kept. The dates are those of all captures.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import IO, NamedTuple

import numpy as np

from mr_reuse.algorithms import most_shared
from mr_reuse.archives import domains, urls
from mr_reuse.archives.dates import UNKNOWN, parse_date
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.chunks.detect.neighborhoods import DOMAIN
from mr_reuse.messages import to_text
from mr_reuse.shuffle import packing, spilling
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import MAX, SUM, Merge, Rows
from mr_reuse.shuffle.partitions import NAME_WIDTH, name_digest
from mr_reuse.shuffle.protocol import Line
from mr_reuse.shuffle.spilling import Groups, MergeTable

COMMON = 100  # holders; a label with more is common
LINES = 3  # version of the lines of ShareLabels
BATCH_PAGES = 5_000  # pages whose labels to unpack together
MIN: Merge = np.minimum.reduceat
# Number of shared labels; first date in the bad neighborhood, in the other; number of
# labels captured earlier in the bad neighborhood, in the other, in both at once.
SHARED = (SUM, MIN, MIN, SUM, SUM, SUM)
# Multiplying by this number scrambles labels, which makes partitions equally large. It
# is odd, so products modulo 2^64 are distinct.
SCRAMBLE = np.uint64(0x9E3779B97F4A7C15)
# In place of the other of a pair. Such a pair counts all labels of a neighborhood.
NO_OTHER = bytes(NAME_WIDTH)


def neighborhood_at(url: str, level: int) -> str:
    """Return the neighborhood of a page at a level, '' if its URL has fewer levels.

    >>> [neighborhood_at('http://www.a.org/x/y/z', level) for level in (0, 1, 2, 9)]
    ['a.org/', 'www.a.org/', 'www.a.org/x/', '']
    """
    smallest = urls.neighborhood_of(url)
    if level == DOMAIN and smallest:
        return f'{domains.registered_domain(smallest.partition("/")[0])}/'
    enclosing = urls.enclosing_neighborhoods(smallest)
    return enclosing[level - 1] if DOMAIN < level <= len(enclosing) else ''


class Holders(MergeTable):
    """A table of (label and neighborhood; first date, 1 if a capture is kept).

    Rows of captures that are not kept have dates for holders in other rows. Of a label
    with more than `common` holders, `common` + 1 stay: enough to see that it is common.
    """

    def __init__(
        self,
        spill: Callable[[], IO[bytes]] | None = None,
        common: int = COMMON,
    ):
        super().__init__([MIN, MAX], spill)
        self._common = common

    def _compact(self) -> None:
        super()._compact()
        self._parts = [
            rows.take(select_holders(rows, self._common)) for rows in self._parts
        ]
        self._rows = sum(len(rows.keys) for rows in self._parts)

    def drain_kept(self) -> Iterator[Rows]:
        """Yield the holders of each label with their first dates; empty the table."""
        groups = Groups(8, lambda rows: rows.take(select_holders(rows, self._common)))
        for rows in groups.divide(self.drain()):
            yield rows.take(rows.columns[1] > 0)


def select_holders(rows: Rows, common: int) -> np.ndarray:
    """Select the rows to keep: of a common label, its first `common` + 1 holders.

    >>> keys = b'aaaaaaaa1aaaaaaaa2aaaaaaaa3bbbbbbbb1bbbbbbbb2'
    >>> rows = packing.make_rows(keys, 9, [7, 7, 7, 7, 7], [1, 1, 0, 1, 0])
    >>> select_holders(rows, 1).tolist(), select_holders(rows, 0).tolist()
    ([True, True, False, True, True], [True, False, False, True, False])
    """
    is_kept = rows.columns[1] > 0
    starts = packing.group_starts(packing.prefixes(rows.keys))
    sizes = np.diff(starts, append=len(rows.keys))
    if not len(starts):
        return is_kept
    before = np.cumsum(is_kept) - is_kept  # holders in the rows before each
    holders = np.add.reduceat(is_kept.astype(np.intp), starts)
    number = before - np.repeat(before[starts], sizes)
    is_common = np.repeat(holders > common, sizes)
    return ~is_common | (is_kept & (number <= common))


def scramble(numbers: np.ndarray) -> np.ndarray:
    """Convert numbers to keys of eight bytes, whose first bits are evenly distributed.

    >>> scramble(np.array([1, 2], np.uint64)).tobytes().hex()
    '9e3779b97f4a7c153c6ef372fe94f82a'
    """
    with np.errstate(over='ignore'):
        return matching.keys_of(numbers * SCRAMBLE)


class HolderCollector:
    """A `Collector` of matches: the holders of each label, with the first date."""

    def __init__(self, level: int, chunks: int, bits: int, common: int = COMMON):
        self._level, self._chunks, self._bits = level, chunks, bits
        self._holders = Holders(common=common)
        # Digest of the neighborhood, date, is_kept, and packed labels of each page.
        self._pages: list[tuple[bytes, int, bool, bytes]] = []
        self._bad = 0  # labeled chunks of these pages
        self._size = 0  # bytes of packed labels

    def add(self, match: Match) -> Iterator[Line]:
        """Add the labels of a match."""
        if match.bad == 0 or match.labels == matching.IN_FURTHER:
            return
        prefix = neighborhood_at(to_text(match.url), self._level)
        if prefix:
            date = parse_date(match.date.decode('ascii', 'replace'))
            page = name_digest(prefix), date, not match.is_skipped, match.labels
            self._pages.append(page)
            self._bad += match.bad
            self._size += len(match.labels)
        if len(self._pages) >= BATCH_PAGES or self._size >= matching.BATCH_BYTES:
            yield from self._flush()

    def _flush(self) -> Iterator[Line]:
        names, dates, are_kept, packed = zip(*self._pages, strict=True)
        self._pages = []
        owners, labels, copies = matching.unpack_labels(packed)
        is_chunk = labels < self._chunks
        if int(copies[is_chunk].sum()) != self._bad:
            raise ValueError('a match is damaged: it lacks labels')
        self._bad = self._size = 0
        owners, labels = owners[is_chunk], labels[is_chunk]
        holders = packing.make_rows(b''.join(names), NAME_WIDTH).keys[owners]
        keys = np.concatenate([scramble(labels), holders], axis=1)
        columns = (np.array(column, np.uint64)[owners] for column in (dates, are_kept))
        if self._holders.add(Rows(keys, tuple(columns))):
            yield from self._drain()

    def _drain(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._holders, 'held', self._bits)

    def finish(self) -> Iterator[Line]:
        """Yield the remaining holders."""
        if self._pages:
            yield from self._flush()
        yield from self._drain()


class PairCollector:
    """A `Collector` of holders: the labels that bad neighborhoods share with others."""

    def __init__(self, bad: np.ndarray, bits: int, common: int = COMMON):
        self._bad, self._bits, self._common = DigestIndex(bad), bits, common
        self._shared = MergeTable(SHARED)

    def add(self, holders: Holders) -> Iterator[Line]:
        """Add all labels of a partition."""
        for rows in holders.drain_kept():
            names, dates = np.ascontiguousarray(rows.keys[:, 8:]), rows.columns[0]
            is_bad = self._bad.find(names) >= 0
            starts = packing.group_starts(packing.prefixes(rows.keys)).tolist()
            for start, end in pairwise([*starts, len(names)]):
                of_label = slice(start, end)
                if end - start <= self._common and is_bad[of_label].any():
                    pairs = make_pairs(
                        names[of_label], dates[of_label], is_bad[of_label]
                    )
                    if self._shared.add(pairs):
                        yield from self._drain()

    def _drain(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._shared, 'shared', self._bits)

    def finish(self) -> Iterator[Line]:
        """Yield the remaining pairs."""
        yield from self._drain()


def make_pairs(names: np.ndarray, dates: np.ndarray, is_bad: np.ndarray) -> Rows:
    """Make the pairs of the holders of a label.

    They are the pairs of each bad holder with each other holder, and with NO_OTHER.

    >>> names = np.arange(32, dtype=np.uint8).reshape(2, 16)
    >>> rows = make_pairs(names, np.array([7, 9], np.uint64), np.array([True, False]))
    >>> [column.tolist() for column in rows.columns]
    [[1, 1], [7, 7], [9, 7], [1, 0], [0, 0], [0, 1]]
    """
    left, right = (grid.ravel() for grid in np.indices((len(names), len(names))))
    is_pair = is_bad[left] & (left != right)
    left, right = left[is_pair], right[is_pair]
    bad = np.flatnonzero(is_bad)
    no_other = packing.make_rows(NO_OTHER * len(bad), NAME_WIDTH).keys
    keys = np.concatenate(
        [
            np.concatenate([names[left], names[right]], axis=1),
            np.concatenate([names[bad], no_other], axis=1),
        ]
    )
    bad_dates = np.concatenate([dates[left], dates[bad]])
    other_dates = np.concatenate([dates[right], dates[bad]])
    # UNKNOWN is the highest number, but an unknown date is not a later date.
    is_earlier = (bad_dates < other_dates) & (other_dates < UNKNOWN)
    is_later = (other_dates < bad_dates) & (bad_dates < UNKNOWN)
    is_same = (bad_dates == other_dates) & (bad_dates < UNKNOWN)
    orders = (mask.astype(np.uint64) for mask in (is_earlier, is_later, is_same))
    ones = np.ones(len(keys), np.uint64)
    return Rows(keys, (ones, bad_dates, other_dates, *orders))


class Shared(NamedTuple):
    """The labels that a bad neighborhood shares with another; both by their digests."""

    bad: bytes
    other: bytes
    labels: int
    all_labels: int  # of the bad neighborhood, without common labels
    first_date: int
    other_first_date: int
    earlier: int  # labels captured first in the bad neighborhood
    other_earlier: int  # labels captured first in the other
    same: int  # labels with the same date in both


def choose_most_shared(
    pieces: Iterable[Rows], sources: np.ndarray | None = None
) -> Iterator[Shared]:
    """Yield for each bad neighborhood those that share most labels with it.

    `sources` are the sorted digests of neighborhoods that the user named as sources.
    """
    named = None if sources is None else DigestIndex(sources)

    def are_sources(rows: Rows) -> np.ndarray | None:
        others = np.ascontiguousarray(rows.keys[:, NAME_WIDTH:])
        return None if named is None else named.find(others) >= 0

    def shorten(rows: Rows) -> Rows:
        shared, _, dates, *_ = rows.columns
        kept = most_shared.select_candidates(shared, dates, are_sources(rows))
        return rows.take(kept)

    for rows in Groups(NAME_WIDTH, shorten).divide(pieces):
        bad = np.ascontiguousarray(rows.keys[:, :NAME_WIDTH])
        others = rows.keys[:, NAME_WIDTH:]
        starts = packing.group_starts(bad).tolist()
        for start, end in pairwise([*starts, len(bad)]):
            # NO_OTHER sorts first, so the first row counts all labels.
            all_labels = int(rows.columns[0][start])
            inside = slice(start + 1, end)
            shared, _, dates, *_ = (column[inside] for column in rows.columns)
            of_sources = are_sources(rows.take(inside))
            chosen = most_shared.choose_others(shared, dates, of_sources)
            for row in (chosen + start + 1).tolist():
                labels, *rest = (int(column[row]) for column in rows.columns)
                pair = bad[row].tobytes(), others[row].tobytes()
                yield Shared(*pair, labels, all_labels, *rest)
