"""The section of origins: all bad sites, grouped by the site captured first.

`ties.py` judges a single site.
"""

import heapq
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from mr_reuse.chunks.chunk_tables import LINKS, ORIGINS
from mr_reuse.chunks.facts import Facts
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.report.chunks import copy_graph, rings
from mr_reuse.report.chunks.alike import Alike, SameLabels
from mr_reuse.report.chunks.ties import (
    CLEAR,
    FAMILY,
    FEW,
    GIVEN,
    NO_FACTS,
    SAME,
    UNKNOWN,
    Site,
    Tie,
    judge,
)
from mr_reuse.report.run import Run
from mr_reuse.shuffle import sorting

Origin = ORIGINS.row

# Limits of the page. Only these many are held in memory.
MAX_SOURCES = 8
MAX_TIES = 24  # rows of the table, over all sources
MIN_TIES = 3  # rows of a source, if there are many sources
MAX_DRAWN = 8  # copies of a source in the graph
MAX_OPEN = 12  # ties with an open direction, and sites of families
MAX_RIVALS = 100  # of a source
MAX_MEMBERS = 1000  # of a group of sites that is compared with the rings


class Source(NamedTuple):
    """A site that was captured first, or that the user named as a source.

    The others are sites that have the same chunks.
    """

    name: str
    sites: int  # the others: those captured after it, without the rivals
    clear: int  # of these, those captured a day or more after it
    share: float  # mean share of the chunks of such a site that the source has too
    ties: list[Tie]  # of the first such sites
    rivals: list[str]  # sites that may have been first as well
    hints: list[Tie]  # of rivals that may be copies themselves
    members: list[str]  # all bad sites of the group, empty if there are too many
    lead: int = 0  # seconds to the first capture of the next site
    named: str = (
        ''  # the host that the user named as the source, '' if only dates count
    )

    @property
    def is_open(self) -> bool:
        """True if another site may be the first."""
        return not self.named and (bool(self.rivals) or not self.clear)

    @property
    def kinds(self) -> dict[str, int]:
        """The numbers of the others by kind, a field of `Copying`."""
        if self.named:
            return {'named': self.sites}
        weak = self.sites - self.clear + len(self.hints)
        return {'clear': self.clear, 'weak': weak}


class Family(NamedTuple):
    """Hosts of one owner that have much in common only with each other."""

    hosts: list[str]
    bad: int  # of them, the bad sites
    shared: int  # the most chunks that two of them have in common


class Copying(NamedTuple):
    """The counts of bad sites by kind, and the ties of the report."""

    named: int  # bad sites that share much with a source that the user named
    given: int  # that are such a source
    clear: int  # that were captured a day or more after another
    weak: int  # that were captured less than a day after another
    same: int  # that were captured in the same second as another
    opens: int  # that have much in common with others in an open order
    few: int  # that have too few chunks with dates
    firsts: int  # that were captured first, by a day or more
    near: int  # that were captured first, by less than a day
    family: int  # that have much in common only with hosts of the same owner
    sources: list[Source]
    more: int  # sources that are not listed
    open: list[Tie]  # ties with an open direction
    wanted: dict[str, Site]  # of the sites of listed neighborhoods
    families: list[Family]  # of sites that are counted as `family`
    has_families: bool = False  # that the user stated
    alike: Sequence[Alike] = ()  # sites of no kind that have the same labels


COUNTS = Copying._fields[: Copying._fields.index('sources')]
OPEN_KINDS = 'same', 'opens', 'few'  # of sites that the report lists with a tie


def kind_of(site: Site) -> str:
    """Return the field of `Copying` that counts a site without an earlier one."""
    if site.is_first:
        return 'near' if site.near else 'firsts'
    kinds = {FEW: 'few', SAME: 'same', FAMILY: 'family', GIVEN: 'given'}
    return kinds.get(site.tie.sure, 'opens')


