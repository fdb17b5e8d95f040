"""Find fingerprints that are alike among those that agree in a probed dimension.

A bucket is the documents that have the same key in a probed dimension. In the shuffle
the lines are

    bucket/PART   WIDTHS:COLUMNS   codes of buckets; a document of each

A code is made of the dimension and the key, and is different for different ones, unless
keys have more than 57 bits. In that case, two buckets might become one, in which more
documents are compared.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from mr_reuse import storage
from mr_reuse.algorithms.agreement import Likeness
from mr_reuse.algorithms.alike_rows import find_alike
from mr_reuse.components import edges
from mr_reuse.components.edges import EdgeCollector, Edges
from mr_reuse.components.forests import ForestCollector
from mr_reuse.shuffle import packing, partitions
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.protocol import Line
from mr_reuse.shuffle.spilling import MergeTable
from mr_reuse.styles.fingerprints import Fingerprints, empty_of
from mr_reuse.text.gram_hash import mix

UNIT = 'bucket'
STATS = 'alike'  # key of the statistics of a task
MAX_ROWS = 1_000_000  # of a mapper in memory
AT_ONCE = 1 << 13  # fingerprints to compare in one call; 2 MB, and more for pairs
MOST_EDGES = 250_000  # of a reducer in memory
DIMENSION_BITS = 7


def find_buckets(found: Fingerprints, probed: tuple[int, ...]) -> Rows:
    """Return the codes of the buckets of fingerprints, and their documents.

    >>> keys = np.array([[1, 1, 255], [1, 2, 3]], np.uint8)
    >>> rows = find_buckets(Fingerprints(np.array([7, 9]), keys, keys), (0, 1, 2))
    >>> rows.columns[0].tolist(), len(np.unique(rows.keys, axis=0))
    ([7, 7, 9, 9, 9], 4)
    """
    keys = found.keys[:, list(probed)]
    rows, columns = np.nonzero(keys != empty_of(keys))
    dimensions = np.array(probed, np.uint64)[columns]
    codes = keys[rows, columns].astype(np.uint64)
    codes ^= dimensions << np.uint64(64 - DIMENSION_BITS)
    mixed = mix(codes).astype('>u8').view(np.uint8).reshape(-1, 8)
    return Rows(mixed, (found.numbers[rows],))


class BucketCollector:
    """A `Collector` of fingerprints: the buckets in which they are."""

    def __init__(self, probed: tuple[int, ...], bits: int):
        self._probed, self._bits = probed, bits
        self._rows: list[Rows] = []
        self._count = 0

    def add(self, found: Fingerprints) -> Iterator[Line]:
        """Add the fingerprints of some documents."""
        rows = find_buckets(found, self._probed)
        self._rows.append(rows)
        self._count += len(rows.keys)
        if self._count >= MAX_ROWS:
            yield from self.finish()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of all fingerprints in memory."""
        if self._rows:
            rows = packing.join(self._rows)
            rows = rows.take(np.argsort(packing.prefixes(rows.keys)))
            self._rows, self._count = [], 0
            parts = packing.partition(rows, self._bits)
            yield from partitions.pack_lines(UNIT, parts)


def sort_buckets(values: Iterable[bytes]) -> Iterator[Edges]:
    """Sort the lines of a partition by bucket and document, in bounded memory.

    Yields columns of codes and of documents, in pieces.
    """
    table = MergeTable((), storage.open_scratch)
    for value in values:
        rows = packing.unpack(value)
        codes = packing.prefixes(rows.keys)
        table.add(edges.to_keys(Edges(codes, rows.columns[0])))
    return map(edges.from_keys, table.drain())


