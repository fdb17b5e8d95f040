"""Groups of sites that all share the same, made of the rows of the table of pairs.

Twenty copies of a site make 190 pairs. All of these have the same number of chunks and
of bytes, and they are one group. The table is ordered by bytes, so the pairs of a group
are in a block of rows with the same bytes.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby, islice
from operator import attrgetter
from typing import Any, NamedTuple

from mr_reuse.chunks.chunk_tables import PAIRS

Pair = PAIRS.row
Near = dict[tuple[int, str], set[str]]  # by number of chunks and site: the other sites


class Sharing(NamedTuple):
    """Two sites that share chunks, or a group in which every two share as many."""

    sites: tuple[str, ...]
    chunks: int
    bytes: int
    shares: tuple[float, ...]  # of all distinct chunks of each site
    first: tuple[int, ...] = ()  # chunks captured first on either of two sites

    @property
    def is_group(self) -> bool:
        """True for more than two sites."""
        return len(self.sites) > 2

    @property
    def pairs(self) -> int:
        """The number of rows of the table."""
        return len(self.sites) * (len(self.sites) - 1) // 2

    def turned(self) -> 'Sharing':
        """Return the same with its sites in the opposite order."""
        sites, shares, first = self.sites[::-1], self.shares[::-1], self.first[::-1]
        return self._replace(sites=sites, shares=shares, first=first)


class Blocks:
    """The first rows of the table, in lists of rows with the same bytes.

    A list that would end before its last row is left out, as its groups would be torn,
    unless it is the first one.

    >>> rows = [Pair('a', 'b', 10, size, 0.5, 0.5, 0, 0) for size in (9, 9, 8, 8, 7)]
    >>> blocks = Blocks(rows, 3)
    >>> [len(block) for block in blocks], blocks.is_all
    ([2], False)
    >>> blocks = Blocks(rows, 5)
    >>> [len(block) for block in blocks], blocks.is_all
    ([2, 2, 1], True)
    >>> [len(block) for block in Blocks(rows, 1)]
    [1]
    """

    def __init__(self, rows: Iterable[Any], most: int):
        self._rows, self._most = rows, most
        self.is_all = True  # False as soon as rows are left out

    def __iter__(self) -> Iterator[list[Any]]:
        left = self._most
        for _, same in groupby(self._rows, attrgetter('bytes')):
            block = list(islice(same, left + 1))
            if len(block) > left:
                self.is_all = False
                if left == self._most:
                    yield block[:left]
                return
            left -= len(block)
            yield block


def merge(rows: Sequence[Any]) -> Iterator[Sharing]:
    """Merge rows with the same bytes, each row into one pair or one group.

    >>> names = 'a b', 'a c', 'a d', 'a e', 'b c', 'd e', 'x y'
    >>> rows = [Pair(*name.split(), 10, 99, 0.5, 0.25, 4, 6) for name in names]
    >>> [''.join(one.sites) for one in merge(rows)]
    ['abc', 'ade', 'xy']
    >>> [one.sites for one in merge([*rows[:4], rows[4]._replace(chunks=11)])][-1]
    ('b', 'c')
    """
    if len(rows) == 1:  # which is the case of most blocks
        yield _join([rows[0].a, rows[0].b], rows)
        return
    left = {_key_of(row): row for row in rows}
    near: Near = {}
    for chunks, a, b in left:
        near.setdefault((chunks, a), set()).add(b)
        near.setdefault((chunks, b), set()).add(a)
    for row in rows:
        if _key_of(row) in left:
            sites = _grow(row.chunks, row.a, row.b, near)
            keys = [(row.chunks, a, b) for a, b in combinations(sites, 2)]
            for chunks, a, b in keys:
                near[chunks, a].remove(b)
                near[chunks, b].remove(a)
            yield _join(sites, [left.pop(key) for key in keys])


def _key_of(row: Any) -> tuple[int, str, str]:
    # The table orders names by their bytes, which may differ from the order of texts.
    return row.chunks, min(row.a, row.b), max(row.a, row.b)


def _grow(chunks: int, one: str, other: str, near: Near) -> list[str]:
    """List two sites, and others of which each shares as much with all in the list."""
    sites = [one, other]
    for site in sorted(near[chunks, one] & near[chunks, other]):
        if near[chunks, site].issuperset(sites):
            sites.append(site)
    return sorted(sites)


def _join(sites: Sequence[str], rows: Sequence[Any]) -> Sharing:
    """Join the rows of all pairs of some sites."""
    row = rows[0]
    # A site is in many rows, but its name is kept once.
    names = tuple(map(sys.intern, sites))
    if len(rows) == 1:
        one = Sharing(names, row.chunks, row.bytes, (row.a_share, row.b_share))
        return one._replace(first=(row.a_first, row.b_first))
    shares: dict[str, float] = {}
    for row in rows:
        shares |= {row.a: row.a_share, row.b: row.b_share}
    of_sites = tuple(shares[name] for name in names)
    return Sharing(names, row.chunks, row.bytes, of_sites)
