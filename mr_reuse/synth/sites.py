"""Honest sites of a synthetic crawl: templates, and pages with their own content.

The page sizes are those of the weblog in the papers: lognormal with a median of 23
chunks. About one chunk in six is a template of the site. Templates are drawn by Zipf's
law from a pool, so that 242 of them have 21 distinct ones. One chunk in ten is short
boilerplate. Nearly all others occur on one page only.
"""

import functools
import math
from bisect import bisect
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from operator import getitem
from statistics import NormalDist

from mr_reuse.synth.key import Page, Planted
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

MEDIAN, SIGMA, MAX_CHUNKS = 23, 1.26, 428
TEMPLATE_EVERY, BOILERPLATE_EVERY = 6, 10  # chunks
POOL_PER_MILLE = 700  # templates per 1,000 pages: 8 a page * 21 / 242
TOPICS = 16
HOT_ODDS = 208, 96  # in 256, on pages that are long enough
SMALLEST_HOT = 5  # chunks of a page, without its first and last one

SECTIONS = 'blog news articles archive projects people events guides'.split()
GROUPS = (
    'club society notes review kitchen studio works gazette institute museum shop'
    ' library journal school guild choir'
).split()
SENTENCES = (3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8, 9, 11, 13, 16)
SHAPES = [
    *[(b'<p>', b'</p>\n')] * 11,
    (b'<p class="lead">', b'</p>\n'),
    (b'<div class="entry">', b'</div>\n'),
    (b'<div class="note"><b>Note.</b> ', b'</div>\n'),
    (b'<P>', b'\n'),
    (b'<div\n  class="quote"><blockquote>', b'</blockquote></div>\n'),
]
MAX_BITS = 1 + 3 * max(SENTENCES)  # random bytes that a paragraph uses at most

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title} - {host}</title>
<link rel="canonical" href="{url}">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<h1>{title}</h1>
"""
# The closing tags must not become part of a planted chunk, so they are in a chunk that
# only this page has.
END = """<div class="end">Permanent link: <a href="{url}">{url}</a></div>
</body>
</html>
"""
TEMPLATES = (
    '<div class="nav n{rank}"><ul><li><a href="{home}">Home</a><li>'
    '<a href="{home}{a}/">{a}</a><li><a href="{home}{b}/">{b}</a></ul></div>\n',
    '<div class="box b{rank}"><b>{c}</b> <a href="{home}{a}/{b}.html">{a} {b}</a>:'
    ' what every {d} should know about the {b}.</div>\n',
    '<p class="foot f{rank}">{c}. Written by the {d} and friends,'
    ' <a href="{home}about.html">about us</a>, all about {a} and {b}.</p>\n',
)

Plant = Callable[[str, bytes], Planted]


@dataclass(slots=True)
class Common:
    """Chunks that sites of all owners share."""

    hot: list[Planted]
    boilerplate: list[Planted]

    @property
    def chunks(self) -> list[Planted]:
        return self.hot + self.boilerplate


@dataclass(slots=True)
class Site:
    """A host and the content of its pages."""

    seed: int
    host: str
    templates: list[Planted]
    common: Common
    scheme: str = 'http'
    homes: tuple[str, ...] = ('',)  # subtrees with owners of their own

    def url(self, number: int, bits: bytes) -> str:
        """Return the URL of a page, one to four components below its owner's home."""
        home = f'{self.scheme}://{self.host}/{self.homes[number % len(self.homes)]}'
        if not number:
            return home
        year, month = 1998 + bits[1] % 17, bits[2] % 12 + 1
        folders = pick(SECTIONS, bits[0]), str(year), f'{month:02}'
        slug = f'{pick(MANNERS, bits[3])}-{pick(PEOPLE, bits[4])}-{number}.html'
        return home + '/'.join([*folders[: bits[5] % 4], slug])


@functools.cache
def sizes() -> list[int]:
    """Return the page sizes, in chunks, as 4096 equally likely values.

    >>> sizes()[0], sizes()[2048], sizes()[-1], round(sum(sizes()) / 4096, 1)
    (1, 23, 428, 47.9)
    """
    at = [NormalDist().inv_cdf((k + 0.5) / 4096) for k in range(4096)]
    exact = [round(MEDIAN * math.exp(SIGMA * z)) for z in at]
    return [min(max(size, 1), MAX_CHUNKS) for size in exact]


@functools.cache
def zipf(ranks: int) -> bytes:
    """Return a rank for each byte, with rank k being k + 1 times rarer than rank 0.

    >>> [zipf(3).count(k) for k in range(3)]
    [140, 69, 47]
    """
    sums = list(accumulate(1 / (k + 1) for k in range(ranks)))
    return bytes(bisect(sums, (b + 0.5) / 256 * sums[-1]) for b in range(256))


