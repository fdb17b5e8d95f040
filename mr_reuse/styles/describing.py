"""Styles: the documents of each cluster, and how similar they are.

    text/PART     TEXTS  in the shuffle: cluster, number, rid and URL of a document
    other/0000    TEXTS  in the shuffle as well: documents drawn of all
    style/PART    TEXTS  the fields of `Style`
    member/PART   TEXTS  the fields of `Member`

Lines of `features/sampling.py` follow.

A cluster is known by the smallest number of its documents.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import IO, NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.algorithms.agreement import Agreement, count_agreeing
from mr_reuse.components.edges import Edges
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.pages.documents import document_parts, numbering
from mr_reuse.pages.documents.document import Document
from mr_reuse.shuffle import ordered_parts, sorting
from mr_reuse.shuffle.partitions import (
    pack_texts,
    part_of,
    partition_key,
    unit_of,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line
from mr_reuse.styles import means
from mr_reuse.styles.common import domains_of
from mr_reuse.styles.features.sampling import (
    NONE,
    OTHER,
    SAMPLED,
    OtherSampler,
    Sampled,
    choose_members,
)
from mr_reuse.styles.fingerprints import FingerprintFile, Fingerprints
from mr_reuse.tables.decimals import format_decimal

UNIT, STYLES, MEMBERS = 'text', 'style', 'member'
DIGITS = 20  # of a number, so that texts sort like it
MAX_TEXTS = 16 << 20  # bytes of texts in memory, with OVERHEAD for each
OVERHEAD = 100
AT_ONCE = 1 << 16  # documents to compare with the prototype in one call


class Style(NamedTuple):
    """A cluster of documents."""

    cluster: int
    pages: int
    hosts: int
    domains: int
    mean: Fraction
    number: int  # of the prototype
    rid: str
    url: str

    @property
    def score(self) -> Fraction:
        """The number by which styles are ranked."""
        return self.mean * self.domains

    @classmethod
    def parse(cls, text: bytes) -> 'Style':
        """Parse a text of the output."""
        *counts, mean, number, rid, url = to_text(text).split('\t')
        return cls(*map(int, counts), Fraction(mean), int(number), rid, url)

    def to_text(self) -> bytes:
        """Make a text of the output.

        >>> style = Style(3, 2, 1, 1, Fraction(2, 3), 4, 'a:0', 'http://a.org/')
        >>> Style.parse(style.to_text()) == style
        True
        """
        return to_bytes('\t'.join(map(str, self)))


class Member(NamedTuple):
    """A document of a cluster."""

    cluster: int
    similarity: str  # to the prototype
    number: int
    rid: str
    url: str

    @classmethod
    def parse(cls, text: bytes) -> 'Member':
        """Parse a text of the output."""
        cluster, similarity, number, rid, url = to_text(text).split('\t')
        return cls(int(cluster), similarity, int(number), rid, url)


class TextCollector:
    """A `Collector` of the documents that are in clusters."""

    def __init__(self, components: Edges, parts: int, total: int):
        self._components = components
        self._clusters = np.unique(components.neighbors)
        self._parts, self._total = parts, total
        self._texts: dict[int, list[bytes]] = {}
        self._size = 0
        self._others = OtherSampler()

    def add(self, page: Document, number: int) -> Iterator[Line]:
        """Add a document. It is written if it is in a cluster, or is drawn of all."""
        cluster = find_cluster(number, self._components)
        is_alone = cluster == number and not numbering.is_among(number, self._clusters)
        if page.grams:
            self._others.add(page.rid, page.url, NONE if is_alone else cluster)
        if is_alone:
            return
        head = b'%0*d\t%0*d\t' % (DIGITS, cluster, DIGITS, number)
        text = head + to_bytes(f'{page.rid}\t{page.url}')
        part = document_parts.part_of_number(cluster, self._parts, self._total)
        self._texts.setdefault(part, []).append(text)
        self._size += len(text) + OVERHEAD
        if self._size > MAX_TEXTS:
            yield from self.finish()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the documents in memory."""
        for part, texts in self._texts.items():
            for value in pack_texts(texts):
                yield partition_key(UNIT, part), value
        self._texts, self._size = {}, 0
        yield from self._others.finish()


def find_cluster(number: int, components: Edges) -> int:
    """Return the smallest number of the component of one number.

    For one number, this takes fewer calls of numpy than `files.find_smallest`.

    >>> components = Edges(*np.array([[4, 7], [1, 2]], np.uint64))
    >>> [find_cluster(number, components) for number in (7, 1, 4, 9)]
    [2, 1, 1, 9]
    """
    at = int(components.numbers.searchsorted(np.uint64(number)))
    if at < len(components.numbers) and int(components.numbers[at]) == number:
        return int(components.neighbors[at])
    return number


