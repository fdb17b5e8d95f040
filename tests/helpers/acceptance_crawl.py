"""A crawl of a small library, with copies planted in it and a key of what was planted.

Every site is visited twelve times, once a month. There are two versions of a site, a
mirror of parts of three sites, a scraper of four blogs, ten honest sites with one
theme, a site on three hosts, and sites that share nothing. All counts of the key follow
from how the pages are made, not from cutting them.
"""

import io
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from reference_sites import Record
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

VISITS = 12
MONTH = timedelta(days=30)
START = datetime(2019, 1, 7, 6)
OLD, NEW = 'townmuseum-2009.example', 'townmuseum.example'
ORIGINALS = ['harbour-history.example', 'lace-making.example', 'bridge-atlas.example']
MIRROR = 'readers-mirror.example'
MIRRORED_PAGES = [6, 4, 9]  # of each original, which has twelve
BLOGS = [
    'anna-cooks.example',
    'bikes-and-trails.example',
    'cellar-wines.example',
    'dahlia-garden.example',
]
SCRAPED = [90, 60, 30, 20]  # paragraphs of each blog, which has 120
SCRAPER = 'best-articles-4u.example'
HONEST = [
    f'{name}-club.example'
    for name in (
        'archery', 'bowling', 'chess', 'darts', 'fencing',
        'golf', 'hockey', 'judo', 'rowing', 'sailing',
    )
]  # fmt: skip
FAMILY = ['www.riverpost.example', 'm.riverpost.example', 'riverpost.example']
PLAIN = [f'diary-{n}.example' for n in range(8)]


class Planted(NamedTuple):
    """Two sites, and what they share when each page counts as first captured."""

    a: str
    b: str
    chunks: int
    a_share: str
    b_share: str
    first: str = ''  # the site that was captured first
    days: int = 0  # between the first captures of the two


class Page(NamedTuple):
    """A page that does not change, or loses and gains a paragraph at some visit."""

    path: str
    blocks: list[bytes]
    changes: dict[int, bytes] = {}  # noqa: RUF012 (never changed)

    def at(self, visit: int) -> list[bytes]:
        """The paragraphs at a visit; the news stand where the first one stood."""
        news = [block for when, block in self.changes.items() if when <= visit]
        return [news[-1], *self.blocks[1:]] if news else self.blocks


class Site(NamedTuple):
    host: str
    days: int  # from the beginning of the crawl to the first visit
    pages: list[Page]


