"""Find the known document that is most similar to each document.

match/0000  COLUMNS  numbers of documents; rows of the style file; how many
                     dimensions agree, and how many are empty in both
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from mr_reuse.algorithms.agreement import Agreement, Likeness, are_alike, find_nearest
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import partition_key
from mr_reuse.shuffle.protocol import Line
from mr_reuse.styles.fingerprints import Fingerprints, empty_of
from mr_reuse.styles.match.buckets import Buckets
from mr_reuse.styles.style_file import StyleFile

UNIT = 'match'
STATS = 'matches'  # key of the statistics of a task


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
        for buckets in self._buckets:
            for bucket, places in group_by_bucket(found.keys, buckets):
                self._compare(found, places, buckets, bucket, nearest)
        alike = nearest.are_alike(found.keys.shape[1], self._likeness)
        self.counts['found'] += int(alike.sum())
        if alike.any():
            columns = found.numbers, nearest.rows, *nearest.agreement
            values = ragged.pack_columns([column[alike] for column in columns])
            yield partition_key(UNIT, 0), values

    def _compare(
        self,
        found: Fingerprints,
        places: np.ndarray,
        buckets: Buckets,
        bucket: int,
        nearest: 'NearestKnown',
    ) -> None:
        """Compare documents with the known ones of a bucket."""
        rows = buckets.rows_of(bucket)
        some = found.keys[places]
        best = find_nearest(some, self._known.keys[rows], self._likeness.normalizes)
        nearest.add(places, rows[best.rows], best.agreement, best.similarity)
        self.counts['comparisons'] += len(rows) * len(places)
        left_out = int(buckets.sizes[bucket]) - len(rows)
        self.counts['left_out'] += left_out * len(places)


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


def group_by_bucket(
    keys: np.ndarray, buckets: Buckets
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the buckets of some fingerprints, each with the places of those in it.

    >>> keys = np.array([[5], [6], [255], [5]], np.uint8)
    >>> buckets = Buckets(0, np.array([5, 255], np.uint8), *np.zeros((3, 0)))
    >>> [(bucket, places.tolist()) for bucket, places in group_by_bucket(keys, buckets)]
    [(0, [0, 3])]
    """
    if not len(buckets.keys):
        return
    cells = np.ascontiguousarray(keys[:, buckets.dimension])
    at = np.searchsorted(buckets.keys, cells)
    at[at == len(buckets.keys)] = 0
    is_in = (buckets.keys[at] == cells) & (cells != empty_of(keys))
    places = np.flatnonzero(is_in)
    places = places[np.argsort(at[places], kind='stable')]
    for where in ragged.runs_of(at[places]):
        yield int(at[places[where.start]]), places[where]
