"""The styles of a sample as JSON: the prototype beside some of the other members."""

from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from mr_reuse.archives.urls import url_host
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.pages.documents.servers import domain_of
from mr_reuse.pages.documents.showing.opened import OpenSource, open_source
from mr_reuse.pages.documents.showing.system_results import SystemResults
from mr_reuse.review.book import Task
from mr_reuse.review.sides import shared_source
from mr_reuse.review.sides.parts import (
    MAX_TEXT,
    Json,
    Part,
    cut_parts,
    describe_item,
    gone,
    name_page,
)
from mr_reuse.review.sides.shared_source import Linker, Source
from mr_reuse.styles.run import NAME
from mr_reuse.styles.style_tables import STYLE_MEMBERS, STYLES

SHOWN = 6  # members beside the prototype
# Titles and colours of what a part of the prototype shares with the members.
TITLES = {
    shared_source.SAME_IN_ALL: ('the same in all members', 0),
    shared_source.SAME_IN_SOME: ('the same in some of the members', 1),
    shared_source.SIGNS_OF_ALL: ('the same signs in all members', 2),
    shared_source.SIGNS_OF_SOME: ('the same signs in some of the members', 3),
}
# The same of a part of a member.
BESIDE = {
    shared_source.SAME_IN_ALL: ('the same in the prototype', 0),
    shared_source.SIGNS_OF_ALL: ('the same signs in the prototype', 2),
}


class Side(NamedTuple):
    """A page, with its source if it could be read, else the reason."""

    rid: str
    url: str
    page: OpenSource | None
    source: Source | None
    why: str

    def to_json(self, about: str = '') -> Json:
        """Return its names."""
        date = self.page.date if self.page else ''
        return name_page(self.rid, self.url, date, about)


class OpenStyle(NamedTuple):
    """A style: its prototype with its parts, and other members."""

    prototype: Side
    parts: list[Part]
    linker: Linker | None  # None if the prototype could not be read
    members: list[Side]


class StyleShowcase:
    """The items of a task on styles, in the memory of a few of them."""

    def __init__(self, task: Task, record: RunRecord):
        self._task, self._record = task, record
        self._results = SystemResults(task.run, record, NAME)
        self._n = self._results.read_options(lambda options: int(options['n']))
        places = range(1, len(task.sample.rows) + 1)
        self._members = self._find_members(map(self._row, places))
        self._open = lru_cache(maxsize=2)(self._open_style)

    def item(self, place: int) -> Json:
        """Return an item: its description, its prototype, and other members."""
        row, members = self._row(place), self._members_of(place)
        others = [
            name_page(one.rid, one.url, about=describe_member(one, row))
            for one in members
        ]
        return describe_item(self._task, place, [name_page(row.rid, row.url)], [others])

    def page(self, place: int, number: int) -> Json:
        """Return the parts of the prototype."""
        if number:
            raise IndexError(number)
        style = self._open(place)
        here = style.prototype
        if not here.page:
            return here.to_json() | gone(here.why)
        return here.to_json() | cut_parts(style.parts, here.page)

    def source(self, place: int, label: int, number: int) -> Json:
        """Return the parts of a member."""
        if label:
            raise IndexError(label)
        style = self._open(place)
        there = style.members[number]
        if not (there.page and there.source):
            return there.to_json() | gone(there.why)
        here, parts = style.prototype.source, [Part(there.page.text)]
        if here and style.linker:
            shared = shared_source.find_shared(there.source, here)
            shares = shared_source.find_shares(there.source, [shared])
            divided = shared_source.divide_source(there.source, shares)
            find_links = partial(style.linker.find_links, there.source)
            parts = [to_part(p, BESIDE, number + 1, find_links(p)) for p in divided]
        return there.to_json() | cut_parts(parts, there.page)

    def _row(self, place: int) -> Any:
        cells = to_text(self._task.sample.rows[place - 1].line).rstrip('\n')
        return STYLES.parse(cells.split('\t'))

    def _members_of(self, place: int) -> list[Any]:
        return self._members.get(self._row(place).style, [])

    def _find_members(self, styles: Iterable[Any]) -> dict[int, list[Any]]:
        """Return some members of each style, by their numbers."""
        wanted, found = {row.style: row for row in styles}, {}
        members = self._results.rows(STYLE_MEMBERS)
        for style, group in groupby(members, attrgetter('style')):
            if style in wanted:
                found[style] = choose_members(wanted[style], group)
            if len(found) == len(wanted):
                break
        return found

    def _open_style(self, place: int) -> OpenStyle:
        """Read a style from the archives, and find what its pages share."""
        prototype = self._read(self._row(place))
        members = [self._read(row) for row in self._members_of(place)]
        here = prototype.source
        if not here:
            return OpenStyle(prototype, [], None, members)
        numbers = [n for n, side in enumerate(members, 1) if side.source]
        shared = [
            shared_source.find_shared(here, side.source)
            for side in members
            if side.source
        ]
        shares = shared_source.find_shares(here, shared)
        divided = list(shared_source.divide_source(here, shares))
        linker = Linker(here, divided, shared)
        parts = [
            to_part(part, TITLES, [0, *numbers][link.owner], (link.number,))
            for part, link in zip(divided, linker.links, strict=True)
        ]
        return OpenStyle(prototype, parts, linker, members)

    def _read(self, row: Any) -> Side:
        try:
            page = open_source(self._record, row.rid, STYLE_MEMBERS.file, MAX_TEXT)
        except (OSError, UserError) as error:
            return Side(row.rid, row.url, None, None, str(error))
        source = shared_source.read_source(page.text, self._n)
        return Side(row.rid, row.url, page, source, '')


