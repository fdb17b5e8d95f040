"""The first rows of the table of pairs: which sites share how much.

A pair says what two sites share, and which of them was captured first. It says nothing
of who copied. Sites of one registered domain usually belong together, as do those that
the user named as one family, so their pairs are listed separately.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.families import Families
from mr_reuse.chunks.site_groups import Blocks, Sharing, merge
from mr_reuse.chunks.site_hubs import Hub, Hubs
from mr_reuse.storage import naming
from mr_reuse.tables.table_files import read_rows

MAX_SHOWN = 10  # pairs and groups to print, of each kind
OF_CONNECTED = 4  # of these, those whose sites others connect
MAX_SCANNED = 50_000  # rows to read for the first pairs, in 50 MB
LEAST_CHUNKS = 10  # of a pair in the table

Pair = PAIRS.row


class FirstPairs(NamedTuple):
    """The first pairs and groups of a table, those of one owner separately."""

    apart: list[Sharing]  # of different owners
    within: list[Sharing]  # of one registered domain or family
    hubs: Sequence[Hub] = ()
    pairs: int = 0  # that were read, or merged to groups
    is_all: bool = True  # False if the table has more
    owner: str = Families().noun  # the noun for sites of one owner
    others: Mapping[str, int] = MappingProxyType({})  # see `count_others`

    def __bool__(self) -> bool:
        return bool(self.apart or self.within)

    @property
    def first(self) -> Sharing:
        """The sites that share the most; of different owners if there are any."""
        return (self.apart or self.within)[0]

    @property
    def left_out(self) -> int:
        """The number of pairs that were read and are not among the first."""
        return self.pairs - sum(one.pairs for one in self.apart + self.within)

    def count_others(self, site: str) -> int:
        """Count the sites of other owners that share with a site, in the rows read.

        Only folders have a slash at the end in the table.

        >>> pairs = FirstPairs([], [], others={'a.org': 3, 'b.org/x/': 1})
        >>> list(map(pairs.count_others, ('a.org/', 'b.org/x/', 'b.org/')))
        [3, 1, 0]
        """
        return self.others.get(site) or self.others.get(strip(site), 0)


class PairsOfSite(NamedTuple):
    """The pairs of a site: the first ones, and sums of all."""

    first: list[Any]
    number: int
    strangers: int  # sites of other owners
    largest: float  # share of the chunks of the site that one of these has
    total: float  # of these shares; two of these sites may have the same chunks


NO_PAIRS = FirstPairs([], [])
NO_FAMILIES = Families()


def are_of_one_owner(sites: Iterable[str], families: Families) -> bool:
    """Test whether all sites have the same registered domain, or are of one family.

    >>> are_of_one_owner(['www.a.org', 'm.a.org:81', 'b.a.org'], Families())
    True
    >>> sites = 'a.com', 'm.a.org'
    >>> families = Families([['a.com', 'a.org']])
    >>> are_of_one_owner(sites, Families()), are_of_one_owner(sites, families)
    (False, True)
    >>> are_of_one_owner(['b.org/x', 'b.org/y'], Families())
    True
    """
    return len({families.owner_of(site) for site in sites}) == 1


class Selection:
    """The first pairs and groups of one kind, only a few of sites that they connect.

    Twenty copies of a site, none of them complete, make 190 pairs, which would hide all
    others.
    """

    def __init__(self, most: int, of_connected: int):
        self.shown: list[Sharing] = []
        self._most, self._of_connected = most, of_connected
        self._above: dict[str, str] = {}  # another connected site, up to a top one
        self._counts: dict[str, int] = {}  # shown, by the top site

    @property
    def is_full(self) -> bool:
        """True if nothing else is needed."""
        return len(self.shown) == self._most

    def add(self, one: Sharing) -> None:
        """Add a pair or group, and keep it if few of connected sites were kept."""
        if self.is_full:
            return
        top, *others = {self._top(site): None for site in one.sites}
        count = self._counts.get(top, 0)
        for other in others:
            count += self._counts.pop(other, 0)
            self._above[other] = top
        if count < self._of_connected:
            self.shown.append(one)
            count += 1
        self._counts[top] = count

    def _top(self, site: str) -> str:
        """Return the site that stands for all sites that are connected with a site."""
        while (above := self._above.get(site, site)) != site:
            self._above[site] = self._above.get(above, above)
            site = above
        return site


def select(sharings: Iterable[Sharing], most: int, of_connected: int) -> list[Sharing]:
    """Select the first `most`, only `of_connected` of sites that they connect."""
    selection = Selection(most, of_connected)
    for one in sharings:
        selection.add(one)
    return turn_to_hubs(selection.shown)


def take_first(
    rows: Iterable[Any],
    most: int,
    of_connected: int,
    families: Families = NO_FAMILIES,
) -> FirstPairs:
    """Take the first `most` pairs or groups of either kind, and the hubs.

    Of sites that these connect, only `of_connected` are taken.

    >>> names = 'a.org m.a.org', 'a.org b', 'a.org c', 'c m.a.org', 'd e', 'f g', 'd g'
    >>> rows = [Pair(*name.split(), 10, 2000, 0.5, 0.5, 0, 0) for name in names]
    >>> first = take_first([row._replace(bytes=9 - n) for n, row in enumerate(rows)],
    ...                    4, 2)
    >>> [one.sites for one in first.apart]
    [('a.org', 'b'), ('a.org', 'c'), ('d', 'e'), ('f', 'g')]
    >>> [one.sites for one in first.within], first.left_out
    ([('a.org', 'm.a.org')], 2)
    """
    apart = Selection(most, of_connected)
    within = Selection(most, of_connected)
    # Names occur many times, and the public suffix list is slow.
    owner_of = cache(families.owner_of)
    blocks, hubs, pairs = Blocks(rows, MAX_SCANNED), Hubs(owner_of), 0
    for block in blocks:
        pairs += len(block)
        for one in merge(block):
            is_within = len(set(map(owner_of, one.sites))) == 1
            (within if is_within else apart).add(one)
            hubs.add(one, is_within)
    shown = map(turn_to_hubs, (apart.shown, within.shown))
    found, others = hubs.find()
    counts = pairs, blocks.is_all
    return FirstPairs(*shown, found, *counts, families.noun, others)


def turn_to_hubs(shown: Sequence[Sharing]) -> list[Sharing]:
    """Turn each pair so that the site which is in more of them comes first.

    >>> pairs = [Sharing(sites, 10, 99, (0.5, 1.0), (4, 6)) for sites in ('ac', 'bc')]
    >>> [(''.join(one.sites), one.shares, one.first) for one in turn_to_hubs(pairs)]
    [('ca', (1.0, 0.5), (6, 4)), ('cb', (1.0, 0.5), (6, 4))]
    """
    count = Counter(site for one in shown for site in one.sites)
    return [
        one.turned()
        if not one.is_group and count[one.sites[1]] > count[one.sites[0]]
        else one
        for one in shown
    ]


def has_pairs(run: str) -> bool:
    """Test whether a run has the table, which runs of older versions lack."""
    return storage.exists(naming.join(run, PAIRS.file))


def read_first(run: str, families: Families) -> FirstPairs:
    """Read the first pairs of a run; none if it has no table of them."""
    if not has_pairs(run):
        return NO_PAIRS
    return take_first(read_rows(run, PAIRS), MAX_SHOWN, OF_CONNECTED, families)


def find_pairs(run: str, *sites: str) -> Iterator[Any]:
    """Yield the pairs with some sites, those with the most bytes first.

    A folder is a site with or without its last slash.
    """
    wanted = set(map(strip, sites))
    if has_pairs(run):
        for pair in read_rows(run, PAIRS):
            if wanted <= {strip(pair.a), strip(pair.b)}:
                yield pair


def read_pairs_of(run: str, site: str, most: int, families: Families) -> PairsOfSite:
    """Read all pairs of a site, and keep the first ones."""
    first, number, shares = [], 0, [0.0]
    for pair in find_pairs(run, site):
        number += 1
        if len(first) < most:
            first.append(pair)
        if not are_of_one_owner((pair.a, pair.b), families):
            shares.append(pair.b_share if site == strip(pair.b) else pair.a_share)
    return PairsOfSite(first, number, len(shares) - 1, max(shares), sum(shares))


def strip(site: str) -> str:
    """Remove the last slash of a site, which hosts do not have in the table."""
    return site.rstrip('/')
