"""Who copied from whom: all bad sites, put together by where they have it from.

`ties.py` says what a single site tells.
"""

import heapq
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from mr_reuse.messages import to_bytes, to_text
from mr_reuse.report.chunks import copy_graph
from mr_reuse.report.chunks.ties import CLEAR, FEW, UNKNOWN, Site, Tie, judged
from mr_reuse.report.run import Run
from mr_reuse.shuffle import sorting
from mr_reuse.tables.run_tables import LINKS, ORIGINS, RINGS

Link = LINKS.row
Origin = ORIGINS.row

SOURCES = 8  # in the page
TIES, FEWEST = 24, 3  # of all of them, of each
DRAWN = 8  # of each, in the graph
OPEN = 12  # ties of which the direction is open
RIVALS = 100  # of a source
MEMBERS = 1000  # of whom it is told who is in a ring
MAX_LINKS, MAX_RINGS = 40, 5


class Source(NamedTuple):
    """A site from which others have copied, without those that may be it as well."""

    name: str
    sites: int
    clear: int  # of these sites, those of which it is clear
    share: float  # of their labels that they have in common with it, on the mean
    ties: list[Tie]  # the first of them
    rivals: list[str]  # that may be the source as well
    hints: list[Tie]  # that these may have copied, too
    members: list[str]  # the bad sites of all these, none if they are too many

    @property
    def is_open(self) -> bool:
        """Whether another one may be the source."""
        return bool(self.rivals) or not self.clear


class Copying(NamedTuple):
    """What the report says of who copied from whom."""

    clear: int  # bad sites that are clearly a copy
    weak: int  # of which there is a hint that they are
    opens: int  # that have much in common with one, and that is open
    few: int  # or there are too few chunks to tell
    firsts: int  # and that were first themselves, by a day or more
    near: int  # or by less
    sources: list[Source]
    more: int  # sources that are not listed
    open: list[Tie]
    wanted: dict[str, Site]


