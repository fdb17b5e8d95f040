"""Bad sites that all have the same labels and few other chunks in common.

They may have the same theme or agency. A site has all labels of another if it shares
them all, and both have the same labels if they have as many.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mr_reuse.chunks.chunk_tables import ORIGINS

Origin = ORIGINS.row

MAX_SITES = 10_000  # in memory; of more sites, no groups are made


class Alike(NamedTuple):
    """Sites with the same labels."""

    sites: list[str]
    labels: int
    # Of the chunks of each site, if a label counts once; 0 if unknown.
    shares: list[float]


class SameLabels:
    """Finder of sites with the same labels, by their rows of `origins.tsv`.

    Labels on more than 100 sites do not count, as in that table.

    >>> finder = SameLabels()
    >>> for names in ('ab', 'ba', 'cd', 'dc', 'ea', 'fg', 'gf'):
    ...     shared = 3 if names < 'f' else 2
    ...     share = 0.9 if names in ('ea', 'gf') else 1.0
    ...     finder.add([Origin(*names, shared, share, '', '', 0, 0, 0, 0.1, '')])
    >>> [(''.join(group.sites), group.labels) for group in finder.find()]
    [('ab', 3), ('cd', 3)]
    """

    def __init__(self) -> None:
        self._rows: dict[str, tuple[Origin, list[str]]] = {}
        self._is_full = False

    def add(self, rows: Sequence[Origin]) -> None:
        """Add the rows of a site."""
        same = [row for row in rows if row.share == 1]
        self._is_full |= len(self._rows) == MAX_SITES
        if same and not self._is_full:
            self._rows[same[0].neighborhood] = same[0], [row.other for row in same]

    def find(self) -> list[Alike]:
        """List the groups, the largest first."""
        if self._is_full:
            return []
        top = {site: site for site in self._rows}  # a site above each in its group

        def find_top(site: str) -> str:
            while top[site] != site:
                top[site] = site = top[top[site]]
            return site

        for site, (row, others) in self._rows.items():
            for other in others:
                # The other has all labels of the site, and as many.
                if other in top and self._rows[other][0].shared == row.shared:
                    top[find_top(site)] = find_top(other)
        groups: dict[str, list[str]] = {}
        for site in sorted(top):
            groups.setdefault(find_top(site), []).append(site)
        found = [self._describe(sites) for sites in groups.values() if len(sites) > 1]
        return sorted(found, key=lambda group: (-len(group.sites), group.sites))

    def _describe(self, sites: list[str]) -> Alike:
        rows = [self._rows[site][0] for site in sites]
        return Alike(sites, rows[0].shared, [row.chunk_share or 0.0 for row in rows])
