"""Hosts: the mean and the deviation of the popular shingles of their pages.

    sums/PART   TEXTS   host, pages, sum, sum of squares, as in `page_counts.py`
    host/PART   TEXTS   keyed rows of the table of hosts

A host whose pages have many popular shingles, and all about as many, is a monster.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from math import isqrt
from typing import NamedTuple

from mr_reuse.messages import to_bytes, to_text
from mr_reuse.phrases import page_counts
from mr_reuse.shuffle import ordered_parts, partitions, sorting
from mr_reuse.shuffle.partitions import part_of, unpack_texts
from mr_reuse.shuffle.protocol import Line
from mr_reuse.tables.decimals import format_decimal

ROWS = 'host'
LEAST_PAGES = 10
LEAST_MEAN = 30
MONSTER_DEVIATION = 15  # of a monster it is less
UNITS = 10**9  # a deviation is printed in these


class HostSums(NamedTuple):
    """The pages of a host, and their popular shingles."""

    pages: int
    sum: int
    squares: int  # sum of the squares

    @property
    def mean(self) -> Fraction:
        """The mean number of popular shingles.

        >>> HostSums(2, 7, 25).mean
        Fraction(7, 2)
        """
        return Fraction(self.sum, self.pages)

    @property
    def variance(self) -> Fraction:
        """The variance of the number of popular shingles.

        >>> HostSums(2, 7, 25).variance
        Fraction(1, 4)
        """
        return Fraction(self.squares, self.pages) - self.mean**2

    @property
    def is_listed(self) -> bool:
        """Whether the host is in the table."""
        return self.pages >= LEAST_PAGES and self.mean >= LEAST_MEAN

    @property
    def is_monster(self) -> bool:
        """Whether the pages have about equally many popular shingles.

        >>> HostSums(10, 500, 27_249).is_monster, HostSums(10, 500, 27_250).is_monster
        (True, False)
        """
        return self.variance < MONSTER_DEVIATION**2


def format_root(square: Fraction) -> str:
    """Format the square root of a fraction with 9 decimals, rounded half to even.

    >>> format_root(Fraction(2)), format_root(Fraction(9, 4)), format_root(Fraction(0))
    ('1.414213562', '1.500000000', '0.000000000')
    """
    scaled = square * UNITS**2
    below = isqrt(scaled.numerator // scaled.denominator)
    middle = (below + Fraction(1, 2)) ** 2
    is_up = scaled > middle or (scaled == middle and below % 2)
    return format_decimal(Fraction(below + bool(is_up), UNITS))


def host_row(host: str, sums: HostSums) -> bytes:
    """Make the keyed row of a host: most pages first, then by name."""
    mean, deviation = format_decimal(sums.mean), format_root(sums.variance)
    cells = host, sums.pages, mean, deviation, int(sums.is_monster)
    key = sorting.descending(sums.pages) + to_bytes(host)
    return sorting.add_key(key, to_bytes('\t'.join(map(str, cells))))


def divide_sums(value: bytes, bits: int) -> Iterator[Line]:
    """Divide a line of sums among the partitions of hosts."""
    parts: dict[int, list[bytes]] = {}
    for text in unpack_texts(value):
        part = partitions.part_of_name(text.partition(b'\t')[0], bits)
        parts.setdefault(part, []).append(text)
    for part, texts in parts.items():
        yield from ordered_parts.pack_rows(page_counts.HOSTS, part, texts)


def is_host_line(key: bytes) -> bool:
    """Test by its key whether a line has sums of hosts."""
    return partitions.unit_of(key) == page_counts.HOSTS


def add_up(texts: Iterable[bytes]) -> Iterator[tuple[str, HostSums]]:
    """Add up the sums of each host.

    >>> texts = [b'b.org\\t1\\t2\\t4', b'a.org\\t2\\t5\\t13', b'b.org\\t1\\t3\\t9']
    >>> dict(add_up(texts))['b.org']
    HostSums(pages=2, sum=5, squares=13)
    """
    lines = sorting.sort_lines(texts)
    for host, group in groupby(lines, lambda line: line.partition(b'\t')[0]):
        numbers = (map(int, line.split(b'\t')[1:]) for line in group)
        yield to_text(host), HostSums(*map(sum, zip(*numbers, strict=True)))


class HostAdder:
    """A reducer of sums of hosts."""

    def __init__(self) -> None:
        self.stats = Counter(hosts=0, listed=0, monsters=0)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the rows of the hosts of a partition."""
        rows = self._rows(values)
        yield from ordered_parts.pack_rows(ROWS, part_of(key), rows)

    def _rows(self, values: Iterable[bytes]) -> Iterator[bytes]:
        for host, sums in add_up(t for value in values for t in unpack_texts(value)):
            self.stats['hosts'] += 1
            if sums.is_listed:
                self.stats['listed'] += 1
                self.stats['monsters'] += sums.is_monster
                yield host_row(host, sums)
