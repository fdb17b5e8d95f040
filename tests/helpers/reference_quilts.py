"""What quilts are, said a second time: strings, naive greedy, exact covers.

Nothing here imports the package, and no gram is hashed.
"""

import itertools
import re
from collections import Counter, defaultdict
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from ipaddress import ip_address
from typing import NamedTuple

Gram = tuple[str, ...]


class Page(NamedTuple):
    """A page with its words."""

    rid: str
    url: str
    words: list[str]
    date: str = ''
    ip: str = ''


class Options(NamedTuple):
    """The options that decide the tables."""

    k: int = 5
    m: int = 50
    c: int = 4
    alpha: Fraction = Fraction(1, 2)
    foreign: str = 'none'
    delta: Fraction = Fraction(0)
    captures: str = 'first'


class Source(NamedTuple):
    """A source in a cover."""

    rid: str
    new: int
    shared: int


class Quilt(NamedTuple):
    """A document with its cover."""

    page: Page
    grams: int
    patch: int
    sources: list[Source]

    @property
    def share(self) -> Fraction:
        return Fraction(self.patch, self.grams)


def place(rid: str) -> tuple:
    """The order of rids: the archive by its bytes, offsets as numbers."""
    archive, _, offset = rid.rpartition(':')
    return archive.encode(), [int(number) for number in offset.split('+')]


def seconds(date: str) -> float:
    """A date as a number; one that cannot be is later than all."""
    digits = re.sub('[-:TZ]', '', date.partition('.')[0])
    try:
        known = datetime.strptime(digits, '%Y%m%d%H%M%S') if len(digits) == 14 else None
    except ValueError:
        known = None
    if not known or known.year < 1991:
        return float('inf')
    return (known - datetime(1, 1, 1)).total_seconds()


def choose(pages: list[Page], keep: str) -> list[Page]:
    """The documents: of each URL one capture, unless all are kept."""
    if keep == 'all':
        return pages
    groups = defaultdict(list)
    for page in pages:
        groups[page.url].append(page)
    sign = 1 if keep == 'first' else -1
    return [
        min(group, key=lambda p: (sign * seconds(p.date), place(p.rid)))
        for group in groups.values()
    ]


def host(url: str) -> str:
    """The host of a URL, which has no default port here; '' without one."""
    match = re.match(r'\w+://([^/?#]*)', url)
    return match[1].lower() if match else ''


def domain(url: str) -> str:
    """The domain: here two labels, or an address itself."""
    name = host(url)
    if name.startswith('['):
        return name.partition(']')[0] + ']'
    name = re.sub(r':\d*$', '', name).strip('.')
    return name if re.fullmatch(r'[\d.]+', name) else '.'.join(name.split('.')[-2:])


def address(ip: str):
    try:
        return ip_address(ip)
    except ValueError:
        return None


def is_foreign(one: Page, other: Page, unit: str) -> bool:
    """Whether two pages are on different servers."""
    if unit == 'none':
        return True
    if not host(one.url) or not host(other.url):
        return True
    if unit == 'host':
        return host(one.url) != host(other.url)
    addresses = address(one.ip), address(other.ip)
    if unit == 'ip' and None not in addresses:
        return addresses[0] != addresses[1]
    return domain(one.url) != domain(other.url)


def grams_of(words: list[str], k: int) -> set[Gram]:
    return {tuple(words[i : i + k]) for i in range(len(words) - k + 1)}


