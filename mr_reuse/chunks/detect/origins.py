"""Sources of copies: the labels that neighborhoods share, and the first captures.

A label of many neighborhoods is common, and no evidence for a source, so it is omitted.
A date is a number, YYYYMMDDhhmmss. A holder of a label is a neighborhood with it.
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

COMMON = 100  # holders; a label with more is common
TOP = 10  # neighborhoods to list for each bad one
FIRSTS = 2  # of these, the number chosen by the date of capture
BATCH = 5_000  # pages whose labels to unpack together
MIN: Merge = np.minimum.reduceat
# Number of shared labels; first date in the bad neighborhood, in the other; number of
# labels captured earlier in the bad neighborhood, in the other.
SHARED = (SUM, MIN, MIN, SUM, SUM)
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd, so products modulo 2^64 are distinct
ALONE = bytes(16)  # for no other: the pair counts all labels of a neighborhood


def neighborhood_at(url: str, level: int) -> str:
    """Return the neighborhood of a page at a level, '' if its URL has fewer levels.

    >>> [neighborhood_at('http://www.a.org/x/y/z', level) for level in (0, 1, 2, 9)]
    ['a.org/', 'www.a.org/', 'www.a.org/x/', '']
    """
    smallest = urls.neighborhood_of(url)
    if level == DOMAIN:
        return (
            f'{domains.registered_domain(smallest.partition("/")[0])}/'
            if smallest
            else ''
        )
    enclosing = urls.enclosing_neighborhoods(smallest)
    return enclosing[level - 1] if level <= len(enclosing) else ''


class Holders(MergeTable):
    """A table of (label and neighborhood; first date).

    At most `most` + 1 holders of a label are kept: enough to see that it is common.
    """

    def __init__(self, spill=None, most: int = COMMON, shared: int = 0):
        super().__init__([MIN], spill, shared)
        self._most = most

    def _compact(self) -> None:
        super()._compact()
        self._parts = [
            rows.take(number_holders(rows.keys) <= self._most) for rows in self._parts
        ]
        self._rows = sum(len(rows.keys) for rows in self._parts)


def number_holders(keys: np.ndarray) -> np.ndarray:
    """Number sorted keys with the same first eight bytes, from 0.

    >>> rows = packing.make_rows(b'aaaaaaaa1aaaaaaaa2bbbbbbbb1', 9)
    >>> number_holders(rows.keys).tolist()
    [0, 1, 0]
    """
    starts = packing.group_starts(packing.prefixes(keys))
    return np.arange(len(keys)) - np.repeat(starts, np.diff(starts, append=len(keys)))


class HolderCollector:
    """A `Collector` of matches: the holders of each label, with the first date."""

    def __init__(self, level: int, chunks: int, bits: int, most: int = COMMON):
        self._level, self._chunks, self._bits = level, chunks, bits
        self._holders = Holders(most=most)
        self._pages: list[tuple[bytes, int, bytes]] = []
        self._bad = 0  # labeled chunks of these pages

    def add(self, match: Match) -> Iterator[Line]:
        """Add the labels of a match."""
        if match.bad == 0:
            return
        prefix = neighborhood_at(to_text(match.url), self._level)
        if prefix:
            date = parse_date(match.date.decode('ascii', 'replace'))
            self._pages.append((name_digest(prefix), date, match.labels))
            self._bad += match.bad
        if len(self._pages) >= BATCH:
            yield from self._flush()

    def _flush(self) -> Iterator[Line]:
        hashes, dates, labels = zip(*self._pages, strict=True)
        self._pages = []
        owners, numbers, copies = matching.unpack_labels(labels)
        of_chunks = numbers < self._chunks
        if int(copies[of_chunks].sum()) != self._bad:
            raise ValueError('a match is damaged: it lacks labels')
        self._bad = 0
        owners, numbers = owners[of_chunks], numbers[of_chunks]
        holders = np.frombuffer(b''.join(hashes), np.uint8).reshape(-1, 16)[owners]
        with np.errstate(over='ignore'):
            spread = matching.keys_of(numbers * SPREAD)
        keys = np.concatenate([spread, holders], axis=1)
        if self._holders.add(Rows(keys, (np.array(dates, np.uint64)[owners],))):
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

    def __init__(self, bad: np.ndarray, bits: int, most: int = COMMON):
        self._bad, self._bits, self._most = DigestIndex(bad), bits, most
        self._shared = MergeTable(SHARED)

    def add(self, holders: Holders) -> Iterator[Line]:
        """Add all labels of a partition."""
        for rows in holders.drain():
            names, dates = np.ascontiguousarray(rows.keys[:, 8:]), rows.columns[0]
            is_bad = self._bad.find(names) >= 0
            starts = packing.group_starts(packing.prefixes(rows.keys)).tolist()
            for bounds in pairwise([*starts, len(names)]):
                label = slice(*bounds)
                if bounds[1] - bounds[0] <= self._most and is_bad[label].any():
                    pairs = make_pairs(names[label], dates[label], is_bad[label])
                    if self._shared.add(pairs):
                        yield from self._drain()

    def _drain(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._shared, 'shared', self._bits)

    def finish(self) -> Iterator[Line]:
        """Yield the remaining pairs."""
        yield from self._drain()


def make_pairs(names: np.ndarray, dates: np.ndarray, is_bad: np.ndarray) -> Rows:
    """Make the pairs of the holders of a label.

    They are the pairs of each bad holder with each other holder, and with ALONE.

    >>> names = np.arange(32, dtype=np.uint8).reshape(2, 16)
    >>> rows = make_pairs(names, np.array([7, 9], np.uint64), np.array([True, False]))
    >>> [column.tolist() for column in rows.columns]
    [[1, 1], [7, 7], [9, 7], [1, 0], [0, 0]]
    """
    left, right = (grid.ravel() for grid in np.indices((len(names), len(names))))
    is_pair = is_bad[left] & (left != right)
    alone = np.flatnonzero(is_bad)
    left, right = left[is_pair], right[is_pair]
    no_other = np.frombuffer(ALONE * len(alone), np.uint8).reshape(-1, 16)
    keys = np.concatenate(
        [
            np.concatenate([names[left], names[right]], axis=1),
            np.concatenate([names[alone], no_other], axis=1),
        ]
    )
    first = np.concatenate([dates[left], dates[alone]])
    other = np.concatenate([dates[right], dates[alone]])
    ones = np.ones(len(keys), np.uint64)
    # UNKNOWN is the highest number, but an unknown date is not a later date.
    is_earlier = (first < other) & (other < UNKNOWN)
    is_later = (other < first) & (first < UNKNOWN)
    earlier = (mask.astype(np.uint64) for mask in (is_earlier, is_later))
    return Rows(keys, (ones, first, other, *earlier))


class Shared(NamedTuple):
    """The labels that a bad neighborhood shares with another; both by their digests."""

    bad: bytes
    other: bytes
    labels: int
    of: int  # labels of the bad neighborhood, without common labels
    first: int  # date
    other_first: int
    earlier: int  # labels
    other_earlier: int


def choose_most_shared(pieces: Iterable[Rows]) -> Iterator[Shared]:
    """Yield for each bad neighborhood those that share most labels with it."""
    for rows in pieces:
        bad = np.ascontiguousarray(rows.keys[:, :16])
        starts = packing.group_starts(bad).tolist()
        for a, b in pairwise([*starts, len(bad)]):
            # ALONE sorts first, so row `a` counts all labels of the neighborhood.
            of = int(rows.columns[0][a])
            shared, _, dates, *_ = (column[a + 1 : b] for column in rows.columns)
            for i in (choose_others(shared, dates) + a + 1).tolist():
                labels, *rest = (int(column[i]) for column in rows.columns)
                other = rows.keys[i, 16:].tobytes()
                yield Shared(bad[i].tobytes(), other, labels, of, *rest)


def choose_others(shared: np.ndarray, dates: np.ndarray, top: int = TOP) -> np.ndarray:
    """Choose the neighborhoods to list: those that share most labels, and two sources.

    Copies of an original may share more labels with each other than with it, for
    example the advertisements that they add. Therefore the neighborhood captured first
    is always chosen, among those that share at least half as many labels as the top
    one. The second is chosen too, as its date shows the lead of the first.

    >>> shared, dates = np.array([7, 6, 9, 9, 8]), np.array([1, 2, 5, 6, 4])
    >>> choose_others(shared, dates, top=3).tolist()
    [2, 0, 1]
    >>> shared, dates = np.array([7, 9, 9, 8, 2]), np.array([1, 5, 6, 4, 0])
    >>> choose_others(shared, dates, top=2).tolist()
    [3, 0]
    """
    order = np.argsort(-shared.astype(np.int64), kind='stable')
    similar = order[2 * shared[order] >= shared.max(initial=0)]
    firsts = similar[np.argsort(dates[similar], kind='stable')[:FIRSTS]]
    most = order[~np.isin(order, firsts)][: top - len(firsts)]
    return order[np.isin(order, np.append(most, firsts))]
