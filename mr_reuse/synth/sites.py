"""Honest sites of a made crawl: templates, and pages of their own.

Page sizes follow the weblog that the papers used: lognormal with a median of 23
chunks. About one chunk in six comes from its site's templates, drawn by Zipf's law
from a pool that makes 21 distinct ones out of 242; one in ten is short boilerplate;
nearly all the rest is found on this page only.
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

MEDIAN, SIGMA, MOST = 23, 1.26, 428
TEMPLATE_EVERY, BOILERPLATE_EVERY = 6, 10
POOL_PER_MILLE = 700  # templates per 1,000 pages: 8 a page * 21 / 242
TOPICS = 16
HOT_ODDS = 208, 96  # of 256, on pages with room for it
SMALLEST_HOT = 5

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
MOST_BITS = 1 + 3 * max(SENTENCES)  # that a paragraph can use up

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
# whatever closes the page must not be glued to a planted chunk: the last chunk is own
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
    """What sites of all owners share."""

    hot: list[Planted]
    boilerplate: list[Planted]

    @property
    def chunks(self) -> list[Planted]:
        return self.hot + self.boilerplate


@dataclass(slots=True)
class Site:
    """A host and what its pages are made of."""

    seed: int
    host: str
    templates: list[Planted]
    common: Common
    scheme: str = 'http'
    homes: tuple[str, ...] = ('',)  # subtrees with owners of their own

    def url(self, number: int, bits: bytes) -> str:
        """A page's address, one to four components below its owner's home."""
        home = f'{self.scheme}://{self.host}/{self.homes[number % len(self.homes)]}'
        if not number:
            return home
        year, month = 1998 + bits[1] % 17, bits[2] % 12 + 1
        folders = pick(SECTIONS, bits[0]), str(year), f'{month:02}'
        slug = f'{pick(MANNERS, bits[3])}-{pick(PEOPLE, bits[4])}-{number}.html'
        return home + '/'.join([*folders[: bits[5] % 4], slug])


@functools.cache
def sizes() -> list[int]:
    """Numbers of chunks of which each is equally likely.

    >>> sizes()[0], sizes()[2048], sizes()[-1], round(sum(sizes()) / 4096, 1)
    (1, 23, 428, 47.9)
    """
    at = [NormalDist().inv_cdf((k + 0.5) / 4096) for k in range(4096)]
    exact = [round(MEDIAN * math.exp(SIGMA * z)) for z in at]
    return [min(max(size, 1), MOST) for size in exact]


@functools.cache
def zipf(ranks: int) -> bytes:
    """For each byte a rank, such that rank k is k + 1 times as rare as rank 0.

    >>> [zipf(3).count(k) for k in range(3)]
    [140, 69, 47]
    """
    sums = list(accumulate(1 / (k + 1) for k in range(ranks)))
    return bytes(bisect(sums, (b + 0.5) / 256 * sums[-1]) for b in range(256))


def host_name(number: int) -> str:
    """A host that no other number has, under a domain reserved for examples.

    >>> host_name(0), host_name(1), len({host_name(k) for k in range(9999)})
    ('almanac-club.example', 'bell-shop.example', 9999)
    """
    names = [thing for thing in THINGS if thing.isascii()]
    round_, place = divmod(number, len(names) * len(GROUPS))
    # a step coprime to their number visits every pair, and neighbours look unlike
    group, name = divmod(place * 1009 % (len(names) * len(GROUPS)), len(names))
    return f'{names[name]}-{GROUPS[group]}{round_ or ""}.example'


def template(seed: int, home: str, rank: int) -> bytes:
    """A block that only the pages of one site have.

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
    """As many templates as a site of so many pages has."""
    pool = range(max(3, pages * POOL_PER_MILLE // 1000))
    return [plant('template', template(seed, home, rank)) for rank in pool]


def paragraphs(tables: list[list[bytes]], bits: bytes, number: int) -> list[bytes]:
    """Chunks that no other page has, as far as chance goes: 72 bits or more in each.

    >>> paragraphs([[b'We '], [b'like '], [b'tea. ']] * 16, bytes(MOST_BITS), 1)
    [b'<p>We like tea. We like tea. We like tea. </p>\\n']
    """
    made, at = [], number
    for shape in bits[:number]:
        end = at + 3 * SENTENCES[shape & 15]
        opening, closing = SHAPES[shape >> 4]
        words = map(getitem, tables, bits[at:end])  # prose(), less a copy of it
        made.append(b''.join([opening, *words, closing]))
        at = end
    return made


def head(url: str, host: str, heading: str) -> bytes:
    """Chunk 0 of a page, which the address makes its own."""
    return HEAD.format(url=url, host=host, title=heading).encode()


def end(url: str) -> bytes:
    """The last chunk of a page, its own too, closing tags included."""
    return END.format(url=url).encode()


def between_own_ends(
    url: str, host: str, heading: str, chunks: list[Planted], last: bytes = b''
) -> Page:
    """A page of planted chunks; its first and last chunk are its own, and `last`."""
    inner = [chunk.data for chunk in chunks]
    body = b''.join([head(url, host, heading), *inner, last, end(url)])
    return Page(url, host, body, chunks)


def honest_page(site: Site, number: int) -> Page:
    """A page that depends on the seed, its host and its number only."""
    bits = draw(16, site.seed, 'page', site.host, number)
    url = site.url(number, bits[2:8])
    inner = sizes()[int.from_bytes(bits[:2], 'big') >> 4] - 2
    if inner <= 0:
        return _tiny_page(site, url, bits, with_end=not inner)
    top, bottom, hot, boilerplate = _shared(site, inner, number)
    words = draw(inner * MOST_BITS, site.seed, 'words', site.host, number)
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
    """Templates above and below, hot chunks and boilerplate of a page."""
    few, short = inner // TEMPLATE_EVERY, inner // BOILERPLATE_EVERY
    bits = draw(2 + few + short, site.seed, 'shared', site.host, number)
    ranks = bits[2 : 2 + few].translate(zipf(len(site.templates)))
    templates = [site.templates[rank] for rank in ranks]
    hot = [
        chunk
        for chunk, bit, odds in zip(site.common.hot, bits, HOT_ODDS, strict=False)
        if bit < odds and inner >= SMALLEST_HOT
    ]
    boilerplate = [pick(site.common.boilerplate, bit) for bit in bits[2 + few :]]
    return templates[: few // 2], templates[few // 2 :], hot, boilerplate


def _tiny_page(site: Site, url: str, bits: bytes, with_end: bool) -> Page:
    text = prose(topic(site.seed, bits[8] % TOPICS), bits[9:15])
    rest = end(url) if with_end else b'</body>\n</html>\n'
    body = head(url, site.host, title(bits[9:])) + text + rest
    return Page(url, site.host, body)
