"""Who copied from whom: all bad sites, put together by where they have it from.

`ties.py` says what a single site tells.
"""

import heapq
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from mr_reuse import tables
from mr_reuse.reporting import arcs
from mr_reuse.reporting.runs import Link, Origin, Run
from mr_reuse.reporting.ties import CLEAR, FEW, UNKNOWN, Site, Tie, judged

SOURCES = 8  # in the page
TIES, FEWEST = 24, 3  # of all of them, of each
DRAWN = 8  # of each, in the graph
OPEN = 12  # ties of which the direction is open
RIVALS = 100  # of a source
LINKS, RINGS = 40, 5
MOST = 10**20


class Source(NamedTuple):
    """A site from which others have copied, without those that may be it as well."""

    name: str
    sites: int
    clear: int  # of these sites, those of which it is clear
    share: float  # of their labels that they have in common with it, on the mean
    ties: list[Tie]  # the first of them
    rivals: list[str]  # that may be the source as well
    hints: list[Tie]  # that these may have copied, too


class Copying(NamedTuple):
    """What the report says of who copied from whom."""

    clear: int  # bad sites that are clearly a copy
    weak: int  # of which there is a hint that they are
    opens: int  # that have much in common with one, and that is open
    few: int  # or there are too few chunks to tell
    firsts: int  # and that were first themselves
    sources: list[Source]
    more: int  # sources that are not listed
    open: list[Tie]
    wanted: dict[str, Site]


def copying(rows: Iterable[Origin], wanted: Collection[str]) -> Copying:
    """Read all rows once; also what is known of some sites."""
    counts: Counter[str] = Counter()
    kept: dict[str, Site] = {}

    def lines() -> Iterator[bytes]:
        for here, same in groupby(rows, lambda row: row.here):
            if site := judged(same):
                if here in wanted:
                    kept[here] = site
                yield line_of(site)

    number, best, still_open = 0, [], []
    for source, site in by_name(tables.sort(lines())):
        if source:
            number += 1
            counts['clear'] += source.clear
            counts['weak'] += source.sites - source.clear + len(source.hints)
            shared = sum(one.shared for one in source.ties)
            best.append((-source.sites, -shared, source.name, source))
            best = heapq.nsmallest(SOURCES, best)
        if site and site.is_first:
            counts['firsts'] += 1
            if site.tie.here in kept:
                kept[site.tie.here] = site
        elif site:
            counts['few' if site.tie.sure == FEW else 'opens'] += 1
            still_open.append((-site.tie.shared, site.tie.here, site))
            still_open = heapq.nsmallest(OPEN, still_open)

    sources = [source for *_, source in best]
    known = {one.name for one in sources if one.clear}
    each = max(FEWEST, TIES // max(1, len(sources)))
    return Copying(
        *(counts[name] for name in Copying._fields[:5]),
        sources=[
            one._replace(ties=one.ties[:each], hints=one.hints[: arcs.RIVALS])
            for one in sources
        ],
        more=number - len(sources),
        open=[partner(site, known) for *_, site in still_open],
        wanted={n: one._replace(tie=partner(one, known)) for n, one in kept.items()},
    )


def partner(site: Site, sources: Collection[str]) -> Tie:
    """Of others with which it is open who was first, one from which more have copied.

    >>> a, b = (Tie('x/', name, 5, 0.5, 5, 10, 7, UNKNOWN) for name in ('a/', 'b/'))
    >>> partner(Site(a, near=[a, b]), {'b/'}).there, partner(Site(a), {'b/'}).there
    ('b/', 'a/')
    """
    return next((one for one in site.near if one.there in sources), site.tie)


def line_of(site: Site) -> bytes:
    """A site as a line that sorts by source; there by how sure, and by what is shared.

    A site that is no copy sorts before those that have copied from it.
    """
    tie = site.tie
    name = tie.there if tie.is_copy else tie.here
    rank = 1 + (tie.sure != CLEAR) if tie.is_copy else 0
    line = f'{name}\t{rank}{MOST - tie.shared:020d}\t{tie.here}\t{json.dumps(site)}'
    return line.encode('utf-8', 'surrogateescape')


def site_of(line: bytes) -> Site:
    """The site of a line.

    >>> one = Site(Tie('b/', 'a\\udcff/', 5, 0.5, 5, 5, 7, CLEAR, ['c/']), False, [])
    >>> site_of(line_of(one)) == one
    True
    """
    tie, is_first, near = json.loads(line.rpartition(b'\t')[2])
    return Site(Tie(*tie), is_first, [Tie(*one) for one in near])


def by_name(lines: Iterable[bytes]) -> Iterator[tuple[Source | None, Site | None]]:
    """Sorted lines, added up: a site as a source; what it says, if it is no copy."""
    for name, same in groupby(lines, lambda line: line.partition(b'\t')[0]):
        own, clear, share, count = None, 0, 0.0, 0
        ties: list[Tie] = []
        hints: list[Tie] = []
        rivals: Counter[str] = Counter()
        for site in map(site_of, same):
            tie = site.tie
            if not tie.is_copy:
                own = site
            elif tie.here in rivals:
                hints.append(tie)
            else:
                count += 1
                clear += tie.sure == CLEAR
                share += tie.share
                if len(ties) < TIES:
                    ties.append(tie)
                if len(rivals) < RIVALS:
                    rivals.update(tie.rivals)
        if clear and own:
            own = own._replace(is_first=True)
        others = [other for other, _ in rivals.most_common()]
        cells = name.decode('utf-8', 'surrogateescape'), count, clear
        found = Source(*cells, share / count, ties, others, hints) if ties else None
        yield found, own


def links_among(run: Run, sites: Collection[str]) -> list[Link]:
    """The links from one of some sites to another, the most first."""
    if not run.has('links.tsv'):
        return []
    rows = (row for row in run.rows('links.tsv') if {row.source, row.target} <= sites)
    return heapq.nsmallest(LINKS, rows, key=lambda row: (-row.pages, row[:2]))


class Rings(NamedTuple):
    """Rings of bad sites that link to each other."""

    count: int
    sites: int  # in all of them
    largest: list[list[str]]  # sites of the first of them


def rings(run: Run) -> Rings:
    """How many rings there are, and sites of the largest."""
    count, sites, found = 0, 0, []
    for row in run.rows('rings.tsv') if run.has('rings.tsv') else ():
        count, sites = max(count, row.ring), sites + 1
        if row.ring <= RINGS:
            found += [[] for _ in range(row.ring - len(found))]
            found[-1].append(row.site)
    return Rings(count, sites, found)


def section(run: Run, wanted: Collection[str]) -> dict[str, Any] | None:
    """Who copied from whom: as a graph, and as a table."""
    if not (run.is_detected and run.has('origins.tsv')):
        return None
    found = copying(run.rows('origins.tsv'), wanted)
    graph = arcs.graph_of(
        [one._replace(ties=one.ties[:DRAWN]) for one in found.sources],
        [one for one in found.open if one.sure == UNKNOWN],
    )
    ringed = rings(run)
    ring_of = {name: n for n, ring in enumerate(ringed.largest, 1) for name in ring}
    links = links_among(run, {node.name for node in graph.nodes})
    return {
        'found': found,
        'graph': arcs.draw(graph, links, ring_of),
        'links': links,
        'is_linked': run.has('links.tsv'),
        'rings': ringed,
    }
