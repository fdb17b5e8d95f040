"""The answer key of a crawl: planted chunks, counted while pages are written."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from mr_reuse.synth.schedule import stamp

KEY_HEADER = 'kind\tsha1\tlength\tcopies\tpages\thosts\tfirst_url\n'
SITES_HEADER = 'site\tcopied_from\tfirst_captured\tlinks_to\n'


@dataclass(slots=True, eq=False)
class Planted:
    """A chunk or whole file that may occur more than once, with its counts.

    `hosts` has only hosts with pages still to come. `retired` is the number of the
    others, so a chunk on every site of a large crawl takes little memory.
    """

    kind: str
    data: bytes
    copies: int = 0
    pages: int = 0
    hosts: set[str] = field(default_factory=set)
    retired: int = 0
    first_url: str = ''
    last_page: int = -1

    def seen(self, page: 'Page', serial: int) -> None:
        """Count a copy on the page with a serial number."""
        if not self.copies:
            self.first_url = page.url
        self.copies += 1
        if self.last_page != serial:
            self.last_page = serial
            self.pages += 1
            self.hosts.add(page.host)

    def retire(self, hosts: set[str]) -> None:
        """Replace hosts that have no more pages by their number."""
        before = len(self.hosts)
        self.hosts -= hosts
        self.retired += before - len(self.hosts)

    def row(self) -> str:
        """Return the line of the key.

        >>> chunk = Planted('hot', b'<p>We set cookies</p>')
        >>> page = Page('http://a.example/', 'a.example', b'', [chunk, chunk])
        >>> chunk.seen(page, 0), chunk.seen(page, 0)
        (None, None)
        >>> chunk.row().split()[2:]
        ['21', '2', '1', '1', 'http://a.example/']
        """
        digest = hashlib.sha1(self.data).hexdigest()
        hosts = self.retired + len(self.hosts)
        return (
            f'{self.kind}\t{digest}\t{len(self.data)}\t{self.copies}\t{self.pages}'
            f'\t{hosts}\t{self.first_url}\n'
        )


@dataclass(slots=True)
class PlantedSite:
    """A site that copied from another one, or that others copied from."""

    host: str
    copied_from: str = ''
    links_to: tuple[str, ...] = ()  # other planted sites
    first: int | None = None  # second of the crawl of its first capture

    def row(self) -> str:
        r"""Return the line of the list of sites.

        >>> PlantedSite('b.example', 'a.example', ('c.example', 'd.example'), 60).row()
        'b.example\ta.example\t2014-03-01T00:01:00Z\tc.example d.example\n'
        """
        links = ' '.join(self.links_to)
        return f'{self.host}\t{self.copied_from}\t{stamp(self.first)}\t{links}\n'


@dataclass(slots=True)
class Page:
    """A page as served. `body` has the encodings that the `extra` headers declare."""

    url: str
    host: str
    body: bytes
    planted: list[Planted] = field(default_factory=list)
    status: str = '200 OK'
    media: str = 'text/html; charset=utf-8'
    extra: tuple[str, ...] = ()
    filler: bool = True  # counts towards --size
    second: int = 0  # of the crawl, when the page is captured
    address: str | None = None  # of the server; '' if the record has none
    text: bytes = b''  # in WET files; '' if it is `body` without its tags


Maker = Callable[[], Page]
Visit = tuple[int, Maker]  # the second of the crawl when the page is captured


def rows(chunks: Iterable[Planted]) -> list[str]:
    """Return the lines of the chunks that occur more than once.

    >>> len(rows([Planted('ad', b'<p>', copies=1), Planted('ad', b'<p>', copies=2)]))
    1
    """
    return [chunk.row() for chunk in chunks if chunk.copies > 1]
