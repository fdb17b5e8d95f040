"""A made crawl: options in, pages and the answer key out. Touches no file.

Honest sites are crawled 24 at a time and then forgotten; planted pages come in
between, evenly over the whole crawl. So the memory that this takes is bounded, and an
honest page depends on the seed and its place alone, not on the size of the crawl.
"""

from collections.abc import Callable, Iterator
from itertools import count

from mr_reuse.planting.copies import BOILERPLATE, HOT, Maker, Planter, copies_of
from mr_reuse.planting.hostile import makers as hostile_makers
from mr_reuse.planting.key import Page, Planted, rows
from mr_reuse.planting.sites import Common, Site, honest_page, host_name, templates

SITES_AT_ONCE = 24
FIRST_PAGES, DOUBLINGS = 10, 3  # of a site, as small crawls shall have many sites too
BYTES_PER_FARM, BYTES_PER_ARTICLE = 2 * 10**9, 10**7
FEWEST_ARTICLES, MOST_ARTICLES = 3, 300
SECURE_EVERY = 4  # sites


class Crawl:
    """Pages of a made crawl, counted as they are made.

    `key` holds what is planted all over the crawl; the rows of finished sites are
    passed to `finish`, since no memory would hold those of a large crawl.

    >>> lines = []
    >>> crawl = Crawl(1, 10**6, lines.extend)
    >>> pages = list(crawl.pages())
    >>> crawl.written >= 10**6, crawl.made == len(pages), lines[0].split()[0]
    (True, True, 'template')
    """

    def __init__(
        self,
        seed: int,
        size: int,
        finish: Callable[[list[str]], object],
        hostile: bool = False,
    ) -> None:
        self.seed, self.size, self.finish = seed, size, finish
        self.made = self.written = 0
        self.key: list[Planted] = []
        self.open_sites: list[Site] = []
        self.common = Common(
            [self.plant('hot', text) for text in HOT],
            [self.plant('boilerplate', text) for text in BOILERPLATE],
        )
        self.planned = self.plan(hostile)

    def plant(self, kind: str, data: bytes) -> Planted:
        """A chunk that the key reports at the end of the crawl."""
        self.key.append(Planted(kind, data))
        return self.key[-1]

    def plan(self, hostile: bool) -> list[Maker]:
        """Makers of all pages that are not of an honest site."""
        more = hostile_makers(self.seed, self.plant) if hostile else []
        farms = 1 + self.size // BYTES_PER_FARM
        articles = min(FEWEST_ARTICLES + self.size // BYTES_PER_ARTICLE, MOST_ARTICLES)
        copies = copies_of(self.size)
        planter = Planter(self.seed, copies, self.plant, self.common)
        return planter.plan(farms, articles, more)

    def pages(self) -> Iterator[Page]:
        """All pages in the order of their capture."""
        honest, planned = self.honest_pages(), iter(self.planned)
        gap = self.size / (len(self.planned) + 1)
        due = gap
        while self.written < self.size:
            maker = next(planned, None) if self.written >= due else None
            due += gap if maker else 0
            yield self.counted(maker() if maker else next(honest))
        for maker in planned:
            yield self.counted(maker())
        self.forget_sites()

    def honest_pages(self) -> Iterator[Page]:
        """Pages of honest sites, without end."""
        for block in count():
            pages = FIRST_PAGES << min(block, DOUBLINGS)
            first = block * SITES_AT_ONCE
            self.open_sites = [
                self.site(number, pages)
                for number in range(first, first + SITES_AT_ONCE)
            ]
            for number in range(pages):
                for site in self.open_sites:
                    yield honest_page(site, number)
            self.forget_sites()

    def site(self, number: int, pages: int) -> Site:
        """The honest site of that number."""
        host = host_name(number)
        scheme = 'http' if (number + 1) % SECURE_EVERY else 'https'
        own = templates(self.seed, f'{scheme}://{host}/', pages, Planted)
        return Site(self.seed, host, own, self.common, scheme)

    def counted(self, page: Page) -> Page:
        """The same page, as one more of this crawl."""
        for chunk in page.planted:
            chunk.seen(page, self.made)
        self.made += 1
        self.written += len(page.body) if page.filler else 0
        return page

    def forget_sites(self) -> None:
        """The sites that are open have no more pages: report their templates."""
        hosts = {site.host for site in self.open_sites}
        for chunk in self.common.chunks:
            chunk.retire(hosts)
        self.finish([row for site in self.open_sites for row in rows(site.templates)])
        self.open_sites = []
