"""The planted part of a synthetic crawl: link farms, mirrors and duplicate files.

A plan holds functions that make pages, not pages, so that it stays small.
"""

from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from mr_reuse.synth import ring, schedule
from mr_reuse.synth.key import Maker, Page, Planted, PlantedSite, Visit
from mr_reuse.synth.prose import (
    MANNERS,
    PEOPLE,
    THINGS,
    draw,
    pick,
    prose,
    title,
    topic,
)
from mr_reuse.synth.sites import (
    MAX_BITS,
    TOPICS,
    Common,
    Plant,
    Site,
    between_own_ends,
    honest_page,
    paragraphs,
    templates,
)

FARM_POOL = 40  # chunks; a page has three quarters of them, and two chunks of its own
FARM_FOLDERS = 'bags', 'loans', 'pills', 'watches'
NEIGHBOURS = '~anna/', '~oskar/', '~ruth/'
SOURCE = 'www.openlore.example'
ADS, AD_EVERY = 6, 3  # different ads; chunks of an article for each ad on its page

HOT = (
    b'<div class="cookies">We use cookies to remember what you like and to count our'
    b' visitors. By reading on you agree to that.</div>\n',
    b'<p class="licence">Text is available under the Free Garden Licence; additional'
    b' terms may apply. See the terms of use for details.</p>\n',
)
BOILERPLATE = (
    b'<p>&nbsp;</p>\n',
    b'<p>',
    b'<p></p>\n',
    b'<div class="clear"></div>\n',
    b'<p align="center">* * *</p>\n',
    b'<div style="height:10px"><br></div>\n',
)


@dataclass(slots=True)
class File:
    """A file that many hosts serve byte for byte, as a sequence of chunks."""

    name: str
    path: str
    status: str
    media: str
    chunks: tuple[bytes, ...]


PARKED = File(
    'parked',
    '',
    '200 OK',
    'text/html',
    (
        b'<html>\n<head><title>This domain is parked</title></head>\n<body>\n',
        b'<div id="parked"><h1>This domain may be for sale</h1>\n',
        b'<p>It was registered by one of our customers, who has not put up a site yet.'
        b' Please come back later.</p>\n',
        b'<div class="offer"><a href="http://parking.example/buy">Make an offer</a>'
        b' or look at similar names that are still free.</div>\n</body>\n</html>\n',
    ),
)
MISSING = File(
    'missing',
    'index.php?id=1',
    '404 Not Found',
    'text/html; charset=iso-8859-1',
    (
        b'<html><head><title>404 Not Found</title></head><body>\n<h1>Not Found</h1>\n'
        b'The requested address was not found on this server.\n<hr></body></html>\n',
    ),
)
ROBOTS = File(
    'robots',
    'robots.txt',
    '200 OK',
    'text/plain',
    (b'User-agent: *\r\nDisallow: /\r\n',),
)


