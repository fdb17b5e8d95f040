"""The components of edges that one reducer has: union-find over sorted numbers.

The edges go to a scratch file. In memory are the numbers, each once, and the parent of
each. For numbers below 2^32 these take 8 bytes together, for larger ones 12.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

import numpy as np

from mr_reuse import storage
from mr_reuse.components import edges, union_find
from mr_reuse.components.edges import Edges
from mr_reuse.shuffle.protocol import Line

BLOCK = union_find.BLOCK  # edges of the file to handle at a time
MAX_EDGES = 10_000_000  # for one reducer: less than 300 MB, even if all are pairs
MIN_WIDTH = 4_000_000  # numbers of a partition of components
MAX_PARTS = 1 << 16


def max_edges(total: int) -> int:
    """Return how many edges between numbers below `total` one reducer may join.

    >>> max_edges(10**9), max_edges(10**10)
    (10000000, 5000000)
    """
    return MAX_EDGES if total <= 1 << 32 else MAX_EDGES // 2


def choose_width(total: int) -> int:
    """Choose how many numbers a partition of components has.

    >>> choose_width(0), choose_width(10**12)
    (4000000, 15258790)
    """
    return max(MIN_WIDTH, -(-total // MAX_PARTS))


def pack_by_range(width: int) -> Callable[[Edges], Iterator[Line]]:
    """Return a function that packs edges for the partition of their first numbers.

    A partition has `width` numbers. If it is 0, there is one partition for all.
    """

    def pack(piece: Edges) -> Iterator[Line]:
        parts = piece.numbers // np.uint64(width) if width else piece.numbers * 0
        yield from edges.divide(piece, parts)

    return pack


class NumberJoiner:
    """A reducer of edges between numbers below `total`: finds their components."""

    def __init__(self, total: int, width: int):
        self._total, self._width = total, width
        self._type = np.dtype(np.uint32 if total <= 1 << 32 else np.uint64)
        self._counts = {'components': 0, 'numbers': 0, 'left_out': 0, 'largest': 0}

    def add(self, pieces: Iterable[Edges]) -> Iterator[Line]:
        """Join the numbers of edges; yield the lines of components, in order."""
        with storage.open_scratch() as file:
            numbers = sort_numbers(self._write(pieces, file))
            parents = np.arange(len(numbers), dtype=np.uint32)
            file.seek(0)
            for rows in self._read(file):
                ranks = np.searchsorted(numbers, rows.ravel())
                union_find.add_edges(parents, ranks[::2], ranks[1::2])
        union_find.flatten(parents)
        yield from self._pack(numbers, parents)
        parents.sort()
        self._counts['largest'] = max(self._counts['largest'], longest_run(parents))

    def _write(self, pieces: Iterable[Edges], file: IO[bytes]) -> array:
        """Write edges to a file, two numbers a row; return all numbers in it."""
        # An array grows in place. To join pieces would take twice the memory.
        ends = array(self._type.char)
        for piece in pieces:
            rows = np.stack(piece, axis=1)
            if int(rows.max(initial=0)) >= self._total:
                raise ValueError(f'edge of {rows.max()}: not below {self._total}')
            rows = rows.astype(self._type)
            file.write(rows.tobytes())
            ends.frombytes(np.unique(rows).tobytes())
        return ends

    def _read(self, file: IO[bytes]) -> Iterator[np.ndarray]:
        while data := file.read(2 * self._type.itemsize * BLOCK):
            yield np.frombuffer(data, self._type).reshape(-1, 2)

    def _pack(self, numbers: np.ndarray, parents: np.ndarray) -> Iterator[Line]:
        """Yield the lines of the numbers that are not the smallest, by partition."""
        for part, rows in ranges_of(numbers, self._width):
            ranks = np.arange(rows.start, rows.stop, dtype=np.uint32)
            ranks = ranks[parents[rows] != ranks]
            self._counts['numbers'] += rows.stop - rows.start
            self._counts['left_out'] += len(ranks)
            self._counts['components'] += rows.stop - rows.start - len(ranks)
            others = Edges(numbers[ranks], numbers[parents[ranks]])
            yield from edges.pack_lines(edges.COMPONENT, part, others)

    @property
    def stats(self) -> dict[str, Any]:
        """Counts of numbers and of components, for the last line of the task."""
        return dict(self._counts)


def sort_numbers(ends: array) -> np.ndarray:
    """Sort numbers in place; return each of them once.

    >>> sort_numbers(array('I', [7, 3, 7])).tolist()
    [3, 7]
    """
    numbers = np.frombuffer(ends, ends.typecode)
    numbers.sort()
    is_new = np.ones(len(numbers), bool)
    np.not_equal(numbers[1:], numbers[:-1], out=is_new[1:])
    return numbers[is_new]


def ranges_of(ascending: np.ndarray, width: int) -> Iterator[tuple[int, slice]]:
    """Yield the partitions of sorted numbers, each with its rows.

    >>> list(ranges_of(np.array([1, 12, 13, 35]), 10))
    [(0, slice(0, 1, None)), (1, slice(1, 3, None)), (3, slice(3, 4, None))]
    """
    start = 0
    while start < len(ascending):
        part = int(ascending[start]) // width
        end = bisect_left(ascending, (part + 1) * width, start)
        yield part, slice(start, end)
        start = end


def longest_run(ascending: np.ndarray) -> int:
    """Return the length of the longest run of equal values, in little memory.

    >>> longest_run(np.array([1, 2, 2, 2, 3, 3])), longest_run(np.array([]))
    (3, 0)
    """
    low, high = 0, len(ascending) + 1  # there is a run of `low`, and none of `high`
    while high - low > 1:
        length = (low + high) // 2
        ends = ascending[length - 1 :] == ascending[: len(ascending) - length + 1]
        low, high = (length, high) if ends.any() else (low, length)
    return low
