"""Planned pages, made of passages, and the servers that they are on."""

from dataclasses import dataclass, field
from ipaddress import ip_address

from mr_reuse.synth.quilts.passages import GRAM, Passage

# A menu that all pages have. It is between two passages that only one page has, and it
# has fewer words than a gram, so no two pages share a gram of it.
MENU = 'home', 'news', 'contact'
# Designs of the passages that pages share. Each design has its own rule for the cover.
APART, COPIES, TWINS, ALL_BUT_ONE = 'apart', 'copies', 'twins', 'all but one'


@dataclass(slots=True, frozen=True)
class Server:
    """A host, its registered domain, and its IP address ('' if records have none)."""

    host: str
    domain: str
    address: str


@dataclass(eq=False)
class PlannedPage:
    """A planned page: a passage of its own, the menu, and passages between two others.

    `content` holds the passages that other pages may share, and own ones between them.
    `links` has a URL to link to, or '', for each passage of `content`. `second` is the
    time of the capture. `decoy` is a passage of another page. Its words are put in
    places that are not text.
    """

    kind: str
    server: Server
    url: str
    top: tuple[Passage, Passage]
    bottom: Passage
    content: list[Passage] = field(default_factory=list)
    links: tuple[str, ...] = ()
    design: str = APART
    second: int = 0
    number: int = 0  # in the order of capture
    decoy: Passage | None = None

    @property
    def words(self) -> int:
        """The number of words."""
        own = [*self.top, self.bottom]
        return len(MENU) + sum(passage.length for passage in own + self.content)

    @property
    def grams(self) -> int:
        """The number of grams. They differ from each other, since each has a marker."""
        return self.words - GRAM + 1

    def places(self, passages: list[Passage]) -> list[range]:
        """Return the places of some passages of the content, as ranges of words."""
        places, start = [], sum(passage.length for passage in self.top) + len(MENU)
        for passage in self.content:
            if passage in passages:
                places.append(range(start, start + passage.length))
            start += passage.length
        return places


class Holders:
    """Pages in the order of capture, and those among them that have a passage."""

    def __init__(self, pages: list[PlannedPage]) -> None:
        self.pages = pages
        self.by_passage: dict[Passage, list[PlannedPage]] = {}
        for page in pages:
            for passage in page.content:
                self.by_passage.setdefault(passage, []).append(page)

    def of(self, passage: Passage) -> list[PlannedPage]:
        """Return the pages that have a passage."""
        return self.by_passage[passage]


def is_foreign(one: Server, other: Server, by: str) -> bool:
    """Return whether two servers differ, by `none`, `host`, `domain` or `ip`.

    With `none` all are foreign. If a server has no address, the domains decide.

    >>> a = Server('www.a.example', 'a.example', '2001:db8::1')
    >>> b = Server('b.example', 'b.example', '2001:0db8:0:0:0:0:0:1')
    >>> [is_foreign(a, b, by) for by in ('none', 'host', 'domain', 'ip')]
    [True, True, True, False]
    """
    if by == 'host':
        return one.host != other.host
    if by == 'ip' and one.address and other.address:
        return ip_address(one.address) != ip_address(other.address)
    return by == 'none' or one.domain != other.domain
