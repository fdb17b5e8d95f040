"""Who copied from whom, out of `origins.tsv`, and how sure one can be of it.

That two sites have the same chunks is certain. Which of them had a chunk first is
told by dates of capture, and these say when the crawler came by.
"""

import heapq
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from mr_reuse import tables
from mr_reuse.reporting import arcs
from mr_reuse.reporting.runs import Link, Origin, Run

MUCH = 0.25  # of the labels of a site
MOSTLY = 0.9  # of the chunks with two dates were captured first on the same side
# Chunks with two dates. By mere chance, 9 of 10 are first on one side once in a hundred
# times, 2 of 2 in every fourth; and so few may well come from a single page.
ENOUGH = 10
FAR = 24 * 3600  # seconds between first captures: no longer the same visit
SOURCES = 8  # in the page
TIES, FEWEST = 24, 3  # of all of them, of each
DRAWN = 12  # of each, in the graph
OPEN = 12  # ties of which the direction is open
LINKS, RINGS = 40, 5
MOST = 10**20
CLEAR, WEAK, UNKNOWN, FEW = 'clear', 'weak', 'open', 'few'


class Tie(NamedTuple):
    """A bad site and another with the same chunks."""

    here: str
    there: str
    shared: int
    share: float
    first: int  # chunks that were captured there first, of those with two dates
    dated: int
    seconds: int | None  # between the first captures, there and here
    sure: str  # CLEAR or WEAK: it was there first; UNKNOWN, FEW: nobody can tell

    @property
    def is_copy(self) -> bool:
        """Whether the other one was first."""
        return self.sure in (CLEAR, WEAK)


def seconds_between(first: str, second: str) -> int | None:
    """Seconds from a date to another, None if one of them is not known.

    >>> seconds_between('2020-01-01T00:00:00Z', '2020-01-02T00:00:01Z')
    86401
    """
    try:
        dates = [datetime.strptime(d, '%Y-%m-%dT%H:%M:%SZ') for d in (first, second)]
    except ValueError:
        return None
    return int((dates[1] - dates[0]).total_seconds())


def tie(row: Origin) -> Tie:
    """What a row of `origins.tsv` says.

    >>> row = ('b/', 'a/', 50, 0.5, '2020-03-01T00:00:00Z', '2020-01-01T00:00:00Z')
    >>> tie(Origin(*row, 0, 50)).sure, tie(Origin(*row, 30, 20)).sure
    ('clear', 'open')
    >>> tie(Origin(*row, 0, 9)).sure
    'few'
    """
    dated = row.earlier_here + row.earlier_there
    seconds = seconds_between(row.first_there, row.first_here)
    sure = UNKNOWN
    if dated < ENOUGH:
        sure = FEW
    elif seconds is not None and row.earlier_there >= MOSTLY * dated and seconds >= 0:
        sure = CLEAR if seconds >= FAR else WEAK
    cells = row.here, row.there, row.shared, row.share or 0.0
    return Tie(*cells, row.earlier_there, dated, seconds, sure)


def was_first(row: Origin) -> bool:
    """Whether the bad site itself had most of what it shares first."""
    dated = row.earlier_here + row.earlier_there
    return dated >= ENOUGH and row.earlier_here >= MOSTLY * dated


class Site(NamedTuple):
    """A bad site: the tie that says most of it, and whether it was first in all."""

    tie: Tie
    is_first: bool


def judged(rows: Iterable[Origin]) -> Site | None:
    """What the rows of a bad site say: from whom it copied, or with whom it shares.

    Of those that were there first and share at least half as much as the most, the
    one that was captured first is the source: the others may have copied from it too.
    A site that has little in common with any one says nothing.
    """
    rows = [row for row in rows if (row.share or 0.0) >= MUCH]
    near = [row for row in rows if 2 * row.shared >= rows[0].shared]
    copies = [row for row in near if tie(row).is_copy]
    if copies:
        first = min(copies, key=lambda row: (row.first_there, row.there))
        return Site(tie(first), False)
    telling = [row for row in near if tie(row).sure != FEW]
    is_first = bool(telling) and all(map(was_first, telling))
    return Site(tie(near[0]), is_first) if near else None


class Source(NamedTuple):
    """A site from which others have copied."""

    name: str
    sites: int
    clear: int  # of these sites, those of which it is clear
    share: float  # of their labels that they have in common with it, on the mean
    ties: list[Tie]  # the first of them