def copying(rows: Iterable[Origin], wanted: Collection[str]) -> Copying:
    """Read all rows once; also what is known of some sites."""
    counts: Counter[str] = Counter()
    kept: dict[str, Site] = {}

    def lines() -> Iterator[bytes]:
        for here, same in groupby(rows, lambda row: row.neighborhood):
            if site := judged(same):
                if here in wanted:
                    kept[here] = site
                yield line_of(site)

    number, best, still_open = 0, [], []
    for source, site in by_name(sorting.sort_lines(lines())):
        if source:
            number += 1
            counts['clear'] += source.clear
            counts['weak'] += source.sites - source.clear + len(source.hints)
            shared = sum(one.shared for one in source.ties)
            best.append((-source.sites, -shared, source.name, source))
            best = heapq.nsmallest(SOURCES, best)
        if site and site.is_first:
            counts['near' if site.near else 'firsts'] += 1
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
        *(counts[name] for name in Copying._fields[:6]),
        sources=[
            one._replace(ties=one.ties[:each], hints=one.hints[: copy_graph.RIVALS])
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
    order = sorting.descending(tie.shared).decode()
    line = f'{name}\t{rank}{order}\t{tie.here}\t{json.dumps(site)}'
    return to_bytes(line)


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
        members: list[str] = []
        for site in map(site_of, same):
            tie = site.tie
            if len(members) <= MEMBERS:
                members.append(tie.here)
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
        if clear and own and not own.is_first:
            near = [tie for tie in own.near if tie.there in rivals]
            own = own._replace(is_first=True, near=near)
        others = [other for other, _ in rivals.most_common()]
        cells = to_text(name), count, clear
        cells = *cells, share / max(1, count), ties, others, hints
        known = members if len(members) <= MEMBERS else []
        yield Source(*cells, known) if ties else None, own


def links_among(run: Run, sites: Collection[str]) -> list[Link]:
    """The links from one of some sites to another, the most first."""
    if not run.has(LINKS):
        return []
    rows = (row for row in run.rows(LINKS) if {row.source, row.target} <= sites)
    return heapq.nsmallest(MAX_LINKS, rows, key=lambda row: (-row.pages, row[:2]))


class Kind(NamedTuple):
    """What some of the bad sites are: in short, and how that is known."""

    count: int
    said: str
    more: str = ''


def kinds(found: Copying, bad: int, site: str) -> list[Kind]:
    """What the bad sites are, without kinds that there are none of.

    >>> found = Copying(2, 1, 0, 0, 1, 0, [], 0, [], {})
    >>> [f'{kind.count} {kind.said}' for kind in kinds(found, 4, 'site')]
    ['2 are clear copies', '1 may be a copy, by a hint', '1 is a clear source']
    """

    def words(count: int, one: str, many: str) -> str:
        return one if count == 1 else many

    clear, weak, opens, few, firsts, near = found[:6]
    little = max(0, bad - sum(found[:6]))
    whence = 'repeats itself, or has', 'repeat themselves, or have'
    all_kinds = (
        Kind(clear, words(clear, 'is a clear copy', 'are clear copies')),
        Kind(
            weak,
            f'may be {words(weak, "a copy", "copies")}, by a hint',
            'captured later than another, but by less than a day',
        ),
        Kind(
            opens,
            f'{words(opens, "shares", "share")} much, and who had it first is open',
        ),
        Kind(
            few,
            f'{words(few, "shares", "share")} much, but with too few dates',
            'fewer than 10 chunks with dates on both sides',
        ),
        Kind(
            firsts,
            words(firsts, 'is a clear source', 'are clear sources'),
            'captured first, by a day or more',
        ),
        Kind(
            near,
            f'{words(near, "was", "were")} captured first, by less than a day',
            f'{words(near, "it", "each")} may be the source, or a copy',
        ),
        Kind(
            little,
            f'{words(little, "has", "have")} little in common with any one',
            f'{words(little, "it", "they")} {words(little, *whence)} what is on more '
            f'than 100 {site}s, which does not count here',
        ),
    )
    return [kind for kind in all_kinds if kind.count]


class Ringed(NamedTuple):
    """Bad sites that share with a source: those in a ring, and those not in it."""

    source: Source
    ring: list[str]
    others: list[str]


class Rings(NamedTuple):
    """Rings of bad sites that link to each other."""

    count: int
    sites: int  # in all of them
    largest: list[list[str]]  # sites of the first of them
    groups: list[Ringed]  # where it is open who is the source


def rings(run: Run, sources: Iterable[Source]) -> Rings:
    """How many rings there are, sites of the largest, and who of a group is in one."""
    count, sites, found = 0, 0, []
    groups = [(one, {*one.members}, {}) for one in sources if one.is_open]
    for row in run.rows(RINGS) if run.has(RINGS) else ():
        count, sites = max(count, row.ring), sites + 1
        if row.ring <= MAX_RINGS:
            found += [[] for _ in range(row.ring - len(found))]
            found[-1].append(row.site)
        for _, members, ringed in groups:
            if row.site in members:
                ringed.setdefault(row.ring, []).append(row.site)
    told = []
    for one, members, ringed in groups:
        most = max(ringed.values(), key=len, default=[])
        if len(most) > 1:
            told.append(Ringed(one, most, sorted(members.difference(most))))
    return Rings(count, sites, found, told)


def section(run: Run, wanted: Collection[str]) -> dict[str, Any] | None:
    """Who copied from whom: as a graph, and as a table."""
    if not run.is_detected:
        return None
    found = copying(run.rows(ORIGINS), wanted)
    graph = copy_graph.graph_of(
        [one._replace(ties=one.ties[:DRAWN]) for one in found.sources],
        [one for one in found.open if one.sure == UNKNOWN],
    )
    ringed = rings(run, found.sources)
    ring_of = {name: n for n, ring in enumerate(ringed.largest, 1) for name in ring}
    links = links_among(run, {node.name for node in graph.nodes})
    return {
        'found': found,
        'graph': copy_graph.draw(graph, links, ring_of),
        'links': links,
        'is_linked': run.has(LINKS),
        'rings': ringed,
    }