class Words:
    """Paragraphs that do not repeat: each has a number of its own."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        letters = 'abdegiklmnoprstuv'
        self.words = [''.join(self.dice.choices(letters, k=k)) for k in (3, 5, 7) * 200]
        self.number = 0

    def block(self, name: bytes = b'<p>') -> bytes:
        """A paragraph of 120 to 260 bytes, which is longer than a stop chunk."""
        self.number += 1
        text = f'{self.number}: '
        while len(text) < 115 + self.number * 37 % 130:
            text += self.dice.choice(self.words) + ' '
        return name + text.encode() + b'</p>\n'

    def blocks(self, count: int) -> list[bytes]:
        return [self.block() for _ in range(count)]


def pages_of(blocks: list[bytes], each: int, folder: str = '') -> list[Page]:
    cut = [blocks[n : n + each] for n in range(0, len(blocks), each)]
    return [Page(f'/{folder}page-{n}.html', part) for n, part in enumerate(cut)]


def sites() -> list[Site]:
    """All sites of the crawl; the same at every call."""
    words = Words(seed=17)
    return [
        *two_versions(words),
        *originals_and_mirror(words),
        *blogs_and_scraper(words),
        *honest_sites(words),
        *family(words),
        *(Site(host, 2 * n, changing(pages_of(words.blocks(40), 8), words))
          for n, host in enumerate(PLAIN)),
    ]  # fmt: skip


def changing(pages: list[Page], words: Words) -> list[Page]:
    """Every fifth page has news at its fourth and its ninth visit."""
    return [
        page._replace(changes={3: words.block(), 8: words.block()} if not n % 5 else {})
        for n, page in enumerate(pages)
    ]


def two_versions(words: Words) -> list[Site]:
    """20 pages of 12 paragraphs each; 180 of 240 are the same, in other folders."""
    shared, old, new = words.blocks(180), words.blocks(60), words.blocks(60)
    old_pages = changing(pages_of(old + shared, 12, 'exhibits/'), words)
    return [
        Site(OLD, 0, old_pages),
        Site(NEW, 40, pages_of(shared, 12, 'collection/') + pages_of(new, 12, 'now/')),
    ]


def originals_and_mirror(words: Words) -> list[Site]:
    """12 pages of 8 paragraphs each; the mirror has some pages, and one of its own."""
    texts = [words.blocks(96) for _ in ORIGINALS]
    found = [
        Site(host, n, changing(pages_of(text, 8), words))
        for n, (host, text) in enumerate(zip(ORIGINALS, texts, strict=True))
    ]
    mirrored = [
        page
        for n, (text, count) in enumerate(zip(texts, MIRRORED_PAGES, strict=True))
        for page in pages_of(text, 8, f'{n}/')[:count]
    ]
    own = Page('/about.html', words.blocks(8))
    return [*found, Site(MIRROR, 75, [*mirrored, own])]


def blogs_and_scraper(words: Words) -> list[Site]:
    """200 pages of 5 scraped paragraphs, so that each paragraph occurs five times.

    The third blog was visited long after the scraper.
    """
    texts = [words.blocks(120) for _ in BLOGS]
    starts = [0, 1, 250, 2]
    blogs = [
        Site(host, days, changing(pages_of(text, 10, 'posts/'), words))
        for host, days, text in zip(BLOGS, starts, texts, strict=True)
    ]
    scraped = [b for text, n in zip(texts, SCRAPED, strict=True) for b in text[:n]]
    banner, own = words.block(b'<div class="b">'), words.blocks(49)
    pages = [
        Page(
            f'/a/{n}.html',
            [banner] + [scraped[(5 * n + i) % 200] for i in range(5)] + own[n : n + 1],
        )
        for n in range(200)
    ]
    return [*blogs, Site(SCRAPER, 100, pages)]


def honest_sites(words: Words) -> list[Site]:
    """Six pages of 15 own paragraphs, and the ten of the theme that all have."""
    theme = [words.block(b'<div class="theme">') for _ in range(10)]
    found = []
    for n, host in enumerate(HONEST):
        pages = pages_of(words.blocks(90), 15)
        pages = [page._replace(blocks=page.blocks + theme) for page in pages]
        found.append(Site(host, 5 + n, changing(pages, words)))
    return found


def family(words: Words) -> list[Site]:
    """The same ten pages on three hosts of one registered domain."""
    blocks = words.blocks(80)
    days = [3, 1, 2]
    return [
        Site(host, when, pages_of(blocks, 8, 'news/'))
        for host, when in zip(FAMILY, days, strict=True)
    ]


PLANTED = [
    Planted(OLD, NEW, 180, '0.750000000', '0.750000000', OLD, 40),
    Planted(ORIGINALS[0], MIRROR, 48, '0.500000000', '0.300000000', ORIGINALS[0], 75),
    Planted(ORIGINALS[1], MIRROR, 32, '0.333333333', '0.200000000', ORIGINALS[1], 74),
    Planted(ORIGINALS[2], MIRROR, 72, '0.750000000', '0.450000000', ORIGINALS[2], 73),
    Planted(BLOGS[0], SCRAPER, 90, '0.750000000', '0.360000000', BLOGS[0], 100),
    Planted(SCRAPER, BLOGS[1], 60, '0.240000000', '0.500000000', BLOGS[1], 99),
    Planted(SCRAPER, BLOGS[2], 30, '0.120000000', '0.250000000', SCRAPER, 150),
    Planted(SCRAPER, BLOGS[3], 20, '0.080000000', '0.166666667', BLOGS[3], 98),
]
FAMILY_PAIRS = [
    Planted(FAMILY[1], FAMILY[2], 80, '1.000000000', '1.000000000'),
    Planted(FAMILY[1], FAMILY[0], 80, '1.000000000', '1.000000000'),
    Planted(FAMILY[2], FAMILY[0], 80, '1.000000000', '1.000000000'),
]
THEME_PAIRS = [
    Planted(a, b, 10, '0.100000000', '0.100000000')
    for n, a in enumerate(HONEST)
    for b in HONEST[n + 1 :]
]
URLS = 20 + 20 + 3 * 12 + 20 + 4 * 12 + 200 + 10 * 6 + 3 * 10 + 8 * 5
CAPTURES = VISITS * URLS


# Archives


def captures() -> list[tuple[datetime, str, bytes]]:
    """Date, URL and body of every capture, in the order in which they were made."""
    found = []
    for site in sites():
        for visit in range(VISITS):
            for n, page in enumerate(site.pages):
                date = START + timedelta(days=site.days, seconds=7 * n) + visit * MONTH
                url = f'http://{site.host}{page.path}'
                found.append((date, url, body_of(page, visit)))
    return sorted(found)


def body_of(page: Page, visit: int) -> bytes:
    """A page: head, menu and end are stop chunks, as they are short."""
    head = b'<html><head><title>%b</title></head><body>\n' % page.path.encode()
    menu, end = b'<div class="menu">Home, About</div>\n', b'<p>End.</p></body></html>\n'
    return head + menu + b''.join(page.at(visit)) + end


def write_archives(folder: Path) -> tuple[list[Path], list[Record]]:
    """Write an archive a month; the archives, and all their captures."""
    folder.mkdir(parents=True)
    by_month = {}
    for capture in captures():
        by_month.setdefault((capture[0] - START) // MONTH, []).append(capture)
    archives, records = [], []
    for month, found in sorted(by_month.items()):
        archives.append(folder / f'crawl-{month:02}.warc.gz')
        records += write_archive(archives[-1], found)
    return archives, records


def write_archive(path: Path, found) -> list[Record]:
    records = []
    with open(path, 'wb') as file:
        writer = WARCWriter(file, gzip=True)
        for number, (when, url, body) in enumerate(found):
            date = when.strftime('%Y-%m-%dT%H:%M:%SZ')
            records.append(Record(str(path), file.tell(), url, date, body))
            names = {
                'WARC-Date': date,
                'WARC-Record-ID': f'<urn:x-test:{path.stem}:{number}>',
            }
            html = [('Content-Type', 'text/html; charset=utf-8')]
            writer.write_record(
                writer.create_warc_record(
                    url,
                    'response',
                    payload=io.BytesIO(body),
                    length=len(body),
                    warc_headers_dict=names,
                    http_headers=StatusAndHeaders('200 OK', html, protocol='HTTP/1.1'),
                )
            )
    return records