class Copying(NamedTuple):
    """What the report says of who copied from whom."""

    copies: int  # bad sites that have much in common with one that was first
    opens: int  # with one of which that is open
    few: int  # or there are too few chunks to tell
    firsts: int  # and that were first themselves
    sources: list[Source]
    more: int  # sources that are not listed
    open: list[Tie]
    wanted: dict[str, Site]


def copying(rows: Iterable[Origin], wanted: Collection[str]) -> Copying:
    """Read all rows once; also what is known of some sites."""
    counts = dict.fromkeys(('copies', 'opens', 'few', 'firsts'), 0)
    kept: dict[str, Site] = {}
    still_open: list[tuple[int, str, Tie]] = []

    def lines() -> Iterator[bytes]:
        for here, same in groupby(rows, lambda row: row.here):
            site = judged(same)
            if not site:
                continue
            if here in wanted:
                kept[here] = site
            if site.tie.is_copy:
                counts['copies'] += 1
                yield line_of(site.tie)
            elif site.is_first:
                counts['firsts'] += 1
            else:
                counts['few' if site.tie.sure == FEW else 'opens'] += 1
                still_open.append((-site.tie.shared, here, site.tie))
                still_open[:] = heapq.nsmallest(OPEN, still_open)

    sources, found = 0, []
    for source in by_source(tables.sort(lines())):
        sources += 1
        shared = sum(one.shared for one in source.ties)
        found = heapq.nsmallest(
            SOURCES, [*found, (-source.sites, -shared, source.name, source)]
        )
    best = [source for *_, source in found]
    each = max(FEWEST, TIES // max(1, len(best)))
    return Copying(
        **counts,
        sources=[one._replace(ties=one.ties[:each]) for one in best],
        more=sources - len(best),
        open=[one for *_, one in still_open],
        wanted=kept,
    )


def line_of(one: Tie) -> bytes:
    """A tie as a line that sorts by source, then by what is shared."""
    key = f'{one.there}\t{MOST - one.shared:020d}'
    cells = map(str, one[1:])
    return '\t'.join([key, one.here, *cells]).encode('utf-8', 'surrogateescape')


def tie_of(line: bytes) -> Tie:
    """The tie of a line.

    >>> one = Tie('b/', 'a/', 5, 0.5, 5, 5, 7, WEAK)
    >>> tie_of(line_of(one)) == one
    True
    """
    _, _, *cells = line.decode('utf-8', 'surrogateescape').split('\t')
    here, there, shared, share, first, dated, seconds, sure = cells
    numbers = int(first), int(dated), int(seconds)
    return Tie(here, there, int(shared), float(share), *numbers, sure)


def by_source(lines: Iterable[bytes]) -> Iterator[Source]:
    """Sorted ties, added up by their sources."""
    for _, same in groupby(lines, lambda line: line.partition(b'\t')[0]):
        count, clear, share = 0, 0, 0.0
        ties: list[Tie] = []
        for one in map(tie_of, same):
            count += 1
            clear += one.sure == CLEAR
            share += one.share
            if len(ties) < TIES:
                ties.append(one)
        yield Source(ties[0].there, count, clear, share / count, ties)


def links_among(run: Run, sites: Collection[str]) -> list[Link]:
    """The links from one of some sites to another, the most first."""
    if not run.has('links.tsv'):
        return []
    rows = (row for row in run.rows('links.tsv') if {row.source, row.target} <= sites)
    return heapq.nsmallest(LINKS, rows, key=lambda row: (-row.pages, row[:2]))


def rings(run: Run) -> tuple[int, list[list[str]]]:
    """How many rings there are, and sites of the largest."""
    count, found = 0, []
    for row in run.rows('rings.tsv') if run.has('rings.tsv') else ():
        count = max(count, row.ring)
        if row.ring <= RINGS:
            found += [[] for _ in range(row.ring - len(found))]
            found[-1].append(row.site)
    return count, found


def section(run: Run, wanted: Collection[str]) -> dict[str, Any] | None:
    """Who copied from whom: as a graph, and as a table."""
    if not (run.is_detected and run.has('origins.tsv')):
        return None
    found = copying(run.rows('origins.tsv'), wanted)
    graph = arcs.graph_of(
        [(one.name, one.sites, one.ties[:DRAWN]) for one in found.sources],
        [one for one in found.open if one.sure == UNKNOWN],
    )
    links = links_among(run, {node.name for node in graph.nodes})
    return {
        'found': found,
        'graph': arcs.draw(graph, links),
        'links': links,
        'is_linked': run.has('links.tsv'),
        'rings': rings(run),
    }
