"""What near-duplicates, popular phrases and covering sets are, said a second time.

Documents are compared each with each. Nothing here imports the package.
"""

import hashlib
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from math import isqrt
from typing import NamedTuple

from reference_phrases import phrase_texts
from reference_quilts import (
    Page,
    address,
    choose,
    decimals,
    domain,
    host,
    is_foreign,
    place,
    table,
)
from reference_shingles import Sampler
from reference_words import words_of

POSITIONS, RUN = 84, 14  # shingles of a document, and of a run of them
LEAST_RUNS = 2  # that near-duplicates have in common
SAMPLED_FROM = 30  # popular shingles
LEAST_PAGES, LEAST_MEAN, MONSTER_STD = 10, 30, 15  # of hosts
TABLES = {
    'near_duplicates.tsv': 'rid url kept_rid',
    'phrase_pages.tsv': 'rid url words popular',
    'phrases.tsv': 'documents positions phrase',
    'phrase_frequency.tsv': 'documents shingles',
    'phrase_hosts.tsv': 'host pages mean std monster',
    'covers.tsv': 'rid url popular sources foreign',
    'cover_sources.tsv': 'rid number source_rid source_url new shared foreign',
}


class Text(NamedTuple):
    """A page as served: `kind` is html, plain, or conversion for a WET record."""

    rid: str
    url: str
    text: str
    date: str = ''
    ip: str = ''
    kind: str = 'html'


class Options(NamedTuple):
    """The options that decide the tables."""

    popular: int = 5
    top: int = 1000
    covers: int = 50
    covers_of: str = ''
    seed: int = 0
    verify: str = ''
    captures: str = 'first'
    types: str = 'html'
    scripts: str = 'keep'
    words: str = 'unicode'


class Source(NamedTuple):
    """A source in a cover."""

    page: Page
    new: int
    shared: int
    foreign: bool


def read(texts: list[Text], options: Options) -> list[Page]:
    """The documents among pages, with their words."""
    pages = [
        Page(text.rid, text.url, words_in(text, options), text.date, text.ip)
        for text in texts
        if text.kind != 'plain' or options.types == 'text'
    ]
    return choose(pages, options.captures)


def words_in(text: Text, options: Options) -> list[str]:
    found = words_of(text.text, text.kind == 'html', options.scripts, options.words)
    return [word for word, _, _ in found]


