"""A group of pages of templates, and methods to plan them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mr_reuse.synth import schedule
from mr_reuse.synth.key import Page
from mr_reuse.synth.planned.page_group import PageGroup
from mr_reuse.synth.planned.planned_page import Server
from mr_reuse.synth.prose import draw, title
from mr_reuse.synth.styles.pieces import Piece

# After the servers of phrases. There are addresses for so many servers.
FIRST_SERVER, SERVERS_PER_GROUP = 100_000, 300
PIECES_PER_GROUP = 100_000
START = '<!DOCTYPE html>\n<html><head><title>{0}</title></head><body><h1>{0}</h1>\n'
END = '</body></html>\n'


@dataclass(eq=False)
class StylePage:
    """A planned page: a sequence of pieces of markup.

    Pages with the same `words` have the same words in the same pieces. `style` is the
    number of the style in which all pages with this number are, or 0.
    """

    kind: str
    server: Server
    url: str
    pieces: Sequence[Piece]
    words: str
    style: int = 0
    second: int = 0

    def body(self) -> bytes:
        """Return the HTML."""
        heading = title(draw(3, 'heading', self.words))
        parts = [piece.fill_in(self.words) for piece in self.pieces]
        return ''.join([START.format(heading), *parts, END]).encode()

    def make_page(self) -> Page:
        """Return the page as it was planned."""
        host, address = self.server.host, self.server.address
        return Page(self.url, host, self.body(), filler=False, address=address)


class Pair(NamedTuple):
    """Two pages whose resemblance the key states."""

    kind: str
    first: StylePage
    second: StylePage


@dataclass
class Pieces:
    """A supply of pieces that no other page has."""

    seed: int
    number: int  # of the next piece

    def new(self, length: int) -> Piece:
        """Return a new piece of some elements."""
        self.number += 1
        return Piece(self.seed, self.number - 1, length)


class StyleGroup(PageGroup):
    """Pages, planned one after the other by functions that call these methods."""

    name = 'styles'
    label = 'style'

    def __init__(self, seed: int, number: int) -> None:
        super().__init__(seed, number, 0, FIRST_SERVER + number * SERVERS_PER_GROUP)
        self.supply = Pieces(seed, number * PIECES_PER_GROUP)
        self.pages: list[StylePage] = []
        self.pairs: list[Pair] = []
        self.styles = 0

    def new_pieces(self, count: int, length: int) -> list[Piece]:
        """Return new pieces of some elements each."""
        return [self.supply.new(length) for _ in range(count)]

    def add_page(
        self,
        kind: str,
        server: Server,
        pieces: Iterable[Piece],
        style: int = 0,
        words: str = '',
    ) -> StylePage:
        """Plan a page, with words of its own if no name of them is given."""
        url = self.new_url(server)
        page = StylePage(kind, server, url, list(pieces), words or url, style)
        self.pages.append(page)
        return page

    def new_style(self) -> int:
        """Return the number of another style."""
        self.styles += 1
        return self.styles

    def order_pages(self, early_kinds: tuple[str, ...] = ()) -> list[StylePage]:
        """Order the pages by the time of their capture, and return them."""
        for number, page in enumerate(self.pages):
            page.second = schedule.anytime(self.seed, self.name, self.number, number)
        self.pages.sort(key=lambda page: page.second)
        return self.pages
