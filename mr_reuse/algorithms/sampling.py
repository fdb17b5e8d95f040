"""A random sample of the rows of a table, the same on every machine.

The rank of a row is a hash of its item and the seed. The rows of the lowest ranks are
the sample. This takes one pass over the table. A larger sample begins with the rows of
a smaller one, and the first rows of a sample are a sample of their own.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice, zip_longest
from typing import Any, NamedTuple

WORD = 1 << 64  # ranks have 64 bits
ONLY_STRATUM = 0  # the only stratum of a sample without stratification


class Row(NamedTuple):
    """A row of a table that may be drawn."""

    item: bytes  # the chunk, page or neighborhood of the row, which decides its rank
    line: bytes
    stratum: int
    inside: bytes = b''  # the folder of a neighborhood that has all of its pages
    folded: int = 0  # rows of such folders, which this row represents as well


class Sample(NamedTuple):
    """The rows that were drawn, in the order in which they are judged."""

    rows: list[Row]
    sizes: dict[int, int]  # rows of each stratum in the whole table
    frame: str  # a checksum of the items of all rows and the seed
    folded: int = 0  # rows of the table that other rows represent

    @property
    def population(self) -> int:
        """The number of rows that could have been drawn."""
        return sum(self.sizes.values())


def rank_function(seed: int) -> Callable[[bytes], int]:
    """Return a function that maps an item to its rank under a seed.

    >>> rank, again, other = map(rank_function, (1, 1, 2))
    >>> rank(b'a.org/') == again(b'a.org/') != other(b'a.org/')
    True
    """
    seeded = blake2b(b'%d\n' % seed, digest_size=8)

    def rank(item: bytes) -> int:
        hasher = seeded.copy()
        hasher.update(item)
        return int.from_bytes(hasher.digest(), 'big')

    return rank


def draw_sample(rows: Iterable[Row], size: int, seed: int) -> Sample:
    """Draw a sample with equally many rows of each stratum, if the stratum has them.

    >>> rows = [Row(b'%d' % n, b'', n // 90) for n in range(100)]
    >>> sample = draw_sample(rows, 30, seed=1)
    >>> [sum(row.stratum == n for row in sample.rows) for n in (0, 1)], sample.sizes
    ([20, 10], {0: 90, 1: 10})
    >>> draw_sample(rows, 7, seed=1).rows == sample.rows[:7]
    True
    """
    draw = Draw(size, seed)
    for row in rows:
        draw.add(row)
    return draw.finish()


class Draw:
    """A sample of the rows so far. Those of several parts of a table can be merged.

    >>> rows = [Row(b'%d' % n, b'', n // 90) for n in range(100)]
    >>> draw, others = Draw(30, seed=1), Draw(30, seed=1)
    >>> for n, row in enumerate(rows):
    ...     (others if n % 3 else draw).add(row)
    >>> draw.merge(others)
    >>> draw.finish() == draw_sample(rows, 30, seed=1)
    True
    """

    def __init__(self, size: int, seed: int):
        self._size, self._seed = size, seed
        self._rank_of = rank_function(seed)
        self._total = self._folded = 0
        self._sizes: dict[int, int] = {}
        # A heap for each stratum. Ranks are negated, so the highest one is at the top.
        self._heaps: dict[int, list[tuple[int, Row]]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        # The function for ranks cannot be sent to another process.
        fields = self._total, self._folded, self._sizes, self._heaps
        return _make_draw, (self._size, self._seed, *fields)

    def add(self, row: Row) -> None:
        """Add a row of the table."""
        rank, stratum = self._rank_of(row.item), row.stratum
        self._total += rank
        self._folded += row.folded
        self._sizes[stratum] = self._sizes.get(stratum, 0) + 1
        self._keep(stratum, rank, row)

    def _keep(self, stratum: int, rank: int, row: Row) -> None:
        heap = self._heaps.setdefault(stratum, [])
        if len(heap) < self._size:
            heapq.heappush(heap, (-rank, row))
        elif rank < -heap[0][0]:
            heapq.heapreplace(heap, (-rank, row))

    def merge(self, other: 'Draw') -> None:
        """Add the rows of another draw of the same size and seed."""
        self._total += other._total
        self._folded += other._folded
        for stratum, rows in other._sizes.items():
            self._sizes[stratum] = self._sizes.get(stratum, 0) + rows
            for negative, row in other._heaps[stratum]:
                self._keep(stratum, -negative, row)

    def finish(self) -> Sample:
        """Return the sample."""
        heaps = [self._heaps[n] for n in sorted(self._heaps)]
        drawn = [[row for _, row in sorted(heap, reverse=True)] for heap in heaps]
        # A sum, so the order of the rows does not matter.
        frame = f'{self._total % WORD:016x}'
        rows = list(islice(in_turn(drawn), self._size))
        return Sample(rows, self._sizes, frame, self._folded)


def _make_draw(size: int, seed: int, *fields: Any) -> Draw:
    draw = Draw(size, seed)
    draw._total, draw._folded, draw._sizes, draw._heaps = fields
    return draw


def take_first(rows: Iterable[Row], size: int) -> Sample:
    """Take the first rows of a table, as a population of its own.

    >>> rows = [Row(b'%d' % n, b'', ONLY_STRATUM) for n in range(9)]
    >>> [row.item for row in take_first(rows, 2).rows], take_first(rows, 2).sizes
    ([b'0', b'1'], {0: 2})
    """
    first = list(islice(rows, size))
    rank_of = rank_function(0)
    frame = f'{sum(rank_of(row.item) for row in first) % WORD:016x}'
    folded = sum(row.folded for row in first)
    return Sample(first, {ONLY_STRATUM: len(first)}, frame, folded)


def in_turn(lists: Sequence[Sequence[Any]]) -> Iterator[Any]:
    """Yield the first element of each list, then the second of each, and so on.

    >>> list(in_turn([[1, 2, 3], [4], [5, 6]]))
    [1, 4, 5, 2, 6, 3]
    """
    missing = object()
    for turn in zip_longest(*lists, fillvalue=missing):
        yield from (element for element in turn if element is not missing)


def decade_of(cell: bytes) -> int:
    """Return the stratum of a whole number: the number of its digits.

    >>> decade_of(b'999'), decade_of(b'1000')
    (3, 4)
    """
    return len(cell)


def decade_name(stratum: int) -> str:
    """Format the range of the numbers in a stratum.

    >>> decade_name(2), decade_name(4)
    ('10 to 99', '1,000 to 9,999')
    """
    return f'{10 ** (stratum - 1):,} to {10**stratum - 1:,}'


def halving_of(cell: bytes) -> int:
    """Return the stratum of a ratio: the times it can be doubled without exceeding 1.

    The ratio is compared as a whole number of billionths, as the tables print it.

    >>> cells = b'1.000000000', b'0.500000001', b'0.500000000'
    >>> tuple(map(halving_of, cells))
    (0, 0, 1)
    """
    ratio, times = int(float(cell) * 10**9 + 0.5), 0
    while 0 < 2 * ratio <= 10**9:
        ratio, times = 2 * ratio, times + 1
    return times


def halving_name(stratum: int) -> str:
    """Format the range of the ratios in a stratum.

    >>> halving_name(0), halving_name(2)
    ('more than 0.5 to 1', 'more than 0.125 to 0.25')
    """
    return f'more than {0.5 ** (stratum + 1):.3g} to {0.5**stratum:.3g}'