class Corpus:
    """Documents with their grams."""

    def __init__(self, pages: list[Page], options: Options):
        self.options = options
        self.pages = sorted(choose(pages, options.captures), key=lambda p: place(p.rid))
        self.grams = {p.rid: grams_of(p.words, options.k) for p in self.pages}
        self.counts = Counter(gram for grams in self.grams.values() for gram in grams)

    def patch_grams(self, page: Page) -> set[Gram]:
        most = self.options.m
        return {g for g in self.grams[page.rid] if 2 <= self.counts[g] <= most}

    def others(self, page: Page) -> list[Page]:
        unit = self.options.foreign
        others = (p for p in self.pages if p.rid != page.rid)
        return [other for other in others if is_foreign(page, other, unit)]

    def cover(self, page: Page) -> list[Source]:
        """The greedy cover: each time all other documents are compared."""
        patch = self.patch_grams(page)
        left, cover = set(patch), []
        others = self.others(page)
        while left:
            ranks = [
                (
                    -len(left & self.grams[other.rid]),
                    -len(patch & self.grams[other.rid]),
                    place(other.rid),
                    other.rid,
                )
                for other in others
            ]
            best = min(ranks, default=None)
            if not best or not best[0] or -best[0] < self.options.delta * len(patch):
                break
            cover.append(Source(best[3], -best[0], -best[1]))
            left -= self.grams[best[3]]
        return cover

    def exact(self, page: Page) -> int:
        """The size of a smallest cover of all that other documents have."""
        patch = self.patch_grams(page)
        useful = [patch & self.grams[other.rid] for other in self.others(page)]
        useful = [grams for grams in useful if grams]
        wanted = set().union(*useful)
        for size in range(len(useful) + 1):
            for chosen in itertools.combinations(useful, size):
                if set().union(*chosen) == wanted:
                    return size
        raise AssertionError('all documents together are a cover')

    def quilts(self) -> list[Quilt]:
        """The quilts in the order of their table."""
        found = []
        for page in self.pages:
            grams, patch = len(self.grams[page.rid]), len(self.patch_grams(page))
            if grams and Fraction(patch, grams) >= self.options.alpha:
                cover = self.cover(page)
                if len(cover) >= self.options.c:
                    found.append(Quilt(page, grams, patch, cover))
        return sorted(
            found, key=lambda q: (-len(q.sources), -q.share, place(q.page.rid))
        )

    def tables(self) -> dict[str, bytes]:
        """The bytes of the tables."""
        quilts, urls = self.quilts(), {page.rid: page.url for page in self.pages}
        pages = [
            (q.page.rid, q.page.url, len(q.page.words), q.grams, q.patch)
            + (decimals(q.share), len(q.sources))
            for q in quilts
        ]
        sources = [
            (q.page.rid, number, s.rid, urls[s.rid], s.new, s.shared)
            for q in quilts
            for number, s in enumerate(q.sources, 1)
        ]
        percents = Counter(
            100 * len(self.patch_grams(page)) // len(self.grams[page.rid])
            for page in self.pages
            if self.grams[page.rid]
        )
        return {
            'quilts.tsv': table('rid url words grams patch share sources', pages),
            'quilt_sources.tsv': table(
                'rid number source_rid source_url new shared', sources
            ),
            'quilt_shares.tsv': table('percent pages', sorted(percents.items())),
            'quilt_sites.tsv': table(
                'host source_host pages new', self.sites(quilts, urls)
            ),
        }

    def sites(self, quilts: list[Quilt], urls: dict[str, str]) -> list[tuple]:
        pages, new = defaultdict(set), Counter()
        for quilt in quilts:
            for source in quilt.sources:
                pair = host(quilt.page.url), host(urls[source.rid])
                if all(pair):
                    pages[pair].add(quilt.page.rid)
                    new[pair] += source.new
        rows = [(*pair, len(rids), new[pair]) for pair, rids in pages.items()]
        return sorted(rows, key=lambda row: (-row[3], row[0].encode(), row[1].encode()))

    def swept(self) -> tuple[int, int, str, str]:
        """A row of the table of the sweep, without the parameter and its value."""
        documents = sum(bool(grams) for grams in self.grams.values())
        quilts = self.quilts()
        found, sources = len(quilts), sum(len(q.sources) for q in quilts)
        percent = Fraction(100 * found, documents) if documents else Fraction(0)
        mean = Fraction(sources, found) if found else Fraction(0)
        return documents, found, decimals(percent), decimals(mean)


def decimals(number: Fraction) -> str:
    """A number with nine decimals, rounded half to even."""
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    scaled = number * 10**9
    floor = scaled.numerator // scaled.denominator
    rest = scaled - floor
    half = Fraction(1, 2)
    floor += rest > half or (rest == half and floor % 2 == 1)
    assert abs(exact - Decimal(floor) / 10**9) <= Decimal('6e-10')
    return str((Decimal(floor) / 10**9).quantize(Decimal('1e-9'), ROUND_HALF_EVEN))


def table(header: str, rows) -> bytes:
    lines = [header.split(), *rows]
    return ''.join('\t'.join(map(str, line)) + '\n' for line in lines).encode()
