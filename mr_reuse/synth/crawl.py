"""A synthetic crawl: from options to pages and the answer key, without any file.

Memory is bounded because honest sites are crawled 24 at a time and then forgotten.
Planted pages come in between when they are due. An honest page depends on the seed, its
host and its number only, not on the size of the crawl.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from operator import itemgetter

from mr_reuse.synth.copies import BOILERPLATE, HOT, Planter, copies_of
from mr_reuse.synth.hostile import makers as hostile_makers
from mr_reuse.synth.key import Page, Planted, PlantedSite, Visit, rows
from mr_reuse.synth.schedule import SPAN
from mr_reuse.synth.sites import Common, Site, honest_page, host_name, templates

SITES_AT_ONCE = 24
# The first sites have few pages, so that a small crawl has many sites. The number is
# doubled with each block of sites, at most so many times.
FIRST_PAGES, DOUBLINGS = 10, 3
BYTES_PER_FARM, BYTES_PER_ARTICLE = 2 * 10**9, 10**7
FEWEST_ARTICLES, MOST_ARTICLES = 3, 300
SECURE_EVERY = 4  # every fourth site has https


class Crawl:
    """The pages of a synthetic crawl, counted as they are made.

    `key` holds the chunks planted all over the crawl. `groups` are visits to pages of
    groups that share nothing with other pages. The rows of each block of honest
    sites are passed to `finish` at its end, since memory could not hold all of them.

    >>> lines = []
    >>> crawl = Crawl(1, 10**6, lines.extend)
    >>> pages = list(crawl.pages())
    >>> crawl.written >= 10**6, crawl.page_count == len(pages), lines[0].split()[0]
    (True, True, 'template')
    """

    def __init__(
        self,
        seed: int,
        size: int,
        finish: Callable[[list[str]], object],
        hostile: bool = False,
        groups: Iterable[Visit] = (),
    ) -> None:
        self.seed, self.size, self.finish = seed, size, finish
        self.page_count = self.written = 0
        self.key: list[Planted] = []
        self.sites: dict[str, PlantedSite] = {}
        self.open_sites: list[Site] = []
        self.common = Common(
            [self.plant('hot', text) for text in HOT],
            [self.plant('boilerplate', text) for text in BOILERPLATE],
        )
        self.planned = self.plan(hostile, list(groups))

    def plant(self, kind: str, data: bytes) -> Planted:
        """Add a chunk to the key, and return it."""
        self.key.append(Planted(kind, data))
        return self.key[-1]

    def plan(self, hostile: bool, groups: list[Visit]) -> deque[Visit]:
        """Return visits to all pages except those of honest sites."""
        more = hostile_makers(self.seed, self.plant) if hostile else []
        farms = 1 + self.size // BYTES_PER_FARM
        articles = min(FEWEST_ARTICLES + self.size // BYTES_PER_ARTICLE, MOST_ARTICLES)
        copies = copies_of(self.size)
        planter = Planter(self.seed, copies, self.plant, self.common)
        self.sites = {site.host: site for site in planter.sites()}
        visits = planter.plan(farms, articles, more)
        return deque(sorted(visits + groups, key=itemgetter(0)))

    def pages(self) -> Iterator[Page]:
        """Yield all pages in the order of their capture."""
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
        """Return the planted page that is due next."""
        second, maker = self.planned.popleft()
        return self.counted(maker(), second)

    def honest_pages(self) -> Iterator[Page]:
        """Yield pages of honest sites, without end."""
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
        """Return the honest site with a number."""
        host = host_name(number)
        scheme = 'http' if (number + 1) % SECURE_EVERY else 'https'
        own = templates(self.seed, f'{scheme}://{host}/', pages, Planted)
        return Site(self.seed, host, own, self.common, scheme)

    def counted(self, page: Page, second: int) -> Page:
        """Count a page that is captured in a second of the crawl, and return it."""
        page.second = second
        site = self.sites.get(page.host)
        if site and site.first is None:
            site.first = second
        for chunk in page.planted:
            chunk.seen(page, self.page_count)
        self.page_count += 1
        self.written += len(page.body) if page.filler else 0
        return page

    def forget_sites(self) -> None:
        """Finish the current block of sites: pass on the rows of their templates."""
        hosts = {site.host for site in self.open_sites}
        for chunk in self.common.chunks:
            chunk.retire(hosts)
        self.finish([row for site in self.open_sites for row in rows(site.templates)])
        self.open_sites = []
