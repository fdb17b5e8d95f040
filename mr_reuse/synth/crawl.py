"""A made crawl: options in, pages and the answer key out. Touches no file.

Honest sites are crawled 24 at a time and then forgotten; planted pages come in
between, each when it is due. So the memory that this takes is bounded, and an
honest page depends on the seed and its place alone, not on the size of the crawl.
"""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import count

from mr_reuse.synth.copies import BOILERPLATE, HOT, Planter, copies_of
from mr_reuse.synth.hostile import makers as hostile_makers
from mr_reuse.synth.key import Page, Planted, PlantedSite, Visit, rows
from mr_reuse.synth.schedule import SPAN
from mr_reuse.synth.sites import Common, Site, honest_page, host_name, templates

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
        self.sites: dict[str, PlantedSite] = {}
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

    def plan(self, hostile: bool) -> deque[Visit]:
        """Visits to all pages that are not of an honest site."""
        more = hostile_makers(self.seed, self.plant) if hostile else []
        farms = 1 + self.size // BYTES_PER_FARM
        articles = min(FEWEST_ARTICLES + self.size // BYTES_PER_ARTICLE, MOST_ARTICLES)
        copies = copies_of(self.size)
        planter = Planter(self.seed, copies, self.plant, self.common)
        self.sites = {site.host: site for site in planter.sites()}
        return deque(planter.plan(farms, articles, more))

    def pages(self) -> Iterator[Page]:
        """All pages in the order of their capture."""
        honest = self.honest_pages()
        while self.written < self.size:
            now = SPAN * self.written // self.size
            if self.planned and self.planned[0][0] <= now:
                yield self.next_planned()
            else:
                yield self.counted(next(honest), now)
        while self.planned:
            yield self.next_planned()
        self.forget_sites()

    def next_planned(self) -> Page:
        """The planted page that is due next."""
        second, maker = self.planned.popleft()
        return self.counted(maker(), second)

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

    def counted(self, page: Page, second: int) -> Page:
        """The same page, as one more of this crawl, captured in that second."""
        page.second = second
        site = self.sites.get(page.host)
        if site and site.first is None:
            site.first = second
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
