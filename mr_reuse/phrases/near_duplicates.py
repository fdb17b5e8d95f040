"""Near-duplicates: documents whose vectors agree in two of six runs.

A run is 14 neighboring shingles. Two documents are near-duplicates if at least two
runs agree as a whole. Each of the 15 pairs of runs makes a key of a document, so
near-duplicates have a key in common. Of the documents with a key, the first one has an
edge to each of the others. In the shuffle the lines are

    key/PART    WIDTHS:COLUMNS    keys; the first document of each in a task
    edge/PART   COLUMNS           edges between documents of a task

A task finds edges of its own, to its first document with a key. They join the same
documents as those to the first document of all tasks. If pairs are verified, they have
to be the same pairs however many tasks there are: `WholeStarCollector`
sends all keys then, and `WholeStarLinker` gets them.
"""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from mr_reuse import storage
from mr_reuse.components.edges import (
    EDGE,
    STATS,
    EdgeCollector,
    Edges,
    is_edge_line,
    pack_lines,
    sort_distinct,
    unpack,
)
from mr_reuse.phrases.vectors import POSITIONS, Vectors
from mr_reuse.shuffle import packing, partitions, spilling
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.protocol import Line
from mr_reuse.text.gram_hash import M, mix

RUNS = 6
RUN_LENGTH = POSITIONS // RUNS
PAIRS = list(itertools.combinations(range(RUNS), 2))
KEYS_PER_DOCUMENT = len(PAIRS)
KEY_BYTES = 16
MAX_ROWS = 1_000_000  # keys of a mapper in memory
UNIT = 'key'


def hash_runs(phrases: np.ndarray) -> np.ndarray:
    """Return the hashes of the six runs of each vector.

    >>> one = np.arange(POSITIONS, dtype=np.uint64)
    >>> other = one.copy(); other[20] = 999
    >>> hashes = hash_runs(np.stack([one, other]))
    >>> (hashes[0] == hashes[1]).tolist()
    [True, False, True, True, True, True]
    """
    runs = phrases.reshape(-1, RUNS, RUN_LENGTH)
    # The number of the run is in its hash: equal runs at two places do not agree.
    hashes = np.tile(np.arange(RUNS, dtype=np.uint64), (len(runs), 1))
    for position in range(RUN_LENGTH):
        hashes = mix((hashes ^ runs[:, :, position]) + M)
    return hashes


def make_keys(vectors: Vectors) -> Rows:
    """Return the 15 keys of each document, with its number.

    >>> numbers, ones = np.array([7, 9]), np.ones((2, POSITIONS), np.uint64)
    >>> rows = make_keys(Vectors(numbers, ones, ones[:, :2]))
    >>> len(rows.keys), len(np.unique(rows.keys, axis=0))
    (30, 15)
    """
    hashes = hash_runs(vectors.phrases)
    one, other = (hashes[:, list(run)].ravel() for run in zip(*PAIRS, strict=True))
    # Both halves depend on both runs, since rows are sorted by the first half alone if
    # that tells them apart.
    halves = mix(mix(one.copy()) + other), mix(one + mix(other * M))
    keys = np.stack(halves, axis=1).astype('>u8')
    numbers = np.repeat(vectors.numbers, len(PAIRS))
    return Rows(keys.view(np.uint8).reshape(-1, KEY_BYTES), (numbers,))


def link_documents(rows: Rows) -> tuple[Rows, Edges]:
    """Return the distinct keys with their first documents, and all edges.

    >>> firsts, edges = link_documents(packing.make_rows(b'bbaabb', 2, [5, 3, 4]))
    >>> firsts.keys.tobytes(), firsts.columns[0].tolist()
    (b'aabb', [3, 4])
    >>> [column.tolist() for column in edges]
    [[5], [4]]
    """
    order, groups = packing.order_and_groups(rows.keys)
    numbers = rows.columns[0][order]
    firsts = np.minimum.reduceat(numbers, groups) if len(groups) else numbers
    of_row = np.repeat(firsts, np.diff(groups, append=len(numbers)))
    is_other = numbers != of_row
    return (
        Rows(rows.keys[order[groups]], (firsts,)),
        Edges(numbers[is_other], of_row[is_other]),
    )


