"""Numbers of popular shingles: of each page, and of the pages of each host.

    doc/PART      COLUMNS  in the shuffle: documents, once for each popular shingle
    doc/PART      TEXTS    in the shuffle: documents, after the one kept of a class
    page/PART     TEXTS    NUMBER rid url ip words popular, in order
    near/PART     TEXTS    keyed rows of the table of near-duplicates
    sums/PART     TEXTS    host, its pages, and the sums of their numbers and of squares

Lines of the sample are in `sample.py`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.archives import rids
from mr_reuse.archives.urls import url_host
from mr_reuse.components import files
from mr_reuse.components.edges import Edges
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.pages.documents import document, document_parts, numbering
from mr_reuse.pages.documents.numbering import Numbers
from mr_reuse.phrases.phrase_options import PhraseRule
from mr_reuse.phrases.sample import Sampler
from mr_reuse.shuffle import ordered_parts, ragged, sorting
from mr_reuse.shuffle.partitions import (
    pack_texts,
    part_of,
    partition_key,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line

UNIT, PAGES, NEAR, HOSTS = 'doc', 'page', 'near', 'sums'
DIGITS = 20  # of a number, so that texts sort like it
# A document that is kept comes before its near-duplicates.
KEPT, LEFT_OUT, WORDLESS = b'0', b'1', b'2'
HEAD = b'%%0%dd\t%%b\t%%0%dd\t' % (DIGITS, DIGITS)  # of a text of a document
MAX_TEXTS = 16 << 20  # bytes of texts in memory, with OVERHEAD for each
OVERHEAD = 300
MAX_NEAR = 10_000  # rows of near-duplicates in memory


class Row(NamedTuple):
    """A page with the number of its popular shingles."""

    number: int
    rid: str
    url: str
    ip: str
    words: int
    popular: int

    @classmethod
    def parse(cls, text: bytes) -> 'Row':
        """Parse a text of the output."""
        number, rid, url, ip, words, popular = to_text(text).split('\t')
        return cls(int(number), rid, url, ip, int(words), int(popular))

    def to_text(self) -> bytes:
        """Make a text of the output.

        >>> row = Row(7, 'a:0', 'http://a.org/', '', 9, 84)
        >>> Row.parse(row.to_text()) == row
        True
        """
        number, rid, url, ip, words, popular = self
        text = f'{number:0{DIGITS}d}\t{rid}\t{url}\t{ip}\t{words}\t{popular}'
        return to_bytes(text)


class Waiting(NamedTuple):
    """A document in the memory of a mapper."""

    number: int
    facts: bytes  # rid, URL, IP address and words, as in a text
    has_words: bool

    @classmethod
    def of_line(cls, key: bytes, value: bytes, known: Numbers) -> 'Waiting':
        """Make it of the line of a document."""
        url, _, ip, _, words, _, place = document.split_document(key, value)
        batch, _, ordinal = place.partition(b':')
        number = known.base(batch.decode()) + int(ordinal)
        return cls(number, b'\t'.join([key, url, ip, words]), words != b'0')

    def to_text(self, kept: int) -> bytes:
        """Make the text for the shuffle.

        `kept` is the number of the document kept of its near-duplicates, or its own.
        """
        mark = LEFT_OUT if self.number != kept else KEPT
        mark = mark if self.has_words else WORDLESS
        return HEAD % (kept, mark, self.number) + self.facts


class PageCollector:
    """A `Collector` of documents and of popular shingles, by partition of documents.

    Documents with the numbers `passed_over` are dropped.
    """

    def __init__(
        self, parts: int, total: int, passed_over: np.ndarray, components: Edges
    ):
        self._parts, self._total = parts, total
        self._passed_over, self._components = passed_over, components
        self._waiting: list[Waiting] = []
        self._size = 0

    def add_document(self, page: Waiting) -> Iterator[Line]:
        """Add a document."""
        self._waiting.append(page)
        self._size += len(page.facts) + OVERHEAD
        return self.finish() if self._size > MAX_TEXTS else iter(())

    def add_popular(self, documents: np.ndarray) -> Iterator[Line]:
        """Add documents, each once for a popular shingle."""
        parts = document_parts.parts_of(documents, self._parts, self._total)
        for part, rows in document_parts.split_by_part(parts):
            value = ragged.pack_columns([documents[rows]])
            yield partition_key(UNIT, part), value

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the documents in memory."""
        numbers = np.array([page.number for page in self._waiting], np.uint64)
        kept = files.find_smallest(numbers, self._components)
        parts = document_parts.parts_of(kept, self._parts, self._total)
        is_used = ~numbering.are_among(numbers, self._passed_over)
        columns = (column.tolist() for column in (kept, parts, is_used))
        texts: dict[int, list[bytes]] = {}
        for page, number, part, use in zip(self._waiting, *columns, strict=True):
            if use:
                texts.setdefault(part, []).append(page.to_text(number))
        self._waiting, self._size = [], 0
        for part, of_part in texts.items():
            for value in pack_texts(of_part):
                yield partition_key(UNIT, part), value


