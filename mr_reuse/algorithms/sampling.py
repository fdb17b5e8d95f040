"""A random sample of the rows of a table, the same on every machine.

Each row is ranked by a keyed hash of what it is about; the rows of the lowest ranks are
the sample. So one pass will do, a larger sample begins with the smaller one, and the
first rows of a sample are a sample again.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice, zip_longest
from typing import Any, NamedTuple

WORD = 1 << 64
ALL = 0  # the stratum of a sample that has just one


class Row(NamedTuple):
    """A row of a table that may be drawn."""

    item: bytes  # what it is about
    line: bytes
    stratum: int
    inside: bytes = b''  # the folder in it that has all of its pages
    folded: int = 0  # rows of such folders


class Sample(NamedTuple):
    """What was drawn, in the order of judging."""

    rows: list[Row]
    sizes: dict[int, int]  # of each stratum, drawn or not
    frame: str  # stands for all rows that might have been drawn, and the seed
    folded: int = 0  # rows of the table that are in others of them

    @property
    def population(self) -> int:
        """How many rows there were to draw from."""
        return sum(self.sizes.values())


def ranking(seed: int) -> Callable[[bytes], int]:
    """A function that gives everything its place in the order of a seed.

    >>> ranking(1)(b'a.org/') == ranking(1)(b'a.org/') != ranking(2)(b'a.org/')
    True
    """
    begun = blake2b(b'%d\n' % seed, digest_size=8)

    def rank(item: bytes) -> int:
        found = begun.copy()
        found.update(item)
        return int.from_bytes(found.digest(), 'big')

    return rank


def draw(rows: Iterable[Row], size: int, seed: int) -> Sample:
    """Draw a sample; from each stratum as many as from the others, if it has them.

    >>> rows = [Row(b'%d' % n, b'', n // 90) for n in range(100)]
    >>> sample = draw(rows, 30, seed=1)
    >>> [sum(row.stratum == n for row in sample.rows) for n in (0, 1)], sample.sizes
    ([20, 10], {0: 90, 1: 10})
    >>> draw(rows, 7, seed=1).rows == sample.rows[:7]
    True
    """
    rank, total, folded = ranking(seed), 0, 0
    sizes: dict[int, int] = {}
    kept: dict[int, list[tuple[int, Row]]] = {}  # heaps, the highest rank first
    for row in rows:
        place = rank(row.item)
        total += place
        folded += row.folded
        sizes[row.stratum] = sizes.get(row.stratum, 0) + 1
        heap = kept.setdefault(row.stratum, [])
        if len(heap) < size:
            heapq.heappush(heap, (-place, row))
        elif place < -heap[0][0]:
            heapq.heapreplace(heap, (-place, row))
    drawn = [[row for _, row in sorted(kept[n], reverse=True)] for n in sorted(kept)]
    frame = f'{total % WORD:016x}'
    return Sample(list(islice(in_turn(drawn), size)), sizes, frame, folded)


def in_turn(lists: Sequence[Sequence[Any]]) -> Iterator[Any]:
    """The first of each list, then the second of each that has one, and so on.

    >>> list(in_turn([[1, 2, 3], [4], [5, 6]]))
    [1, 4, 5, 2, 6, 3]
    """
    nothing = object()
    for some in zip_longest(*lists, fillvalue=nothing):
        yield from (one for one in some if one is not nothing)


def decade(cell: bytes) -> int:
    """The stratum of a number: its digits.

    >>> decade(b'999'), decade(b'1000')
    (3, 4)
    """
    return len(cell)


def decade_name(stratum: int) -> str:
    """The numbers in a stratum.

    >>> decade_name(2), decade_name(4)
    ('10 to 99', '1,000 to 9,999')
    """
    return f'{10 ** (stratum - 1):,} to {10**stratum - 1:,}'


def halving(cell: bytes) -> int:
    """The stratum of a ratio: how often it can be doubled before it is above 1.

    >>> halving(b'1.000000000'), halving(b'0.500000001'), halving(b'0.500000000')
    (0, 0, 1)
    """
    ratio, times = int(float(cell) * 10**9 + 0.5), 0
    while 0 < 2 * ratio <= 10**9:
        ratio, times = 2 * ratio, times + 1
    return times


def halving_name(stratum: int) -> str:
    """The ratios in a stratum.

    >>> halving_name(0), halving_name(2)
    ('more than 0.5 to 1', 'more than 0.125 to 0.25')
    """
    return f'more than {0.5 ** (stratum + 1):.3g} to {0.5**stratum:.3g}'