class AlikeFinder:
    """A reducer of the lines of `BucketCollector`: writes edges.

    `keys` has the fingerprints of all documents, by their numbers.
    """

    def __init__(self, keys: np.ndarray, likeness: Likeness):
        self._keys, self._likeness = keys, likeness
        self._edges = EdgeCollector()
        # A document may be alike many representatives, so most edges are not needed.
        self._forest = ForestCollector(
            lambda forest: self._edges.add(*forest), MOST_EDGES
        )
        self._counts = Counter(comparisons=0, left_out=0)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the edges of a partition."""
        del key
        search = BucketSearch(self._keys, self._likeness)
        for found in search.find(sort_buckets(values)):
            yield from self._forest.add(found)
        self._counts.update(search.counts)

    def finish(self) -> Iterator[Line]:
        """Yield the edges in memory."""
        yield from self._forest.finish()
        yield from self._edges.finish()

    @property
    def stats(self) -> dict[str, Any]:
        """The numbers of edges and of comparisons, for the last line of the task."""
        return {edges.STATS: self._edges.stats, STATS: dict(self._counts)}


class BucketSearch:
    """Finds the documents of sorted buckets that are alike, as edges."""

    def __init__(self, keys: np.ndarray, likeness: Likeness):
        self._keys, self._likeness = keys, likeness
        self.counts = Counter(comparisons=0, left_out=0)
        self._code: int | None = None  # of the last bucket, which may go on
        self._held: list[np.ndarray] = []
        self._large: LargeBucket | None = None

    def find(self, pieces: Iterable[Edges]) -> Iterator[Edges]:
        """Yield edges, given the codes and documents of buckets in their order."""
        for codes, numbers in pieces:
            if not len(codes):
                continue
            starts = packing.group_starts(codes)
            begin = 0
            if int(codes[0]) == self._code:
                begin = int(starts[1]) if len(starts) > 1 else len(codes)
                yield from self._extend(numbers[:begin])
            if begin < len(codes):
                yield from self._close()
                last = int(starts[-1])
                sizes = np.diff(starts[starts >= begin])
                yield from self._search(numbers[begin:last], sizes)
                self._code = int(codes[last])
                yield from self._extend(numbers[last:])
        yield from self._close()

    def _extend(self, numbers: np.ndarray) -> Iterator[Edges]:
        """Add documents to the last bucket."""
        self._held.append(numbers)
        if sum(map(len, self._held)) > self._likeness.all_pairs or self._large:
            self._large = self._large or LargeBucket(self._keys, self._likeness)
            held, self._held = np.concatenate(self._held), []
            yield from self._large.add(held)

    def _close(self) -> Iterator[Edges]:
        """End the last bucket."""
        if self._large:
            yield from self._large.finish()
            self.counts.update(self._large.counts)
        elif self._held:
            held = np.concatenate(self._held)
            yield from self._search(held, np.array([len(held)]))
        self._code, self._held, self._large = None, [], None

    def _search(self, numbers: np.ndarray, sizes: np.ndarray) -> Iterator[Edges]:
        """Search buckets that are complete, one after the other."""
        is_large = sizes > self._likeness.all_pairs
        starts = np.cumsum(sizes) - sizes
        for start, size in zip(starts[is_large], sizes[is_large], strict=True):
            bucket = LargeBucket(self._keys, self._likeness)
            yield from bucket.add(numbers[start : start + size])
            yield from bucket.finish()
            self.counts.update(bucket.counts)
        is_small = (sizes > 1) & ~is_large
        numbers = numbers[np.repeat(is_small, sizes)]
        sizes = sizes[is_small]
        yield from self._search_small(numbers, sizes)

    def _search_small(self, numbers: np.ndarray, sizes: np.ndarray) -> Iterator[Edges]:
        ends = np.cumsum(sizes)
        first = 0
        while first < len(sizes):
            start = int(ends[first] - sizes[first])
            last = int(np.searchsorted(ends, start + AT_ONCE, 'right'))
            last = max(last, first + 1)
            some = numbers[start : ends[last - 1]].astype(np.int64)
            found = find_alike(self._keys[some], sizes[first:last], self._likeness)
            self.counts['comparisons'] += found.made
            self.counts['left_out'] += found.left_out
            yield _edges_between(some, found.pairs)
            first = last


class LargeBucket:
    """A bucket whose documents are compared with some of it, its representatives.

    `find_alike` finds the same representatives and components if it gets those so far
    before the documents that follow. So neither the bucket nor its fingerprints are in
    memory. Blocks have the same documents in whatever pieces these come, so that the
    number of comparisons depends on the input alone.
    """

    def __init__(self, keys: np.ndarray, likeness: Likeness):
        self._keys = keys
        self._likeness = likeness._replace(all_pairs=0)
        self._waiting = np.zeros(0, np.int64)  # fewer documents than a block
        self._chosen = np.zeros(0, np.int64)
        self._seen = 0
        self.counts = Counter(comparisons=0, left_out=0)

    def add(self, numbers: np.ndarray) -> Iterator[Edges]:
        """Yield edges of the next documents, block by block."""
        numbers = np.concatenate([self._waiting, numbers.astype(np.int64)])
        whole = len(numbers) // AT_ONCE * AT_ONCE
        self._waiting = numbers[whole:]
        for start in range(0, whole, AT_ONCE):
            yield self._add_some(numbers[start : start + AT_ONCE])

    def finish(self) -> Iterator[Edges]:
        """Yield the edges of the last documents."""
        waiting, self._waiting = self._waiting, self._waiting[:0]
        if len(waiting):
            yield self._add_some(waiting)

    def _add_some(self, numbers: np.ndarray) -> Edges:
        before = len(self._chosen)
        some = np.concatenate([self._chosen, numbers])
        sizes = np.array([len(some)])
        found = find_alike(self._keys[some], sizes, self._likeness)
        # The representatives are compared with each other again, and are not alike.
        self.counts['comparisons'] += found.made - before * (before - 1) // 2
        unseen = self._seen - before
        self.counts['left_out'] += found.left_out + unseen * len(numbers)
        is_joined = np.zeros(len(some), bool)
        is_joined[found.pairs[:, 1]] = True
        others = np.flatnonzero(~is_joined)[: self._likeness.representatives]
        self._chosen = some[others]
        self._seen += len(numbers)
        return _edges_between(some, found.pairs)


def _edges_between(numbers: np.ndarray, pairs: np.ndarray) -> Edges:
    """Return edges between documents, given their indexes."""
    ends = numbers[pairs.astype(np.int64)].astype(np.uint64)
    return Edges(ends[:, 1], ends[:, 0])