class PageCounter:
    """A reducer of the lines of `PageCollector`."""

    def __init__(self, parts: int, total: int, rule: PhraseRule):
        self._parts, self._total = parts, total
        self._sampler = Sampler(rule)
        self.stats = Counter(words=0, wordless=0, kept=0, near_duplicates=0, classes=0)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the lines of a partition.

        Any number of documents may be near-duplicates of one, so the texts are sorted
        on disk if they are many.
        """
        part = part_of(key)
        first, end = (
            document_parts.first_of_part(n, self._parts, self._total)
            for n in (part, part + 1)
        )
        popular = np.zeros(end - first, np.int64)
        pages: list[Row] = []
        near: list[bytes] = []
        last = -1  # number of the document kept of the last near-duplicate
        for text in sorting.sort_lines(_read_texts(values, popular, first)):
            kept, mark, number, *fields = text.split(b'\t')
            self.stats['words'] += int(fields[-1])
            if mark == KEPT:
                rid, url, ip, words = map(to_text, fields)
                count = int(popular[int(number) - first])
                pages.append(Row(int(number), rid, url, ip, int(words), count))
                continue
            if mark == WORDLESS:
                self.stats['wordless'] += 1
                continue
            near.append(_near_row(fields[0], fields[1], to_bytes(pages[-1].rid)))
            self.stats['near_duplicates'] += 1
            self.stats['classes'] += kept != last
            last = kept
            if len(near) >= MAX_NEAR:
                yield from ordered_parts.pack_rows(NEAR, part, near)
                near = []
        yield from ordered_parts.pack_rows(NEAR, part, near)
        self.stats['kept'] += len(pages)
        texts = (page.to_text() for page in pages)
        yield from ordered_parts.pack_rows(PAGES, part, texts)
        yield from ordered_parts.pack_rows(HOSTS, part, sum_hosts(pages))
        yield from self._sampler.add(part, pages)

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the sample."""
        yield from self._sampler.finish()


def _read_texts(
    values: Iterable[bytes], popular: np.ndarray, first: int
) -> Iterator[bytes]:
    """Yield the texts of a partition; add up the popular shingles of its documents."""
    for value in values:
        if b':' in value:
            [documents] = ragged.unpack_columns(value)
            at = documents.astype(np.int64) - first
            popular += np.bincount(at, minlength=len(popular))
        else:
            yield from unpack_texts(value)


def _near_row(rid: bytes, url: bytes, kept_rid: bytes) -> bytes:
    """Make the keyed row of a near-duplicate."""
    return sorting.add_key(rids.sort_key(rid), b'\t'.join([rid, url, kept_rid]))


def sum_hosts(pages: Iterable[Row]) -> Iterator[bytes]:
    """Yield a text for each host: its pages, and sums of their popular shingles.

    >>> rows = [Row(n, '', 'http://a.org/', '', 9, n) for n in (2, 3)]
    >>> list(sum_hosts([*rows, Row(4, '', 'x:', '', 9, 7)]))
    [b'a.org\\t2\\t5\\t13']
    """
    sums: dict[str, list[int]] = {}
    for page in pages:
        if host := url_host(page.url):
            numbers = sums.setdefault(host, [0, 0, 0])
            for n, value in enumerate((1, page.popular, page.popular**2)):
                numbers[n] += value
    for host, numbers in sums.items():
        yield to_bytes('\t'.join([host, *map(str, numbers)]))


def pick_pages(key: bytes, value: bytes, wanted: np.ndarray) -> Iterator[Line]:
    """Yield the line of the pages of a line that have wanted numbers, if there are any.

    >>> row = Row(7, 'a:0', 'http://a.org/', '', 9, 84)
    >>> [(key, value)] = ordered_parts.pack_rows(PAGES, 0, [row.to_text()])
    >>> len(list(pick_pages(key, value, np.array([7], np.uint64))))
    1
    >>> len(list(pick_pages(key, value, np.array([8], np.uint64))))
    0
    """
    texts = unpack_texts(value)
    numbers = np.array([int(text[:DIGITS]) for text in texts], np.uint64)
    is_wanted = numbering.are_among(numbers, wanted).tolist()
    kept = (text for text, use in zip(texts, is_wanted, strict=True) if use)
    for packed in pack_texts(kept):
        yield key, packed
