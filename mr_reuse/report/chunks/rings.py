"""The links among bad sites, and the rings of sites that link to each other."""

import heapq
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from mr_reuse.chunks.chunk_tables import LINKS, LINKS_UNREAD, RINGS
from mr_reuse.report.run import Run

Link = LINKS.row

MAX_LINKS, MAX_RINGS = 40, 5  # of the page


def links_among(run: Run, sites: Collection[str]) -> list[Link]:
    """List the links among sites, those on the most pages first."""
    if not run.has(LINKS):
        return []
    rows = (row for row in run.rows(LINKS) if {row.source, row.target} <= sites)
    return heapq.nsmallest(MAX_LINKS, rows, key=lambda row: (-row.pages, row[:2]))


def count_unread(run: Run) -> int:
    """Count the archives that were missing when links were read."""
    return sum(1 for _ in run.rows(LINKS_UNREAD)) if run.has(LINKS_UNREAD) else 0


class Ringed(NamedTuple):
    """The bad sites that share with a source: those in a ring, and the others."""

    source: Any  # of `copying`
    ring: list[str]
    others: list[str]


class Rings(NamedTuple):
    """Rings of bad sites that link to each other."""

    count: int
    sites: int  # in all rings
    largest: list[list[str]]  # the sites of the first rings
    groups: list[Ringed]  # of sources that are open


def read(run: Run, sources: Iterable[Any]) -> Rings:
    """Read the rings, and compare them with the groups of open sources."""
    count, sites, largest = 0, 0, []
    groups = [(source, {*source.members}, {}) for source in sources if source.is_open]
    for row in run.rows(RINGS) if run.has(RINGS) else ():
        count, sites = max(count, row.ring), sites + 1
        if row.ring <= MAX_RINGS:
            # Rows are in the order of rings, which are numbered from 1.
            largest += [[] for _ in range(row.ring - len(largest))]
            largest[-1].append(row.site)
        for _, members, ringed in groups:
            if row.site in members:
                ringed.setdefault(row.ring, []).append(row.site)
    ring_groups = []
    for source, members, ringed in groups:
        ring = max(ringed.values(), key=len, default=[])
        if len(ring) > 1:
            ring_groups.append(Ringed(source, ring, sorted(members.difference(ring))))
    return Rings(count, sites, largest, ring_groups)