def unit_of(row: Any) -> str:
    """Return the domain of a page; the page itself if it has no host."""
    return domain_of(url_host(row.url)) or row.rid


def choose_members(style: Any, members: Iterable[Any]) -> list[Any]:
    """Choose members to show, from the one most like the prototype to the least.

    They are on different domains, other than that of the prototype, at even distances
    in the order of their similarity. A style of one domain has others.

    >>> rids = [f'a:{n}' for n in range(20)]
    >>> rows = [STYLE_MEMBERS.row(1, rid, f'http://{rid[2:]}.org/', '') for rid in rids]
    >>> style = STYLES.row(1, 20, 20, 20, '', '', 'a:3', 'http://3.org/')
    >>> [row.rid for row in choose_members(style, rows)]
    ['a:0', 'a:4', 'a:8', 'a:11', 'a:15', 'a:19']
    """
    is_single = style.domains == 1
    wanted = spread(style.pages - 1 if is_single else style.domains - 1, SHOWN)
    seen, chosen, count = {unit_of(style)}, [], 0
    for row in members:
        unit = row.rid if is_single else unit_of(row)
        if row.rid == style.rid or unit in seen:
            continue
        seen.add(unit)
        if count in wanted:
            chosen.append(row)
        count += 1
    return chosen


def spread(count: int, most: int) -> set[int]:
    """Return at most so many numbers below another one, the first and the last too.

    >>> sorted(spread(20, 3)), sorted(spread(2, 3))
    ([0, 9, 19], [0, 1])
    """
    most = min(count, most)
    return {n * (count - 1) // max(1, most - 1) for n in range(most)}


def describe_member(row: Any, style: Any) -> str:
    """Describe a member.

    >>> row = STYLE_MEMBERS.row(1, 'a:0', 'http://a.org/', '0.812500000')
    >>> style = STYLES.row(1, 20, 20, 20, '', '', 'a:3', 'http://b.org/')
    >>> describe_member(row, style)
    'similarity 0.81; another domain'
    """
    where = 'the same domain' if unit_of(row) == unit_of(style) else 'another domain'
    return f'similarity {float(row.similarity):.2f}; {where}'


def to_part(
    part: shared_source.Part,
    titles: Mapping[int, tuple[str, int]],
    owner: int,
    links: tuple[int, ...],
) -> Part:
    """Return a part of a page, given the number of the member that has it.

    >>> same = shared_source.Part('<p>', shared_source.SAME_IN_ALL, 0, 3)
    >>> to_part(same, BESIDE, 2, (7,))[1:]
    ('the same in the prototype', '', 0, 2, (7,))
    """
    if not part.share:
        return Part(part.text)
    title, colour = titles[part.share]
    return Part(part.text, title, '', colour, owner, links)