class Corpus:
    """Documents with words, and what they have in common."""

    def __init__(self, texts: list[Text], options: Options, sampler: Sampler):
        self.options = options
        self.documents = read(texts, options)
        pages = [page for page in self.documents if page.words]
        self.pages = sorted(pages, key=lambda page: place(page.rid))
        self.shingles = {p.rid: sampler.shingles(p.words) for p in self.pages}
        self.phrases = {p.rid: set(phrase_texts(p.words)) for p in self.pages}
        self.kept_of = self.classes()
        self.kept = [page for page in self.pages if self.kept_of[page.rid] == page.rid]
        self.counts = Counter(
            pair for page in self.kept for pair in enumerate(self.shingles[page.rid])
        )
        self.popular = {
            pair: count
            for pair, count in self.counts.items()
            if count >= options.popular
        }
        self.positions = {
            page.rid: {
                pair[0]
                for pair in enumerate(self.shingles[page.rid])
                if pair in self.popular
            }
            for page in self.kept
        }

    def near_duplicates(self) -> list[tuple[str, str]]:
        """The pairs of documents that make them one class.

        These are all of which two runs agree, or those that are verified.
        """
        runs = {
            rid: [tuple(found[at : at + RUN]) for at in range(0, POSITIONS, RUN)]
            for rid, found in self.shingles.items()
        }
        if self.options.verify:
            least = Fraction(self.options.verify)
            pairs = self.pairs_to_verify(runs)
            alike = [pair for pair in pairs if self.resemblance(*pair) >= least]
            return alike + self.equal_pages()
        return [
            (one, other)
            for one, other in combinations(runs, 2)
            if sum(map(tuple.__eq__, runs[one], runs[other])) >= LEAST_RUNS
        ]

    def pairs_to_verify(self, runs: dict[str, list[tuple]]) -> set[tuple[str, str]]:
        """Each document with the first one that has the same two runs."""
        pairs = set()
        for chosen in combinations(range(POSITIONS // RUN), LEAST_RUNS):
            first: dict[tuple, str] = {}
            for page in self.pages:  # in their order
                found = tuple(runs[page.rid][number] for number in chosen)
                if first.setdefault(found, page.rid) != page.rid:
                    pairs.add((first[found], page.rid))
        return pairs

    def equal_pages(self) -> list[tuple[str, str]]:
        return [
            (one, other)
            for one, other in combinations(self.phrases, 2)
            if self.phrases[one] == self.phrases[other]
        ]

    def resemblance(self, one: str, other: str) -> Fraction:
        """The share of the phrases of two documents that both have."""
        sets = self.phrases[one], self.phrases[other]
        return Fraction(len(set.intersection(*sets)), len(set.union(*sets)))

    def classes(self) -> dict[str, str]:
        """The first document of the class of each, by a breadth-first search."""
        neighbors = defaultdict(list)
        for one, other in self.near_duplicates():
            neighbors[one].append(other)
            neighbors[other].append(one)
        first: dict[str, str] = {}
        for page in self.pages:
            queue = [page.rid] if page.rid not in first else []
            for rid in queue:
                if rid not in first:
                    first[rid] = page.rid
                    queue += neighbors[rid]
        return first

    def sample(self) -> list[Page]:
        """The documents with a cover."""
        options = self.options
        if options.covers_of:
            chosen = [page for page in self.kept if host(page.url) == options.covers_of]
            return [page for page in chosen if self.positions[page.rid]]
        strata = defaultdict(list)
        for page in self.kept:
            if (count := len(self.positions[page.rid])) >= SAMPLED_FROM:
                strata[count].append(page)
        return [
            page
            for pages in strata.values()
            for page in sorted(pages, key=self.lot)[: options.covers]
        ]

    def lot(self, page: Page) -> bytes:
        return hashlib.sha1(f'{self.options.seed}:{page.rid}'.encode()).digest()

    def cover(self, page: Page) -> list[Source]:
        """The greedy cover; pages at home come after all others that add anything."""
        mine, wanted = self.shingles[page.rid], self.positions[page.rid]
        common = {
            other.rid: {
                i for i in range(POSITIONS) if mine[i] == self.shingles[other.rid][i]
            }
            for other in self.kept
            if other.rid != page.rid
        }
        pages = {other.rid: other for other in self.kept}
        left, cover = set(wanted), []
        while left:
            ranks = [
                (
                    is_at_home(page, pages[rid]),
                    -len(left & shared),
                    -len(shared),
                    place(rid),
                    rid,
                )
                for rid, shared in common.items()
                if left & shared
            ]
            if not ranks:
                break
            rid = min(ranks)[-1]
            foreign = is_foreign(page, pages[rid], 'ip')
            new, shared = left & common[rid], wanted & common[rid]
            cover.append(Source(pages[rid], len(new), len(shared), foreign))
            left -= new
        return cover

    def tables(self) -> dict[str, bytes]:
        """The bytes of the tables."""
        covers = sorted(
            ((page, self.cover(page)) for page in self.sample()),
            key=lambda row: (-len(self.positions[row[0].rid]), place(row[0].rid)),
        )
        rows = [
            self.near_duplicate_rows(),
            [
                (p.rid, p.url, len(p.words), len(self.positions[p.rid]))
                for p in self.kept
            ],
            self.phrase_rows(),
            sorted(Counter(self.popular.values()).items()),
            self.host_rows(),
            [self.cover_row(page, cover) for page, cover in covers],
            [row for page, cover in covers for row in source_rows(page, cover)],
        ]
        return {
            name: table(header, lines)
            for (name, header), lines in zip(TABLES.items(), rows, strict=True)
        }

    def near_duplicate_rows(self) -> list[tuple[str, str, str]]:
        first = self.kept_of
        return [
            (page.rid, page.url, first[page.rid])
            for page in self.pages
            if first[page.rid] != page.rid
        ]

    def phrase_rows(self) -> list[tuple[int, int, str]]:
        counts = defaultdict(list)
        for (_, phrase), count in self.popular.items():
            counts[phrase].append(count)
        rows = [(max(found), len(found), phrase) for phrase, found in counts.items()]
        return sorted(rows, key=lambda row: (-row[0], row[2].encode()))[
            : self.options.top
        ]

    def host_rows(self) -> list[tuple[str, int, str, str, int]]:
        counts = defaultdict(list)
        for page in self.kept:
            if host(page.url):
                counts[host(page.url)].append(len(self.positions[page.rid]))
        rows = []
        for name, found in counts.items():
            mean = Fraction(sum(found), len(found))
            variance = sum((count - mean) ** 2 for count in found) / len(found)
            if len(found) >= LEAST_PAGES and mean >= LEAST_MEAN:
                monster = int(variance < MONSTER_STD**2)
                facts = decimals(mean), root_decimals(variance), monster
                rows.append((name, len(found), *facts))
        return sorted(rows, key=lambda row: (-row[1], row[0].encode()))

    def cover_row(self, page: Page, cover: list[Source]) -> tuple:
        foreign = sum(source.new for source in cover if source.foreign)
        popular = len(self.positions[page.rid])
        return page.rid, page.url, popular, len(cover), foreign

    def counts_of_stats(self) -> dict[str, int]:
        """Counts of `stats.json`."""
        return {
            'documents': len(self.documents),
            'wordless': len(self.documents) - len(self.pages),
            'words': sum(len(page.words) for page in self.documents),
            'near_duplicates': len(self.pages) - len(self.kept),
            'kept': len(self.kept),
            'popular_shingles': len(self.popular),
            'popular_phrases': len({phrase for _, phrase in self.popular}),
            'sampled': len(self.sample()),
            'unread_pairs': 0,
        }


def is_at_home(page: Page, other: Page) -> bool:
    """Whether two pages have a domain or a known address in common."""
    if not host(page.url) or not host(other.url):
        return False
    addresses = address(page.ip), address(other.ip)
    same_address = None not in addresses and addresses[0] == addresses[1]
    return same_address or domain(page.url) == domain(other.url)


def source_rows(page: Page, cover: list[Source]) -> list[tuple]:
    return [
        (page.rid, number, s.page.rid, s.page.url, s.new, s.shared, int(s.foreign))
        for number, s in enumerate(cover, 1)
    ]


def root_decimals(square: Fraction) -> str:
    """The root of a fraction with nine decimals, rounded half to even.

    >>> root_decimals(Fraction(2)), root_decimals(Fraction(25, 4 * 10**18))
    ('1.414213562', '0.000000002')
    >>> root_decimals(Fraction(9, 4 * 10**18)), root_decimals(Fraction(0))
    ('0.000000002', '0.000000000')
    """
    scaled = square * 10**18
    floor = isqrt(scaled.numerator // scaled.denominator)
    half = Fraction(2 * floor + 1, 2) ** 2
    floor += scaled > half or (scaled == half and floor % 2 == 1)
    whole, rest = divmod(floor, 10**9)
    return f'{whole}.{rest:09}'
