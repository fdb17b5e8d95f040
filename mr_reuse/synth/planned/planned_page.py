"""Planned pages, made of passages, and the servers that they are on."""

from dataclasses import dataclass, field

from mr_reuse.synth.planned.passages import GRAM, Passage
from mr_reuse.synth.prose import THINGS

# A menu that many pages have. It is between two passages that only one page has, and it
# has fewer words than a gram, so no two pages share a gram of it.
MENU = 'home', 'news', 'contact'
NAMES = [thing for thing in THINGS if thing.isascii()]


@dataclass(slots=True, frozen=True)
class Server:
    """A host, its registered domain, and its IP address ('' if records have none)."""

    host: str
    domain: str
    address: str


def make_server(serial: int, within: str = '', label: str = 'patch') -> Server:
    """Return the server with a serial number, in a domain of its own.

    >>> make_server(0).host, make_server(100, 'www.').host, make_server(100).address
    ('almanac-patch.example', 'www.almanac-patch1.example', '198.18.0.101')
    """
    round_, place = divmod(serial, len(NAMES))
    domain = f'{NAMES[place]}-{label}{round_ or ""}.example'
    high, low = divmod(serial, 254)
    address = f'198.{18 + high // 256}.{high % 256}.{low + 1}'
    return Server(within + domain, domain, address)


@dataclass(eq=False)
class PlannedPage:
    """A planned page: a passage of its own, the menu, and passages between two others.

    `content` holds the passages that other pages may share, and own ones between them.
    `links` has a URL to link to, or '', for each passage of `content`. `second` is the
    time of the capture. `decoy` is a passage of another page. Its words are put in
    places that are not text, among them scripts if `has_scripts`.
    """

    kind: str
    server: Server
    url: str
    top: tuple[Passage, Passage]
    bottom: Passage
    content: list[Passage] = field(default_factory=list)
    links: tuple[str, ...] = ()
    design: str = ''  # a design of the passages that pages share
    second: int = 0
    number: int = 0  # in the order of capture
    decoy: Passage | None = None
    menu: tuple[str, ...] = MENU
    has_scripts: bool = True

    @property
    def passages(self) -> list[Passage]:
        """All passages in their order."""
        return [*self.top, *self.content, self.bottom]

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.menu) + sum(passage.length for passage in self.passages)

    @property
    def grams(self) -> int:
        """The number of grams. They differ from each other, since each has a marker."""
        return self.words - GRAM + 1

    def places(self, passages: list[Passage]) -> list[range]:
        """Return the places of some passages of the content, as ranges of words."""
        places = []
        start = sum(passage.length for passage in self.top) + len(self.menu)
        for passage in self.content:
            if passage in passages:
                places.append(range(start, start + passage.length))
            start += passage.length
        return places
