"""Covering sets: documents that together have all popular shingles of a page.

    cover/PART   TEXTS   NUMBER popular SOURCES, in order

SOURCES are `DOCUMENT:NEW:SHARED:FOREIGN`, separated by spaces, in the order of the
cover. A document at home has the domain or the address of the page. The cover takes it
only if no other document covers anything more.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.messages import to_text
from mr_reuse.phrases.covered import Covered
from mr_reuse.phrases.matching import (
    FOREIGN,
    HOME,
    Matches,
    count_bits,
    pack_bits,
)
from mr_reuse.shuffle import ordered_parts, ragged
from mr_reuse.shuffle.partitions import part_of
from mr_reuse.shuffle.protocol import Line

COVERS = 'cover'
DIGITS = 20  # of a number, so that texts sort like it


class Source(NamedTuple):
    """A document of a cover."""

    document: int
    new: int  # popular shingles that no document before it in the cover has
    shared: int  # all popular shingles of the page that it has
    is_foreign: int


class Cover(NamedTuple):
    """The cover of a page."""

    number: int
    popular: int
    sources: list[Source]

    @property
    def foreign(self) -> int:
        """The number of shingles that foreign documents cover."""
        return sum(source.new for source in self.sources if source.is_foreign)

    @classmethod
    def parse(cls, text: bytes) -> 'Cover':
        """Parse a text of the output.

        >>> cover = Cover(7, 40, [Source(5, 38, 39, 1), Source(9, 2, 20, 0)])
        >>> Cover.parse(cover.to_text()) == cover
        True
        """
        number, popular, sources = to_text(text).split('\t')
        parts = (map(int, source.split(':')) for source in sources.split())
        return cls(int(number), int(popular), [Source(*part) for part in parts])

    def to_text(self) -> bytes:
        """Make a text of the output."""
        sources = ' '.join(':'.join(map(str, source)) for source in self.sources)
        return f'{self.number:0{DIGITS}d}\t{self.popular}\t{sources}'.encode()


class CoverFinder:
    """A reducer of matches: finds the covers of pages."""

    def __init__(self, sample: Covered):
        bits = np.stack(pack_bits(sample.popular), axis=1)
        self._popular = dict(zip(sample.vectors.numbers.tolist(), bits, strict=True))

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the covers of the pages of a partition.

        Of the matches of several tasks, some are no better than others. A cover takes
        none of them, as they come later and cover nothing more.
        """
        pieces = (Matches(*ragged.unpack_columns(value)) for value in values)
        columns = map(np.concatenate, zip(*pieces, strict=True))
        matches = Matches(*(c.astype(np.uint64) for c in columns))
        matches = matches.take(np.argsort(matches.pages, kind='stable'))
        covers = (
            self._find(matches.take(rows)) for rows in ragged.runs_of(matches.pages)
        )
        texts = (cover.to_text() for cover in covers)
        yield from ordered_parts.pack_rows(COVERS, part_of(key), texts)

    def _find(self, matches: Matches) -> Cover:
        """Return the cover of a page, of which these are all matches."""
        number = int(matches.pages[0])
        popular = self._popular[number]
        count = int(count_bits(popular[:1], popular[1:])[0])
        return Cover(number, count, cover_page(popular, matches))


def cover_page(popular: np.ndarray, matches: Matches) -> list[Source]:
    """Return a greedy cover of the popular shingles of a page.

    The document with the most uncovered shingles is next. Of several, it is the one
    with most shingles in common, then the one with the smaller number.

    >>> columns = [[7] * 3, [1, 2, 3], [7, 6, 8], [0] * 3, [3, 2, 1], [1, 2, 2]]
    >>> matches = Matches(*np.array(columns, np.uint64))
    >>> [s.document for s in cover_page(np.array([15, 0], np.uint64), matches)]
    [2, 3, 1]
    """
    order = np.lexsort([matches.documents, ~matches.common])
    matches = matches.take(order)
    shared = count_bits(matches.low, matches.high)
    is_home = matches.flags & HOME > 0
    low, high = popular
    sources = []
    while True:
        gains = count_bits(matches.low & low, matches.high & high)
        # Those at home come after all others that cover anything.
        others = np.where(is_home, 0, gains)
        gains = others if others.any() else gains
        best = int(np.argmax(gains)) if len(gains) else 0
        if not len(gains) or not gains[best]:
            return sources
        sources.append(
            Source(
                int(matches.documents[best]),
                int(gains[best]),
                int(shared[best]),
                int(matches.flags[best] & FOREIGN > 0),
            )
        )
        low, high = low & ~matches.low[best], high & ~matches.high[best]
