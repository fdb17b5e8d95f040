"""A group of pages that share passages with each other only, and methods to plan them.

A crawl has one group or more, each with words and servers of its own.
"""

from collections.abc import Iterable
from itertools import count

from mr_reuse.synth import schedule
from mr_reuse.synth.prose import MANNERS, THINGS, draw, pick
from mr_reuse.synth.quilts.passages import Passage, Supply
from mr_reuse.synth.quilts.planned_pages import Holders, PlannedPage, Server

MARKERS_PER_GROUP = 50_000
SERVERS_PER_GROUP = 400
NAMES = [thing for thing in THINGS if thing.isascii()]
# Lengths in words. Whatever is drawn, four passages that others have, with own ones
# between and around them, are more than half of a page.
SHORTEST, LENGTHS = 30, 40  # of a passage that others have
SHORTEST_OWN, OWN_LENGTHS = 3, 20  # of a passage that no other page has
LESS_THAN_HALF = 3, 2  # own words for each word that others copy


def make_server(serial: int, within: str = '') -> Server:
    """Return the server with a serial number, in a domain of its own.

    >>> make_server(0).host, make_server(100, 'www.').host, make_server(100).address
    ('almanac-patch.example', 'www.almanac-patch1.example', '198.18.0.101')
    """
    round_, place = divmod(serial, len(NAMES))
    domain = f'{NAMES[place]}-patch{round_ or ""}.example'
    high, low = divmod(serial, 254)
    address = f'198.{18 + high // 256}.{high % 256}.{low + 1}'
    return Server(within + domain, domain, address)


class PageGroup:
    """Pages, planned one after the other by functions that call these methods."""

    def __init__(self, seed: int, number: int) -> None:
        self.seed, self.number = seed, number
        self.supply = Supply(seed, number * MARKERS_PER_GROUP)
        self.servers = count(number * SERVERS_PER_GROUP)
        self.pages: list[PlannedPage] = []
        self.draws = count()

    def draw(self, limit: int) -> int:
        """Return a number below a limit that depends on the seed and on its turn."""
        bits = draw(4, self.seed, 'group', self.number, next(self.draws))
        return int.from_bytes(bits, 'big') % limit

    def new_server(self, within: str = '') -> Server:
        """Return a new server, with a name within its domain."""
        return make_server(next(self.servers), within)

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
        number = len(self.pages)
        name = f'{pick(MANNERS, self.draw(256))}-{pick(NAMES, self.draw(256))}'
        path = '' if home else f'{pick(NAMES, self.draw(256))}/{name}-{number}.html'
        top = self.own_passage(2 + self.draw(5)), self.own_passage()
        url = f'http://{server.host}/{path}'
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
        for number, page in enumerate(self.pages):
            when = schedule.anytime(self.seed, 'group', self.number, number)
            early = page.kind in ('original', 'copied', 'post')
            third = schedule.SPAN // 3
            page.second = when // 3 if early else third + when * 2 // 3
            page.decoy = self.pages[number - 1].top[1]
        self.pages.sort(key=lambda page: page.second)
        for number, page in enumerate(self.pages):
            page.number = number
        return Holders(self.pages)
