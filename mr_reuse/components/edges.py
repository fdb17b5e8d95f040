"""Edges between numbers, and the lines of edges and of components.

    edge/PART       COLUMNS  numbers; neighbors: an edge between the two of each row
    component/PART  COLUMNS  numbers, ascending; the smallest of the component of each

A number that is the smallest of its component has no row in the lines of components.
The numbers of their partitions ascend in the order of the numbers. Columns are packed
by `ragged.pack_columns`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from mr_reuse.shuffle import packing, ragged
from mr_reuse.shuffle.partitions import partition_key, unit_of
from mr_reuse.shuffle.protocol import Line

EDGE, COMPONENT = 'edge', 'component'  # units
STATS = 'edges'  # key of the statistics of a task that writes edges
MAX_ROWS = 32_768  # of a line; with the widest columns they make 700,000 bytes
MAX_EDGES = 1_000_000  # in memory, to sort or to join


class Edges(NamedTuple):
    """Two columns of the same length; an edge joins the two numbers of a row."""

    numbers: np.ndarray
    neighbors: np.ndarray

    def take(self, rows) -> 'Edges':
        """Return some rows: a slice, a mask or indexes."""
        return Edges(self.numbers[rows], self.neighbors[rows])

    def reverse(self) -> 'Edges':
        """Return the edges in the other direction."""
        return Edges(self.neighbors, self.numbers)


def join(pieces: Iterable[Edges]) -> Edges:
    """Concatenate edges.

    >>> len(join([]).numbers)
    0
    """
    empty = np.zeros(0, np.uint64)
    return Edges(*map(np.concatenate, zip(Edges(empty, empty), *pieces, strict=True)))


def sort_distinct(edges: Edges) -> Edges:
    """Sort edges, the larger number of each first. Drop repeated ones and loops.

    >>> rows = np.array([[7, 1, 3, 5], [1, 7, 9, 5]], np.uint64)
    >>> [column.tolist() for column in sort_distinct(Edges(*rows))]
    [[7, 9], [1, 3]]
    """
    high, low = np.maximum(*edges), np.minimum(*edges)
    order = np.lexsort((low, high))
    high, low = high[order], low[order]
    is_new = high != low
    is_new[1:] &= (high[1:] != high[:-1]) | (low[1:] != low[:-1])
    return Edges(high[is_new], low[is_new])


def pack_lines(unit: str, part: int, edges: Edges) -> Iterator[Line]:
    """Yield the lines of rows that belong to one partition.

    >>> list(pack_lines(EDGE, 10, Edges(np.array([300, 9]), np.array([2, 1]))))
    [(b'edge/000a', b'2*2,2*1:LAEJAAIB')]
    """
    key = partition_key(unit, part)
    for start in range(0, len(edges.numbers), MAX_ROWS):
        rows = edges.take(slice(start, start + MAX_ROWS))
        yield key, ragged.pack_columns(rows)


def unpack(value: bytes) -> Edges:
    """Unpack the value of a line; raise ValueError if it is damaged."""
    numbers, neighbors = ragged.unpack_columns(value)
    if len(numbers) != len(neighbors):
        raise ValueError('a line is damaged: its columns have different lengths')
    return Edges(numbers.astype(np.uint64), neighbors.astype(np.uint64))


def is_edge_line(key: bytes) -> bool:
    """Test by its key whether a line is of edges.

    >>> is_edge_line(b'edge/0000'), is_edge_line(b'@')
    (True, False)
    """
    return unit_of(key) == EDGE


def divide(edges: Edges, parts: np.ndarray) -> Iterator[Line]:
    """Yield the lines of edges, of which these are the partitions.

    >>> edges = Edges(np.array([5, 6, 7]), np.array([1, 2, 3]))
    >>> [(key, unpack(value).numbers.tolist()) for key, value in divide(
    ...     edges, np.array([1, 0, 1])
    ... )]
    [(b'edge/0000', [6]), (b'edge/0001', [5, 7])]
    """
    order = np.argsort(parts, kind='stable')
    edges, parts = edges.take(order), parts[order]
    for rows in ragged.runs_of(parts):
        yield from pack_lines(EDGE, int(parts[rows.start]), edges.take(rows))


def parts_by_hash(numbers: np.ndarray, bits: int) -> np.ndarray:
    """Assign numbers to 2^BITS partitions, so that neighboring numbers are spread.

    >>> parts_by_hash(np.array([0, 1, 2, 3], np.uint64), 2).tolist()
    [0, 2, 0, 3]
    """
    mixed = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return mixed >> np.uint64(64 - bits) if bits else mixed * np.uint64(0)


def to_keys(edges: Edges) -> packing.Rows:
    """Make a key of each row, for tables that sort rows by both numbers.

    >>> edges = Edges(np.array([258]), np.array([1]))
    >>> to_keys(edges).keys.tolist()
    [[0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1]]
    >>> [column.tolist() for column in from_keys(to_keys(edges))]
    [[258], [1]]
    """
    words = np.stack(edges, axis=1).astype('>u8')
    return packing.Rows(words.view(np.uint8), ())


def from_keys(rows: packing.Rows) -> Edges:
    """Return the edges of which `to_keys` made keys."""
    words = np.ascontiguousarray(rows.keys).view('>u8').astype(np.uint64)
    return Edges(words[:, 0], words[:, 1])


class EdgeCollector:
    """A `Collector` of edges that a system has found.

    It drops loops, and the edges that are repeated among those in memory. The last line
    of the task has to hold `stats` under the key `STATS`.
    """

    def __init__(self, most: int = MAX_EDGES):
        self._most = most
        self._pieces: list[Edges] = []
        self._size = 0
        self._written: Counter[str] = Counter(edges=0)

    def add(self, numbers: np.ndarray, neighbors: np.ndarray) -> Iterator[Line]:
        """Add edges between the numbers of two columns of the same length."""
        self._pieces.append(Edges(numbers, neighbors))
        self._size += len(numbers)
        if self._size >= self._most:
            yield from self.finish()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of all edges in memory."""
        edges = sort_distinct(join(self._pieces))
        self._pieces, self._size = [], 0
        self._written['edges'] += len(edges.numbers)
        yield from pack_lines(EDGE, 0, edges)

    @property
    def stats(self) -> dict[str, Any]:
        """The number of edges that were written, for the last line of the task."""
        return dict(self._written)


def count_edges(stats: Iterable[dict[str, Any]]) -> int:
    """Sum the edges that the tasks of a step have written.

    >>> count_edges([{STATS: {'edges': 2}}, {}, {STATS: {'edges': 3}, 'other': 1}])
    5
    """
    # An empty partition of Spark has no statistics.
    return sum(task[STATS]['edges'] for task in stats if task)
