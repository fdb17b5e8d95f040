"""A group of quilted pages, their sources and near misses, and methods to plan them."""

from collections.abc import Iterable

from mr_reuse.synth.planned.page_group import PageGroup
from mr_reuse.synth.planned.passages import Passage
from mr_reuse.synth.planned.planned_page import PlannedPage, Server
from mr_reuse.synth.quilts.holders import Holders

MARKERS_PER_GROUP = 50_000
SERVERS_PER_GROUP = 400
# Lengths in words. Whatever is drawn, four passages that others have, with own ones
# between and around them, are more than half of a page.
SHORTEST, LENGTHS = 30, 40  # of a passage that others have
SHORTEST_OWN, OWN_LENGTHS = 3, 20  # of a passage that no other page has
LESS_THAN_HALF = 3, 2  # own words for each word that others copy
EARLY = 'original', 'copied', 'post'  # kinds of pages that others copy from


class QuiltGroup(PageGroup):
    """Pages, planned one after the other by functions that call these methods."""

    def __init__(self, seed: int, number: int) -> None:
        marker, server = number * MARKERS_PER_GROUP, number * SERVERS_PER_GROUP
        super().__init__(seed, number, marker, server)

    def own_passage(self, length: int = 0) -> Passage:
        """Return a passage for one page, of a random length if none is given."""
        return self.supply.passage(length or SHORTEST_OWN + self.draw(OWN_LENGTHS))

    def shared_passage(self, longer: int = 0) -> Passage:
        """Return a passage for several pages, of a random length."""
        return self.supply.passage(SHORTEST + longer + self.draw(LENGTHS))

    def add_page(
        self,
        kind: str,
        server: Server,
        content: Iterable[Passage] = (),
        home: bool = False,
    ) -> PlannedPage:
        """Plan a page on a server, as the home page of the host if asked."""
        url = self.new_url(server, home)
        top = self.own_passage(2 + self.draw(5)), self.own_passage()
        page = PlannedPage(kind, server, url, top, self.own_passage(), list(content))
        self.pages.append(page)
        return page

    def add_excerpt(self, original: PlannedPage, longer: int = 0) -> Passage:
        """Add a passage to copy to a page, after more words that stay its own."""
        passage = self.shared_passage(longer)
        many, few = LESS_THAN_HALF
        original.content += [self.own_passage(passage.length * many // few), passage]
        return passage

    def put_spaces(self, passages: Iterable[Passage], own: int = 0) -> list[Passage]:
        """Return passages with own ones between them, of a few or of `own` words."""
        spaced = []
        for passage in passages:
            spaced += [passage, self.own_passage(own or 1 + self.draw(6))]
        return spaced

    def set_grams(self, page: PlannedPage, grams: int) -> None:
        """Change the length of the bottom so that the page has a number of grams."""
        page.bottom = self.own_passage(page.bottom.length + grams - page.grams)

    def finish(self) -> Holders:
        """Order the pages by the time of their capture. Originals come first."""
        return Holders(self.order_pages(EARLY))