def copying(
    rows: Iterable[Origin], wanted: Collection[str], facts: Facts = NO_FACTS
) -> Copying:
    """Read all rows once; `wanted` names the sites to return one by one."""
    counts: Counter[str] = Counter()
    kept: dict[str, Site] = {}
    alike = SameLabels()

    def lines() -> Iterator[bytes]:
        for here, rows_of_site in groupby(rows, lambda row: row.neighborhood):
            same = list(rows_of_site)
            if site := judge(same, facts):
                if here in wanted:
                    kept[here] = site
                yield line_of(site)
            else:
                alike.add(same)

    # Sorting on disk groups any number of sites by their sources in bounded memory.
    number, best, still_open, family = 0, [], [], []
    listed = {**dict.fromkeys(OPEN_KINDS, still_open), 'family': family}
    for source, site in by_name(sorting.sort_lines(lines())):
        if source:
            number += 1
            counts.update(source.kinds)
            shared = sum(tie.shared for tie in source.ties)
            order = not source.named, -source.sites, -shared
            best.append((*order, source.name, source))
            best = heapq.nsmallest(MAX_SOURCES, best)
        if not site:
            continue
        counts[kind_of(site)] += 1
        if site.is_first and site.tie.here in kept:
            kept[site.tie.here] = site
        if (most_shared := listed.get(kind_of(site))) is not None:
            most_shared.append((-site.tie.shared, site.tie.here, site))
            most_shared[:] = heapq.nsmallest(MAX_OPEN, most_shared)

    sources = [source for *_, source in best]
    known = {source.name for source in sources if source.clear}
    per_source = max(MIN_TIES, MAX_TIES // max(1, len(sources)))
    return Copying(
        *(counts[name] for name in COUNTS),
        sources=[
            source._replace(
                ties=source.ties[:per_source],
                hints=source.hints[: copy_graph.MAX_RIVALS],
            )
            for source in sources
        ],
        more=number - len(sources),
        open=[partner(site, known) for *_, site in still_open],
        wanted={
            name: site._replace(tie=partner(site, known)) for name, site in kept.items()
        },
        families=group_families([site.tie for *_, site in family], facts),
        has_families=bool(facts.families.named),
        alike=alike.find(),
    )


def group_families(ties: Iterable[Tie], facts: Facts) -> list[Family]:
    """Group ties of one owner, which are sorted, by the owner.

    >>> from mr_reuse.chunks.families import Families
    >>> pairs = ('a.org/', 'b.net/'), ('m.x.com/', 'x.com/'), ('x.com/', 'm.x.com/')
    >>> ties = [Tie(*pair, 5, 0.5, 5, 5, 7, FAMILY) for pair in pairs]
    >>> facts = Facts(families=Families([['a.org', 'b.net']]))
    >>> [family[:2] for family in group_families(ties, facts)]
    [(['a.org/', 'b.net/'], 1), (['m.x.com/', 'x.com/'], 2)]
    """
    by_owner: dict[str, list[Tie]] = {}
    for tie in ties:
        by_owner.setdefault(facts.families.owner_of(tie.here), []).append(tie)
    return [
        Family(
            sorted({name for tie in same for name in (tie.here, tie.there)}),
            len(same),
            same[0].shared,
        )
        for same in by_owner.values()
    ]


def partner(site: Site, sources: Collection[str]) -> Tie:
    """Choose the tie to show of a site with an open order: with a source, if any.

    >>> a, b = (Tie('x/', name, 5, 0.5, 5, 10, 7, UNKNOWN) for name in ('a/', 'b/'))
    >>> partner(Site(a, near=[a, b]), {'b/'}).there, partner(Site(a), {'b/'}).there
    ('b/', 'a/')
    """
    return next((tie for tie in site.near if tie.there in sources), site.tie)


def line_of(site: Site) -> bytes:
    """Encode a site as a line that sorts by source, grade and shared chunks.

    A site without a first or named one sorts before the sites that have it as such.
    """
    tie = site.tie
    name = tie.there if tie.has_first else tie.here
    rank = 1 + (tie.sure != CLEAR) if tie.has_first else 0
    order = sorting.descending(tie.shared).decode()
    line = f'{name}\t{rank}{order}\t{tie.here}\t{json.dumps(site)}'
    return to_bytes(line)


def site_of(line: bytes) -> Site:
    """Decode the site of a line.

    >>> site = Site(Tie('b/', 'a\\udcff/', 5, 0.5, 5, 5, 7, CLEAR, ['c/']), False, [])
    >>> site_of(line_of(site)) == site
    True
    """
    tie, is_first, near = json.loads(line.rpartition(b'\t')[2])
    return Site(Tie(*tie), is_first, [Tie(*fields) for fields in near])


def by_name(lines: Iterable[bytes]) -> Iterator[tuple[Source | None, Site | None]]:
    """Group sorted lines by name; yield the source, and its own site without one."""
    for name, same in groupby(lines, lambda line: line.partition(b'\t')[0]):
        own, clear, share, count, lead, named = None, 0, 0.0, 0, 0, ''
        ties: list[Tie] = []
        hints: list[Tie] = []
        rivals: Counter[str] = Counter()
        members: list[str] = []
        for site in map(site_of, same):
            tie = site.tie
            if len(members) <= MAX_MEMBERS:
                members.append(tie.here)
            if not tie.has_first:
                own = site
            elif tie.here in rivals:
                # Copies sort by grade: rivals come from the clear copies before this.
                hints.append(tie)
            else:
                count += 1
                clear += tie.sure == CLEAR
                share += tie.of_chunks
                named = tie.source
                seconds = tie.seconds or 0
                lead = seconds if count == 1 else min(lead, seconds)
                if len(ties) < MAX_TIES:
                    ties.append(tie)
                if len(rivals) < MAX_RIVALS:
                    rivals.update(tie.rivals)
        if clear and own and not own.is_first:
            near = [tie for tie in own.near if tie.there in rivals]
            own = own._replace(is_first=True, near=near)
        others = [other for other, _ in rivals.most_common()]
        mean = share / max(1, count)
        known = members if len(members) <= MAX_MEMBERS else []
        fields = to_text(name), count, clear, mean, ties, others, hints, known
        source = Source(*fields, lead=lead, named=named)
        yield source if ties else None, own


def section(run: Run, wanted: Collection[str]) -> dict[str, Any] | None:
    """Return the data of the graph, the table and the rings."""
    if not run.is_detected:
        return None
    origins = copying(run.rows(ORIGINS), wanted, Facts.of(run.record.detect))
    graph = copy_graph.graph_of(
        [source._replace(ties=source.ties[:MAX_DRAWN]) for source in origins.sources],
        [tie for tie in origins.open if tie.sure == UNKNOWN],
    )
    ringed = rings.read(run, origins.sources)
    ring_of = {name: n for n, ring in enumerate(ringed.largest, 1) for name in ring}
    links = rings.links_among(run, {node.name for node in graph.nodes})
    return {
        'origins': origins,
        'graph': copy_graph.draw(graph, links, ring_of),
        'links': links,
        'is_linked': run.has(LINKS),
        'unread': rings.count_unread(run),
        'rings': ringed,
    }
