"""A group of pages that share phrases, and what the key states of them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mr_reuse.synth.planned.page_group import PageGroup
from mr_reuse.synth.planned.passages import Passage
from mr_reuse.synth.planned.planned_page import MENU, PlannedPage, Server

# After the markers and servers of quilts.
FIRST_MARKER, MARKERS_PER_GROUP = 5_000_000, 100_000
FIRST_SERVER, SERVERS_PER_GROUP = 40_000, 600
Edges = tuple[Passage, Passage, Passage]  # title, lead and bottom
EDGES = 3, 5, 6  # words
EDGE_WORDS = sum(EDGES) + len(MENU)
NOT_LISTED, LISTED, MONSTER = '-', '0', '1'


class Pair(NamedTuple):
    """Two pages whose resemblance the key states."""

    kind: str
    first: PlannedPage
    second: PlannedPage


class Site(NamedTuple):
    """A planted host, and whether it is listed, and as a monster."""

    kind: str
    host: str
    pages: int
    monster: str


class PhraseGroup(PageGroup):
    """Pages, planned one after the other by functions that call these methods.

    `classes` has the number of the class of a near-duplicate.
    """

    name = 'phrases'
    label = 'phrase'

    def __init__(self, seed: int, number: int) -> None:
        marker = FIRST_MARKER + number * MARKERS_PER_GROUP
        server = FIRST_SERVER + number * SERVERS_PER_GROUP
        super().__init__(seed, number, marker, server)
        self.classes: dict[PlannedPage, int] = {}
        self.pairs: list[Pair] = []
        self.sites: list[Site] = []

    def new_edges(self) -> Edges:
        """Return a new title, lead and bottom."""
        title, lead, bottom = map(self.supply.passage, EDGES)
        return title, lead, bottom

    def new_passages(self, count: int, length: int) -> list[Passage]:
        """Return new passages of some words each."""
        return [self.supply.passage(length) for _ in range(count)]

    def add_page(
        self,
        kind: str,
        server: Server,
        content: Iterable[Passage],
        edges: Edges | None = None,
    ) -> PlannedPage:
        """Plan a page, with a title, lead and bottom of its own if none are given.

        It has no scripts, whose words would be text of the page.
        """
        title, lead, bottom = edges or self.new_edges()
        url = self.new_url(server)
        page = PlannedPage(kind, server, url, (title, lead), bottom, list(content))
        page.has_scripts = False
        self.pages.append(page)
        return page

    def add_class(self, pages: Sequence[PlannedPage]) -> None:
        """Add a class of near-duplicates, and the pairs of the first with each other.

        In a chain each page makes a pair with the one before it.
        """
        number = 1 + max(self.classes.values(), default=0)
        self.classes.update(dict.fromkeys(pages, number))
        for last, page in enumerate(pages[1:]):
            first = pages[last if page.kind == 'chain' else 0]
            self.pairs.append(Pair(page.kind, first, page))

    def add_site(self, kind: str, pages: Sequence[PlannedPage], monster: str) -> None:
        """Add the host of some pages to the key."""
        self.sites.append(Site(kind, pages[0].server.host, len(pages), monster))

    def shuffle(self, passages: Sequence[Passage]) -> list[Passage]:
        """Return passages in a random order."""
        rest, shuffled = list(passages), []
        while rest:
            shuffled.append(rest.pop(self.draw(len(rest))))
        return shuffled
