"""Compare the pairs of a partition: their records are read again.

edge/PART    COLUMNS   pairs that resemble each other enough
key/PART     ROWS      hashes of all phrases of a document without a pair
count/0000   JSON      numbers of pairs
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.components import edges
from mr_reuse.components.edges import EDGE, Edges, sort_distinct
from mr_reuse.messages import to_text
from mr_reuse.pages import lookup
from mr_reuse.pages.documents.reading import DocumentReader
from mr_reuse.phrases.near_duplicates import KEY_BYTES, WholeStarLinker, pack_keys
from mr_reuse.phrases.verifying.phrase_sets import PhraseSets, read_phrases
from mr_reuse.shuffle.packing import make_rows
from mr_reuse.shuffle.partitions import (
    part_of,
    partition_key,
    unit_of,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line

COUNTS = 'count'  # unit of a line


class Page(NamedTuple):
    """A document of a pair."""

    number: int
    words: int

    @classmethod
    def parse(cls, text: bytes) -> tuple[str, 'Page']:
        """Parse the text of a document; return its rid, too.

        >>> Page.parse(b'12\\t7\\ta:0')
        ('a:0', Page(number=12, words=7))
        """
        number, words, rid = text.split(b'\t')
        return to_text(rid), cls(int(number), int(words))


class Gathered(NamedTuple):
    """What the lines of a partition say of its pairs."""

    pages: dict[str, Page]  # by their rids
    pairs: Edges

    def list_others(self) -> dict[int, list[int]]:
        """Return the documents with which each document makes a pair."""
        others: dict[int, list[int]] = {}
        for one, other in zip(*map(np.ndarray.tolist, self.pairs), strict=True):
            others.setdefault(one, []).append(other)
            others.setdefault(other, []).append(one)
        return others


def gather(values: Iterable[bytes]) -> Gathered:
    """Put the lines of a partition together."""
    pages: dict[str, Page] = {}
    pairs: list[Edges] = []
    for value in values:
        if b':' in value:
            pairs.append(edges.unpack(value))
        else:
            pages.update(map(Page.parse, unpack_texts(value)))
    return Gathered(pages, sort_distinct(edges.join(pairs)))


class PairVerifier:
    """Compares the pairs of partitions; `paths` has the archives by their names."""

    def __init__(
        self,
        least: Fraction,
        bits: int,
        reader: DocumentReader,
        paths: Mapping[str, str],
    ):
        self._least, self._bits = least, bits
        self._reader, self._paths = reader, paths
        self._counts = Counter(compared_pairs=0, unlike_pairs=0, unread_pairs=0)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the pairs of a partition that resemble each other enough.

        A pair of which a record cannot be read again is left out as well. A document
        without a pair gets a key, which is that of all equal ones: they make pairs with
        the same documents before them, so all of them are alike to one, or none is.
        """
        gathered = gather(values)
        self._counts['unread_pairs'] += len(gathered.pairs.numbers)
        pairs: list[tuple[int, int]] = []
        alone, keys = [], []
        for number, phrases, resemblances in self._compare(gathered):
            alike = [n for n, share in resemblances.items() if share >= self._least]
            pairs += ((number, other) for other in alike)
            if not alike:
                alone.append(number)
                digest = hashlib.blake2b(phrases.data, digest_size=KEY_BYTES)
                keys.append(digest.digest())
            self._counts['unread_pairs'] -= len(resemblances)
            self._counts['compared_pairs'] += len(resemblances)
            self._counts['unlike_pairs'] += len(resemblances) - len(alike)
        found = Edges(*np.array(pairs, np.uint64).reshape(-1, 2).T)
        yield from edges.pack_lines(EDGE, part_of(key), found)
        if alone:
            rows = make_rows(b''.join(keys), KEY_BYTES, alone)
            yield from pack_keys(rows, self._bits)

    def _compare(
        self, gathered: Gathered
    ) -> Iterator[tuple[int, np.ndarray, dict[int, Fraction]]]:
        """Yield pages with their phrases, and their resemblance to others.

        Each record is read once. A page is compared with those before it, of which the
        phrases are in a file.
        """
        others, sets = gathered.list_others(), PhraseSets()
        # An archive may be gone since it was read.
        for rid, item in lookup.read_items(gathered.pages, self._paths, (OSError,)):
            page = gathered.pages[rid]
            phrases = self._read(page, item) if item else None
            if phrases is None:
                continue
            before = [other for other in others[page.number] if other in sets]
            compared = {other: sets.compare(other, phrases) for other in before}
            yield page.number, phrases, compared
            if len(before) < len(others[page.number]):
                sets.add(page.number, phrases)

    def _read(self, page: Page, item: Item) -> np.ndarray | None:
        """Return the phrases of a page; None if its record has changed."""
        with suppress(Lost):
            if words := self._reader.open_words(item):
                phrases = read_phrases(words)
                return phrases if words.count == page.words else None
        return None

    def finish(self) -> Iterator[Line]:
        """Yield the line of the numbers of pairs."""
        yield partition_key(COUNTS, 0), json.dumps(self._counts).encode()


class PairLinker(WholeStarLinker):
    """A reducer of the lines of `PairVerifier`: writes all pairs, and adds up counts.

    Documents with the same key are equal, so they are pairs as well.
    """

    def __init__(self) -> None:
        super().__init__()
        self._counts: Counter[str] = Counter()

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the pairs of a partition."""
        if unit_of(key) == COUNTS:
            for value in values:
                self._counts.update(json.loads(value))
            return
        yield from super().add(key, values)

    @property
    def stats(self) -> dict[str, Any]:
        """The numbers of pairs, for the last line of the task."""
        return super().stats | {'verified': self._counts}