class Describer:
    """A reducer of the lines of `TextCollector`: writes styles and their members."""

    def __init__(self, prints: FingerprintFile, normalizes: bool):
        self._prints, self._normalizes = prints, normalizes
        self.stats = {'styles': 0, 'members': 0, 'largest': 0}

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the lines of a partition, style by style."""
        if unit_of(key) == OTHER:
            others = OtherSampler()
            others.join(values)
            yield from others.finish()
            return
        part = part_of(key)
        texts = sorting.sort_lines(t for value in values for t in unpack_texts(value))
        for cluster, group in groupby(texts, lambda text: text.partition(b'\t')[0]):
            yield from self._describe(part, int(cluster), group)

    def _describe(
        self, part: int, cluster: int, texts: Iterable[bytes]
    ) -> Iterator[Line]:
        """Yield the lines of a cluster."""
        names = Names()
        for text in texts:
            names.add(text)
        numbers = np.array(names.numbers, np.int64)
        size = len(numbers)
        prototype, mean = self._find_prototype(numbers)
        servers = self._prints.servers(numbers)
        hosts, domains = (count_servers(servers[:, column]) for column in (0, 1))
        near = self._similarities(numbers, int(numbers[prototype]))
        chosen = choose_members(
            numbers, domains_of(Fingerprints(numbers, servers, servers)), prototype
        )
        sampled = names.take(chosen)
        number = int(numbers[prototype])
        style = Style(cluster, size, hosts, domains, mean, number, *sampled[0])
        rows = (
            to_bytes('\t'.join([str(cluster), near[at], str(numbers[at]), rid, url]))
            for at, (rid, url) in enumerate(names)
        )
        yield from ordered_parts.pack_rows(MEMBERS, part, rows)
        yield from ordered_parts.pack_rows(STYLES, part, [style.to_text()])
        texts = (Sampled(cluster, *page).to_text() for page in sampled)
        yield from ordered_parts.pack_rows(SAMPLED, part, texts)
        self.stats['styles'] += 1
        self.stats['members'] += size
        self.stats['largest'] = max(size, self.stats['largest'])

    def _find_prototype(self, numbers: np.ndarray) -> tuple[int, Fraction]:
        """Return the index of the prototype, and the mean similarity of a cluster."""
        keys = self._prints.keys
        matches = means.count_matches(keys, numbers)
        if self._normalizes:
            mean = means.normalized_mean(keys, numbers, int(matches.sum()))
        else:
            mean = means.mean_similarity(matches, keys.shape[1])
        return int(matches.argmax()), mean

    def _similarities(self, numbers: np.ndarray, prototype: int) -> list[str]:
        """Return the similarity of each document to the prototype, for the table."""
        keys, near = self._prints.keys, []
        for start in range(0, len(numbers), AT_ONCE):
            rows = keys[numbers[start : start + AT_ONCE]]
            found = count_agreeing(keys[prototype], rows)
            near += format_similarities(found, keys.shape[1], self._normalizes)
        return near


class Names:
    """The rids and URLs of a cluster, in a file if they are many."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self._texts: list[bytes] = []
        self._size = 0
        self._file: IO[bytes] | None = None

    def add(self, text: bytes) -> None:
        """Add a text of `TextCollector`."""
        _, number, name = text.split(b'\t', 2)
        self.numbers.append(int(number))
        self._texts.append(name)
        self._size += len(name) + OVERHEAD
        if self._size > MAX_TEXTS:
            self._file = self._file or storage.open_scratch()
            self._file.writelines(name + b'\n' for name in self._texts)
            self._texts, self._size = [], 0

    def take(self, places: Sequence[int]) -> list[tuple[str, str]]:
        """Return those at some places, in their order.

        >>> names = Names()
        >>> for text in (b'0\\t7\\ta:0\\tx', b'0\\t8\\ta:9\\ty'): names.add(text)
        >>> names.take([1, 0])
        [('a:9', 'y'), ('a:0', 'x')]
        """
        wanted = set(places)
        found = {at: name for at, name in enumerate(self) if at in wanted}
        return [found[at] for at in places]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        if self._file:
            self._file.seek(0)
            yield from (_split(line.rstrip(b'\n')) for line in self._file)
            self._file.seek(0, 2)
        yield from map(_split, self._texts)


def _split(name: bytes) -> tuple[str, str]:
    rid, _, url = to_text(name).partition('\t')
    return rid, url


def count_servers(digests: np.ndarray) -> int:
    """Count hosts or domains; each page without one is one by itself.

    >>> count_servers(np.array([7, 7, 8, 0, 0]))
    4
    """
    return len(np.unique(digests[digests != 0])) + int((digests == 0).sum())


def format_similarities(found: Agreement, m: int, normalizes: bool) -> list[str]:
    """Format similarities with 9 decimals.

    >>> found = Agreement(np.array([1, 0, 2]), np.array([1, 4, 0]))
    >>> format_similarities(found, 4, False)
    ['0.250000000', '0.000000000', '0.500000000']
    >>> format_similarities(found, 4, True)
    ['0.333333333', '0.000000000', '0.500000000']
    """
    texts: dict[tuple[int, int], str] = {}
    empty = found.both_empty if normalizes else np.zeros(len(found.agreeing), int)
    pairs = list(zip(found.agreeing.tolist(), empty.tolist(), strict=True))
    for agreeing, both_empty in set(pairs):
        share = Fraction(agreeing, m - both_empty) if agreeing else Fraction(0)
        texts[agreeing, both_empty] = format_decimal(share)
    return [texts[pair] for pair in pairs]
