"""Find the known document that is most similar to each document.

match/0000  COLUMNS  numbers of documents; rows of the style file; how many
                     dimensions agree, and how many are empty in both
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from mr_reuse.algorithms.agreement import (
    Agreement,
    Likeness,
    are_alike,
    compare_pairs,
    find_nearest,
    find_similarities,
)
from mr_reuse.shuffle import packing, ragged
from mr_reuse.shuffle.partitions import partition_key
from mr_reuse.shuffle.protocol import Line
from mr_reuse.styles.fingerprints import Fingerprints, empty_of
from mr_reuse.styles.match.buckets import Buckets
from mr_reuse.styles.style_file import StyleFile

UNIT = 'match'
STATS = 'matches'  # key of the statistics of a task
FEW = 16  # rows of a bucket that are compared together with those of others
AT_ONCE = 1 << 13  # pairs to compare in one call; 2 MB on either side


class KnownFinder:
    """A `Collector` of fingerprints: the nearest known document of each.

    Of several that are as similar, it is the first one in the style file.
    """

    def __init__(
        self, known: StyleFile, buckets: Sequence[Buckets], likeness: Likeness
    ):
        self._known, self._buckets, self._likeness = known, buckets, likeness
        self.counts = Counter(documents=0, found=0, comparisons=0, left_out=0)

    def add(self, found: Fingerprints) -> Iterator[Line]:
        """Yield the documents that are alike a known one."""
        self.counts['documents'] += len(found.numbers)
        nearest = NearestKnown(len(found.numbers))
        pairs = []
        for buckets in self._buckets:
            places, at = find_places(found.keys, buckets)
            starts = buckets.starts_of(at)
            sizes = buckets.ends[at].astype(np.int64) - starts
            self.counts['comparisons'] += int(sizes.sum())
            self.counts['left_out'] += int((buckets.sizes[at] - sizes).sum())
            few = sizes <= FEW
            rows = buckets.rows[ragged.indexes_at(starts[few], sizes[few])]
            pairs.append((np.repeat(places[few], sizes[few]), rows))
            for bucket, some in group_places(places[~few], at[~few]):
                self._compare(found.keys, some, buckets.rows_of(bucket), nearest)
        self._compare_pairs(found.keys, pairs, nearest)
        alike = nearest.are_alike(found.keys.shape[1], self._likeness)
        self.counts['found'] += int(alike.sum())
        if alike.any():
            columns = found.numbers, nearest.rows, *nearest.agreement
            values = ragged.pack_columns([column[alike] for column in columns])
            yield partition_key(UNIT, 0), values

    def _compare(
        self,
        keys: np.ndarray,
        places: np.ndarray,
        rows: np.ndarray,
        nearest: 'NearestKnown',
    ) -> None:
        """Compare documents with the known ones of a bucket."""
        known = self._known.keys[rows]
        best = find_nearest(keys[places], known, self._likeness.normalizes)
        nearest.add(places, rows[best.rows], best.agreement, best.similarity)

    def _compare_pairs(
        self,
        keys: np.ndarray,
        pairs: Sequence[tuple[np.ndarray, np.ndarray]],
        nearest: 'NearestKnown',
    ) -> None:
        """Compare documents with known ones, of many buckets in a call."""
        if not pairs:
            return
        places, rows = map(np.concatenate, zip(*pairs, strict=True))
        for start in range(0, len(rows), AT_ONCE):
            some = places[start : start + AT_ONCE], rows[start : start + AT_ONCE]
            agreement = compare_pairs(keys[some[0]], self._known.keys[some[1]])
            similarity = find_similarities(
                agreement, keys.shape[1], self._likeness.normalizes
            )
            # Of each document, the nearest known one comes first.
            order = np.lexsort((some[1], -similarity, some[0]))
            best = order[packing.group_starts(some[0][order])]
            counts = Agreement(*(column[best] for column in agreement))
            nearest.add(some[0][best], some[1][best], counts, similarity[best])


class NearestKnown:
    """The nearest known document so far of each of some documents."""

    def __init__(self, count: int):
        self.rows = np.zeros(count, np.int64)
        self.agreement = Agreement(*np.zeros((2, count), np.uint8))
        self._similarity = np.zeros(count)

    def add(
        self,
        places: np.ndarray,
        rows: np.ndarray,
        agreement: Agreement,
        similarity: np.ndarray,
    ) -> None:
        """Add a known document for some of the documents.

        >>> nearest, counts = NearestKnown(2), Agreement(np.array([3]), np.array([0]))
        >>> nearest.add(np.array([1]), np.array([9]), counts, np.array([0.5]))
        >>> nearest.add(np.array([1]), np.array([7]), counts, np.array([0.5]))
        >>> nearest.rows.tolist(), nearest.agreement.agreeing.tolist()
        ([0, 7], [0, 3])
        """
        before = self._similarity[places]
        is_nearer = similarity > before
        is_nearer |= (similarity == before) & (rows < self.rows[places])
        places = places[is_nearer]
        self.rows[places] = rows[is_nearer]
        self._similarity[places] = similarity[is_nearer]
        for column, values in zip(self.agreement, agreement, strict=True):
            column[places] = values[is_nearer]

    def are_alike(self, m: int, likeness: Likeness) -> np.ndarray:
        """Return whether each document is alike its nearest known one."""
        return are_alike(self.agreement, m, likeness)


def find_places(keys: np.ndarray, buckets: Buckets) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of the fingerprints that are in buckets, and these buckets.

    >>> keys = np.array([[5], [6], [255], [5]], np.uint8)
    >>> buckets = Buckets(0, np.array([5, 255], np.uint8), *np.zeros((3, 0)))
    >>> [column.tolist() for column in find_places(keys, buckets)]
    [[0, 3], [0, 0]]
    """
    if not len(buckets.keys):
        return (np.zeros(0, np.int64),) * 2
    cells = np.ascontiguousarray(keys[:, buckets.dimension])
    at = np.searchsorted(buckets.keys, cells)
    at[at == len(buckets.keys)] = 0
    is_in = (buckets.keys[at] == cells) & (cells != empty_of(keys))
    return np.flatnonzero(is_in), at[is_in]


def group_places(
    places: np.ndarray, at: np.ndarray
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each bucket with the places of the fingerprints in it.

    >>> groups = group_places(np.array([3, 5, 8]), np.array([7, 2, 7]))
    >>> [(bucket, places.tolist()) for bucket, places in groups]
    [(2, [5]), (7, [3, 8])]
    """
    order = np.argsort(at, kind='stable')
    places, at = places[order], at[order]
    for where in ragged.runs_of(at):
        yield int(at[where.start]), places[where]