def host_name(number: int) -> str:
    """Return the host of a number, in a domain reserved for examples.

    Different numbers have different hosts.

    >>> host_name(0), host_name(1), len({host_name(k) for k in range(9999)})
    ('almanac-club.example', 'bell-shop.example', 9999)
    """
    names = [thing for thing in THINGS if thing.isascii()]
    round_, place = divmod(number, len(names) * len(GROUPS))
    # The step is coprime to the number of pairs, so it visits each of them once, and
    # consecutive hosts do not look alike.
    group, name = divmod(place * 1009 % (len(names) * len(GROUPS)), len(names))
    return f'{names[name]}-{GROUPS[group]}{round_ or ""}.example'


def template(seed: int, home: str, rank: int) -> bytes:
    """Return a block that only the pages of one site have.

    >>> template(1, 'http://oak-club.example/', 2)[:40]
    b'<p class="foot f2">The painted gate of t'
    """
    bits = draw(6, seed, 'template', home, rank)
    return (
        TEMPLATES[rank % len(TEMPLATES)]
        .format(
            rank=rank,
            home=home,
            a=pick(THINGS, bits[0]),
            b=pick(THINGS, bits[1]),
            c=title(bits[2:]),
            d=pick(PEOPLE, bits[5]),
        )
        .encode()
    )


def templates(seed: int, home: str, pages: int, plant: Plant) -> list[Planted]:
    """Return the pool of templates of a site with a number of pages."""
    pool = range(max(3, pages * POOL_PER_MILLE // 1000))
    return [plant('template', template(seed, home, rank)) for rank in pool]


def paragraphs(tables: list[list[bytes]], bits: bytes, number: int) -> list[bytes]:
    """Return chunks that no other page is likely to have: 72 random bits or more each.

    >>> paragraphs([[b'We '], [b'like '], [b'tea. ']] * 16, bytes(MAX_BITS), 1)
    [b'<p>We like tea. We like tea. We like tea. </p>\\n']
    """
    chunks, at = [], number
    for shape in bits[:number]:
        end = at + 3 * SENTENCES[shape & 15]
        opening, closing = SHAPES[shape >> 4]
        words = map(getitem, tables, bits[at:end])  # `prose`, without its copy
        chunks.append(b''.join([opening, *words, closing]))
        at = end
    return chunks


def head(url: str, host: str, heading: str) -> bytes:
    """Return the first chunk of a page, which is unique because it has the URL."""
    return HEAD.format(url=url, host=host, title=heading).encode()


def end(url: str) -> bytes:
    """Return the last chunk of a page, also unique, with the closing tags."""
    return END.format(url=url).encode()


def between_own_ends(
    url: str, host: str, heading: str, chunks: list[Planted], last: bytes = b''
) -> Page:
    """Return a page of planted chunks between a first and last chunk of its own."""
    inner = [chunk.data for chunk in chunks]
    body = b''.join([head(url, host, heading), *inner, last, end(url)])
    return Page(url, host, body, chunks)


def honest_page(site: Site, number: int) -> Page:
    """Return a page that depends on the seed, its host and its number only."""
    bits = draw(16, site.seed, 'page', site.host, number)
    url = site.url(number, bits[2:8])
    inner = sizes()[int.from_bytes(bits[:2], 'big') >> 4] - 2
    if inner <= 0:
        return _tiny_page(site, url, bits, with_end=not inner)
    top, bottom, hot, boilerplate = _shared(site, inner, number)
    words = draw(inner * MAX_BITS, site.seed, 'words', site.host, number)
    used = [*top, *bottom, *hot, *boilerplate]
    tables = topic(site.seed, bits[8] % TOPICS)
    content = paragraphs(tables, words, inner - len(used))
    for k, chunk in enumerate(boilerplate):
        content.insert(k * BOILERPLATE_EVERY, chunk.data)
    parts = [
        head(url, site.host, title(bits[9:])),
        *[chunk.data for chunk in top],
        *content,
        *[chunk.data for chunk in hot + bottom],
        end(url),
    ]
    return Page(url, site.host, b''.join(parts), used)


def _shared(site: Site, inner: int, number: int) -> tuple[list[Planted], ...]:
    """Return the templates above and below, hot chunks and boilerplate of a page."""
    count, short = inner // TEMPLATE_EVERY, inner // BOILERPLATE_EVERY
    bits = draw(2 + count + short, site.seed, 'shared', site.host, number)
    ranks = bits[2 : 2 + count].translate(zipf(len(site.templates)))
    templates = [site.templates[rank] for rank in ranks]
    hot = [
        chunk
        for chunk, bit, odds in zip(site.common.hot, bits, HOT_ODDS, strict=False)
        if bit < odds and inner >= SMALLEST_HOT
    ]
    boilerplate = [pick(site.common.boilerplate, bit) for bit in bits[2 + count :]]
    return templates[: count // 2], templates[count // 2 :], hot, boilerplate


def _tiny_page(site: Site, url: str, bits: bytes, with_end: bool) -> Page:
    text = prose(topic(site.seed, bits[8] % TOPICS), bits[9:15])
    rest = end(url) if with_end else b'</body>\n</html>\n'
    body = head(url, site.host, title(bits[9:])) + text + rest
    return Page(url, site.host, body)