def copies_of(size: int) -> int:
    """Return the number of planted copies: above ten, and growing with log(size).

    >>> [copies_of(megabytes * 10**6) for megabytes in (1, 5, 100, 10**4, 10**5)]
    [12, 18, 30, 51, 60]
    """
    return 12 + 3 * ((size // 10**6).bit_length() - 1)


def offer(seed: int, farm: int, rank: int) -> bytes:
    """Return a chunk of a link farm.

    >>> offer(1, 0, 3)[:52]
    b'<div class="offer"><a href="http://deal-0-3.example/'
    """
    bits = draw(7, seed, 'offer', farm, rank)
    link = f'http://deal-{farm}-{rank}.example/'
    text = prose(topic(seed, farm % TOPICS), bits[:6]).decode()
    return (
        f'<div class="offer"><a href="{link}">The cheapest {pick(THINGS, bits[6])}'
        f' online</a>. {text}</div>\n'
    ).encode()


def ad(seed: int, number: int) -> bytes:
    """Return an advertisement, which mirrors insert between copied chunks.

    >>> ad(1, 0)[:50]
    b'<div class="ad"><a href="http://ads-0.example/">Th'
    """
    bits = draw(9, seed, 'ad', number)
    text = prose(topic(seed, number), bits[3:]).decode()
    link = f'<a href="http://ads-{number}.example/">{title(bits)}</a>'
    return f'<div class="ad">{link}: {text}</div>\n'.encode()


def farm_page(host: str, pool: list[Planted], number: int) -> Page:
    """Return a page with all chunks of the pool but every fourth, in rotated order."""
    bits = draw(3, host, number)
    folder = pick(FARM_FOLDERS, number)
    url = f'http://{host}/~deals/{folder}/{pick(MANNERS, bits[0])}-{number}.html'
    chunks = [chunk for k, chunk in enumerate(pool) if (k + number) % 4]
    turn = number % len(chunks)
    return between_own_ends(url, host, title(bits), chunks[turn:] + chunks[:turn])


def source_page(name: str, chunks: list[Planted]) -> Page:
    """Return the original page of an article."""
    url = f'http://{SOURCE}/wiki/{name.replace(" ", "_")}'
    return between_own_ends(url, SOURCE, name, chunks)


def mirror_host(mirror: int) -> str:
    """Return the host of a mirror.

    >>> mirror_host(7)
    'clerk-lore-7.example'
    """
    return f'{pick(PEOPLE, mirror)}-lore-{mirror}.example'


def mirror_page(
    name: str, chunks: list[Planted], ads: list[Planted], mirror: int
) -> Page:
    """Return the page of an article on one of its mirrors, with ads."""
    host = mirror_host(mirror)
    url = f'http://{host}/lore/{name.replace(" ", "-").lower()}.html'
    mixed = []
    for k, chunk in enumerate(chunks):
        if k % AD_EVERY == 0:
            mixed.append(pick(ads, mirror + k))
        mixed.append(chunk)
    return between_own_ends(url, host, f'{name} (copy)', mixed)


@dataclass(slots=True)
class Planter:
    """Plans pages. Each shared chunk goes to `plant`, which adds it to the key."""

    seed: int
    copies: int
    plant: Plant
    common: Common

    def plan(self, farms: int, articles: int, more: list[Maker]) -> list[Visit]:
        """Return all visits in their order.

        Farms, files and `more` have random dates, which say nothing of their origin.
        """
        rest = list(more)
        for number in range(farms):
            rest += self.farm(number)
        for file in (PARKED, MISSING, ROBOTS):
            rest += self.file(file)
        visits = [
            (schedule.anytime(self.seed, k), maker) for k, maker in enumerate(rest)
        ]
        visits += self.mirrors(articles)
        visits += ring.visits(self.seed, self.copies, self.plant)
        return sorted(visits, key=itemgetter(0))

    def sites(self) -> list[PlantedSite]:
        """Return the sites that copied, and those that they copied from."""
        mirrors = [
            PlantedSite(mirror_host(mirror), SOURCE) for mirror in range(self.copies)
        ]
        return [PlantedSite(SOURCE), *mirrors, *ring.sites()]

    def farm(self, number: int) -> list[Maker]:
        """Return makers of a subtree of copies, and of honest neighbors on its host."""
        host = f'members.webring{number or ""}.example'
        pages = -(-self.copies // 3) * 4  # since every fourth page omits a chunk
        ranks = range(FARM_POOL)
        pool = [self.plant('farm', offer(self.seed, number, rank)) for rank in ranks]
        own = templates(self.seed, f'http://{host}/', pages, self.plant)
        site = Site(self.seed, host, own, self.common, homes=NEIGHBOURS)
        farm = [partial(farm_page, host, pool, page) for page in range(pages)]
        return farm + [partial(honest_page, site, page) for page in range(pages // 2)]

    def mirrors(self, articles: int) -> list[Visit]:
        """Return visits to the articles of the source, and to their mirrors."""
        ads = [self.plant('ad', ad(self.seed, number)) for number in range(ADS)]
        visits = []
        for number in range(articles):
            name, chunks = self.article(number)
            first = schedule.article(number, articles)
            visits.append((first, partial(source_page, name, chunks)))
            for mirror in range(self.copies):
                when = schedule.copy(self.seed, mirror, number)
                page = partial(mirror_page, name, chunks, ads, mirror)
                visits.append((when, page))
        return visits

    def article(self, number: int) -> tuple[str, list[Planted]]:
        """Return the name of an article and its paragraphs."""
        bits = draw(4, self.seed, 'article', number)
        length = 6 + bits[3] % 6
        words = draw(length * MAX_BITS, self.seed, 'article', number, 'words')
        texts = paragraphs(topic(self.seed, number % TOPICS), words, length)
        chunks = [self.plant('mirror', text) for text in texts]
        licence = self.common.hot[-1]  # mirrors have to copy it with the text
        return f'{title(bits)} ({number})', [*chunks, licence]

    def file(self, file: File) -> list[Maker]:
        """Return makers of a file on many hosts. Its chunks are in the key as well."""
        body = b''.join(file.chunks)
        planted = [self.plant('file', body)]
        planted += [self.plant('filechunk', chunk) for chunk in file.chunks]
        page = partial(Page, status=file.status, media=file.media)
        makers = []
        for k in range(self.copies):
            host = f'{pick(PEOPLE, k)}-{file.name}-{k}.example'
            url = f'http://{host}/{file.path}'
            makers.append(partial(page, url, host, body, planted))
        return makers
