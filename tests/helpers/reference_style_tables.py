"""What styles are, said a second time, by the numbers that `styles parameters` prints.

N-grams are sets of bytes, all documents are compared with each other, and components
are found breadth first. Nothing here imports the package.
"""

import re
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

from reference_quilts import Page, choose, domain, host, place, table

BITS = 64
EMPTY = None
TABLES = {
    'styles.tsv': 'style pages hosts domains mean score rid url',
    'style_members.tsv': 'style rid url similarity',
}


class Body(NamedTuple):
    """A page as served: `kind` is html, plain, or conversion for a WET record."""

    rid: str
    url: str
    body: bytes
    date: str = ''
    kind: str = 'html'


class Options(NamedTuple):
    """The options that decide the tables."""

    n: int = 32
    m: int = 128
    t: int = 35
    p: int = 20
    key_bits: int = 16
    normalize_empty: bool = False
    preprocessor: str = 'noise'
    ignore: Fraction | None = None
    captures: str = 'first'


class Parameters:
    """The numbers that fix fingerprints, as `styles parameters` prints them."""

    def __init__(self, text: str):
        lines = dict(line.split(' ', 1) for line in text.splitlines())
        self.multiplier = int(lines['multiplier'], 16)
        self.mixer = int(lines['mixer'], 16)
        self.key_multiplier = int(lines['key-multiplier'], 16)
        self.probed = list(map(int, lines['probed'].split()))
        dimensions = [lines[str(i)].split() for i in range(int(lines['m']))]
        self.masks = [int(mask, 16) for mask, _ in dimensions]
        self.shuffles = [list(bytes.fromhex(bits)) for _, bits in dimensions]
        self.value = cache(self._value)

    def hash(self, gram: bytes) -> int:
        """The bytes are digits of a number, which is mixed."""
        number = 0
        for byte in gram:
            number = (number * self.multiplier + byte) % 2**BITS
        number ^= number >> 32
        number = number * self.mixer % 2**BITS
        return number ^ number >> 29

    def _value(self, gram: bytes) -> tuple[int, int]:
        """The dimension of an n-gram, and its value there."""
        number = self.hash(gram)
        dimension = number % len(self.masks)
        number ^= self.masks[dimension]
        shuffle = self.shuffles[dimension]
        return dimension, sum((number >> bit & 1) << i for i, bit in enumerate(shuffle))

    def keys(self, noise: bytes, options: Options) -> list[int | None]:
        """The keys of a fingerprint; empty without an n-gram."""
        n = options.n
        grams = {noise[i : i + n] for i in range(len(noise) - n + 1)}
        least: dict[int, int] = {}
        for dimension, value in map(self.value, grams):
            least[dimension] = min(value, least.get(dimension, 2**BITS))
        keys = [self.key(least.get(i), options.key_bits) for i in range(options.m)]
        return keys if grams else []

    def key(self, value: int | None, bits: int) -> int | None:
        """The first bits of a product; all bits of 1, 2, 4 or 8 bytes are reserved."""
        if value is None:
            return EMPTY
        key = value * self.key_multiplier % 2**BITS >> (BITS - bits)
        return (
            key - 1
            if key in (2**8 - 1, 2**16 - 1, 2**32 - 1) and (key == 2**bits - 1)
            else key
        )


def noise_of(body: bytes, preprocessor: str) -> bytes:
    """The noise. The pages of these tests have plain tags only."""
    if preprocessor == 'full':
        return body
    if preprocessor == 'noise':
        return re.sub(rb'[A-Za-z0-9\x80-\xff]', b'', body)
    tags = re.findall(rb'<(/?)([A-Za-z][^\s/>]*)[^>]*?(/?)>', body)
    return b''.join(
        b'<%b%b%b>' % (end, name.lower(), closed) for end, name, closed in tags
    )


def decimals(number: Fraction) -> str:
    """A number with nine decimals, rounded half to even."""
    return format(Decimal(round(number * 10**9)) / 10**9, '.9f')


class Style(NamedTuple):
    """A cluster of pages."""

    members: list[Page]
    prototype: Page
    mean: Fraction

    @property
    def hosts(self) -> int:
        return count_names(self.members, host)

    @property
    def domains(self) -> int:
        return count_names(self.members, domain)

    @property
    def score(self) -> Fraction:
        return self.mean * self.domains


def count_names(pages: list[Page], name) -> int:
    """A page without a host counts by itself."""
    names = [name(page.url) if host(page.url) else page.rid for page in pages]
    return len(set(names))