class KeyCollector:
    """A `Collector` of vectors: edges between those of a task, and their keys."""

    def __init__(self, bits: int):
        self._bits = bits
        self._rows: list[Rows] = []
        self._count = 0

    def add(self, vectors: Vectors) -> Iterator[Line]:
        """Add the vectors of some documents."""
        rows = make_keys(vectors)
        self._rows.append(rows)
        self._count += len(rows.keys)
        if self._count >= MAX_ROWS:
            yield from self.finish()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of all vectors in memory."""
        if not self._rows:
            return
        firsts, edges = link_documents(packing.join(self._rows))
        self._rows, self._count = [], 0
        edges = sort_distinct(edges)
        if len(edges.numbers):
            # No reducer has to see them, so they may go to any.
            part = int(edges.numbers[0]) & ((1 << self._bits) - 1)
            yield from pack_lines(EDGE, part, edges)
        parts = packing.partition(firsts, self._bits)
        yield from partitions.pack_lines(UNIT, parts)


class WholeStarCollector:
    """A `Collector` of vectors: all of their keys."""

    def __init__(self, bits: int):
        self._bits = bits

    def add(self, vectors: Vectors) -> Iterator[Line]:
        """Yield the lines of the vectors of some documents."""
        yield from pack_keys(make_keys(vectors), self._bits)

    def finish(self) -> Iterator[Line]:
        """Yield nothing: no vectors are in memory."""
        yield from ()


def pack_keys(rows: Rows, bits: int) -> Iterator[Line]:
    """Yield the lines of keys, divided by their first bits."""
    order, _ = packing.order_and_groups(rows.keys)
    parts = packing.partition(rows.take(order), bits)
    yield from partitions.pack_lines(UNIT, parts)


class KeyLinker:
    """A reducer of the lines of `KeyCollector`: writes all edges."""

    def __init__(self) -> None:
        self._edges = EdgeCollector()

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the edges of a partition.

        A partition has a key at most once for each line of a mapper, so it stays small
        however many documents have the key.
        """
        if is_edge_line(key):
            for value in values:
                yield from self._edges.add(*unpack(value))
            return
        rows = packing.join(list(map(packing.unpack, values)))
        yield from self._edges.add(*link_documents(rows)[1])

    def finish(self) -> Iterator[Line]:
        """Yield the edges in memory."""
        yield from self._edges.finish()

    @property
    def stats(self) -> dict[str, Any]:
        """The numbers of edges, for the last line of the task."""
        return {STATS: self._edges.stats}


class WholeStarLinker(KeyLinker):
    """A reducer of lines with all keys, and of edges: writes all edges."""

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the edges of a partition, whose keys are sorted on disk if needed."""
        if is_edge_line(key):
            yield from super().add(key, values)
            return
        table = spilling.MergeTable([], storage.open_scratch)
        for value in values:
            rows = packing.unpack(value)
            numbers = rows.columns[0].astype('>u8')[:, None].view(np.uint8)
            table.add(Rows(np.hstack([rows.keys, numbers]), ()))
        last = Rows(np.zeros((0, KEY_BYTES), np.uint8), (np.zeros(0, np.uint64),))
        for piece in table.drain():
            numbers = np.ascontiguousarray(piece.keys[:, KEY_BYTES:]).view('>u8')
            rows = Rows(piece.keys[:, :KEY_BYTES], (numbers.ravel().astype(np.uint64),))
            # The first document of the last key may have an edge to those that follow.
            firsts, edges = link_documents(packing.join([last, rows]))
            last = firsts.take(slice(-1, None))
            yield from self._edges.add(*edges)
