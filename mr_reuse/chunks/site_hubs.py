"""Hubs: sites that share chunks with several others, which do not share as much.

A mirror of parts of three sites has three pairs, and each has only a part of what the
mirror shares. Copies of one site share as much with each other as with any other site,
so they are no hubs.
"""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import NamedTuple

from mr_reuse.chunks.site_groups import Sharing

MIN_OTHERS = 3  # sites of other owners, of which no two share as much

PairBytes = dict[tuple[str, ...], int]  # by the names of two sites


class Hub(NamedTuple):
    """A site, and what it shares with sites of other owners, the largest part first."""

    site: str
    parts: list[tuple[tuple[str, ...], float]]  # the other sites, share of its chunks
    bytes: int  # of all parts

    @property
    def others(self) -> int:
        """The number of other sites."""
        return len({site for sites, _ in self.parts for site in sites})

    @property
    def most(self) -> float:
        """The largest share that it can have in common: parts may overlap."""
        return min(1.0, sum(share for _, share in self.parts))


class Hubs:
    """Finder of the hubs among sharings of sites."""

    def __init__(self, owner_of: Callable[[str], str]):
        self._owner_of = owner_of
        self._sharings: dict[str, list[Sharing]] = {}  # with other owners, by site
        self._bytes: PairBytes = {}

    def add(self, one: Sharing, is_within: bool) -> None:
        """Add what sites share; `is_within` if they have one owner."""
        for pair in combinations(one.sites, 2):
            self._bytes[pair] = one.bytes
        if not is_within:
            for site in one.sites:
                self._sharings.setdefault(site, []).append(one)

    def find(self) -> tuple[list[Hub], dict[str, int]]:
        """List the hubs, those that share the most bytes first.

        Also counts, for each site, the sites of other owners that share with it.
        """
        found = [self._describe(*item) for item in self._sharings.items()]
        hubs = [hub for hub in found if hub.others >= MIN_OTHERS and self._is_hub(hub)]
        hubs.sort(key=lambda hub: (-hub.bytes, hub.site))
        return hubs, {hub.site: hub.others for hub in found}

    def _describe(self, site: str, sharings: list[Sharing]) -> Hub:
        owner_of, owner, parts, size = self._owner_of, self._owner_of(site), [], 0
        for one in sharings:
            others = tuple(other for other in one.sites if owner_of(other) != owner)
            if others:
                parts.append((others, one.shares[one.sites.index(site)]))
                size += one.bytes
        return Hub(site, sorted(parts, key=lambda part: (-part[1], part[0])), size)

    def _is_hub(self, hub: Hub) -> bool:
        names = [other for others, _ in hub.parts for other in others]
        size = {name: size_of(self._bytes, hub.site, name) for name in names}
        return has_distinct(size, self._bytes)


def size_of(shared: PairBytes, one: str, other: str) -> int:
    """Return the bytes that two sites share, 0 if there is no such pair."""
    return shared.get((one, other)) or shared.get((other, one), 0)


def has_distinct(size: Mapping[str, int], shared: PairBytes) -> bool:
    """Test whether a site shares with three sites that share less with each other.

    `size` has the bytes that it shares with each of them, `shared` those of all pairs.
    Two of them share the same with it if they share at least half as much.

    >>> size = {'b': 90, 'c': 60, 'd': 40}
    >>> has_distinct(size, {('b', 'c'): 10}), has_distinct(size, {('b', 'c'): 30})
    (True, False)

    The smallest come first, since e may be another site that shares all of them.

    >>> shared = {('b', 'e'): 90, ('c', 'e'): 60, ('d', 'e'): 40}
    >>> has_distinct(size | {'e': 190}, shared)
    True
    """
    distinct: list[str] = []
    for site in sorted(size, key=lambda name: (size[name], name)):
        if all(2 * size_of(shared, site, other) < size[other] for other in distinct):
            distinct.append(site)
            if len(distinct) == MIN_OTHERS:
                return True
    return False