class Corpus:
    """Documents, with their fingerprints."""

    def __init__(self, bodies: list[Body], options: Options, parameters: Parameters):
        self.options, self.parameters = options, parameters
        pages = [
            Page(body.rid, body.url, [], body.date)
            for body in bodies
            if body.kind == 'html'
        ]
        self.pages = sorted(choose(pages, options.captures), key=lambda p: place(p.rid))
        read = {body.rid: body.body for body in bodies}
        self.keys = {
            page.rid: keys
            for page in self.pages
            if (
                keys := parameters.keys(
                    noise_of(read[page.rid], options.preprocessor), options
                )
            )
        }
        self.ignored: set[tuple[int, int]] = set()
        if options.ignore is not None:
            self.ignored = self.find_common(options.ignore)
        self.leave_out(self.ignored)
        self.prints = [page for page in self.pages if page.rid in self.keys]

    def find_common(self, share: Fraction) -> set[tuple[int, int]]:
        """The dimensions and values that are on too many of all domains."""
        named = {
            page.rid: domain(page.url) if host(page.url) else page.rid
            for page in self.pages
            if page.rid in self.keys
        }
        domains = defaultdict(set)
        for rid, keys in self.keys.items():
            for pair in enumerate(keys):
                domains[pair].add(named[rid])
        most = share * len(set(named.values()))
        return {
            pair
            for pair, found in domains.items()
            if len(found) > most and pair[1] is not EMPTY
        }

    def leave_out(self, ignored: set[tuple[int, int]]) -> None:
        """Empty the dimensions with such values."""
        self.keys = {
            rid: [EMPTY if pair in ignored else pair[1] for pair in enumerate(keys)]
            for rid, keys in self.keys.items()
        }

    def agreeing(self, one: Page, other: Page) -> list[int]:
        """The dimensions in which two pages agree."""
        pairs = zip(self.keys[one.rid], self.keys[other.rid], strict=True)
        return [i for i, (a, b) in enumerate(pairs) if a == b and a is not EMPTY]

    def counted(self, one: Page, other: Page) -> int:
        """The dimensions that count."""
        if not self.options.normalize_empty:
            return self.options.m
        pairs = zip(self.keys[one.rid], self.keys[other.rid], strict=True)
        return sum(a is not EMPTY or b is not EMPTY for a, b in pairs)

    def similarity(self, one: Page, other: Page) -> Fraction:
        agreeing = len(self.agreeing(one, other))
        return Fraction(agreeing, self.counted(one, other)) if agreeing else Fraction(0)

    def edges(self) -> list[tuple[Page, Page]]:
        """Pairs that agree in a probed dimension, and in enough of all."""
        found = []
        least = Fraction(self.options.t, self.options.m)
        for pair in combinations(self.prints, 2):
            agreeing = self.agreeing(*pair)
            is_probed = set(agreeing) & set(self.parameters.probed)
            if is_probed and self.similarity(*pair) >= least:
                found.append(pair)
        return found

    def styles(self) -> list[Style]:
        """The connected components, ranked."""
        neighbors = defaultdict(list)
        for one, other in self.edges():
            neighbors[one.rid].append(other)
            neighbors[other.rid].append(one)
        seen: set[str] = set()
        styles = []
        for page in self.prints:
            if page.rid in seen or page.rid not in neighbors:
                continue
            queue, members = [page], []
            for one in queue:
                if one.rid not in seen:
                    seen.add(one.rid)
                    members.append(one)
                    queue += neighbors[one.rid]
            members.sort(key=lambda p: place(p.rid))
            styles.append(self.style(members))
        return sorted(
            styles, key=lambda s: (-s.score, -len(s.members), place(s.prototype.rid))
        )

    def style(self, members: list[Page]) -> Style:
        pairs = list(combinations(members, 2))
        mean = sum(self.similarity(*pair) for pair in pairs) / Fraction(len(pairs))
        matches = {page.rid: 0 for page in members}
        for one, other in pairs:
            for page in (one, other):
                matches[page.rid] += len(self.agreeing(one, other))
        prototype = min(members, key=lambda p: (-matches[p.rid], place(p.rid)))
        return Style(members, prototype, mean)

    def tables(self) -> dict[str, bytes]:
        """The bytes of the tables."""
        styles, members = [], []
        for number, style in enumerate(self.styles(), 1):
            page = style.prototype
            styles.append(
                (
                    *(number, len(style.members), style.hosts, style.domains),
                    *(decimals(style.mean), decimals(style.score)),
                    *(page.rid, page.url),
                )
            )
            near = {p.rid: self.similarity(page, p) for p in style.members}
            ordered = sorted(style.members, key=lambda p: (-near[p.rid], place(p.rid)))
            members += [(number, p.rid, p.url, decimals(near[p.rid])) for p in ordered]
        rows = styles, members
        return {
            name: table(header, lines)
            for (name, header), lines in zip(TABLES.items(), rows, strict=True)
        }

    def near(self, page: Page) -> bytes:
        """The bytes of the table of all documents by their similarity to one."""
        found = {p.rid: self.similarity(page, p) for p in self.prints}
        ordered = sorted(self.prints, key=lambda p: (-found[p.rid], place(p.rid)))
        rows = [(decimals(found[p.rid]), p.rid, p.url) for p in ordered]
        return table('similarity rid url', rows)

    def counts(self) -> dict[str, int]:
        """Counts of stats.json."""
        styles = self.styles()
        return {
            'documents': len(self.pages),
            'without_style': len(self.pages) - len(self.prints),
            'styles': len(styles),
            'members': sum(len(style.members) for style in styles),
            'largest': max((len(style.members) for style in styles), default=0),
        }

    def matches(self, known: 'Corpus') -> bytes:
        """The bytes of the table of the known pages that are nearest to pages of this.

        The options of both are the same, and this one ignores what the other does.
        """
        self.keys |= {page.rid: known.keys[page.rid] for page in known.prints}
        members = [
            (number, page)
            for number, style in enumerate(known.styles(), 1)
            for page in style.members
        ]
        least = Fraction(self.options.t, self.options.m)
        found = []
        for page in self.prints:
            near = [
                (-self.similarity(page, other), number, place(other.rid), other)
                for number, other in members
                if set(self.agreeing(page, other)) & set(self.parameters.probed)
            ]
            if near and -min(near)[0] >= least:
                similarity, number, _, other = min(near)
                found.append((similarity, place(page.rid), page, number, other))
        rows = [
            (page.rid, page.url, number, decimals(-near), other.rid, other.url)
            for near, _, page, number, other in sorted(found)
        ]
        return table('rid url style similarity known_rid known_url', rows)
