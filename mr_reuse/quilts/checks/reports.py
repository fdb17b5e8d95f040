"""Rows of the tables of quilts, with the keys by which the tables are sorted.

quilt/PART   TEXTS    keyed rows of the table of quilts
source/PART  TEXTS    keyed rows of the table of sources
site/PART    TEXTS    rid, host, host of a source, sum of new grams
cover/PART   TEXTS    rid, cover
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from mr_reuse.archives import rids
from mr_reuse.archives.urls import url_host
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.quilts.checks.confirming import NAME
from mr_reuse.quilts.checks.joining import COVER
from mr_reuse.quilts.finding import Cover
from mr_reuse.quilts.shares import Row
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.partitions import (
    pack_texts,
    part_of,
    partition_key,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line
from mr_reuse.tables.decimals import format_decimal

QUILTS, SOURCES, SITES, COVERS = 'quilt', 'source', 'site', 'cover'
SHARE_DIGITS = 40  # more than tell any two fractions of 64-bit numbers apart


class Page(NamedTuple):
    """A document of a cover."""

    row: Row
    host: str


def order_key(sources: int, patch: int, grams: int, rid: str) -> bytes:
    """Make the key of a quilt: sources descending, share descending, rid.

    >>> one, two = order_key(4, 2, 3, 'a:9'), order_key(4, 4, 6, 'a:10')
    >>> one < two < order_key(4, 3, 5, 'a:0') < order_key(3, 1, 1, 'a:0')
    True
    """
    share = 10**SHARE_DIGITS - patch * 10**SHARE_DIGITS // grams
    head = sorting.descending(sources)
    order = rids.sort_key(to_bytes(rid))
    return b'%b%0*d%b' % (head, SHARE_DIGITS + 1, share, order)


def quilt_row(row: Row, sources: int) -> bytes:
    """Make the keyed row of a quilt."""
    share = format_decimal(Fraction(row.patch, row.grams))
    cells = row.rid, row.url, row.words, row.grams, row.patch, share, sources
    key = order_key(sources, row.patch, row.grams, row.rid)
    return sorting.add_key(key, to_bytes('\t'.join(map(str, cells))))


def source_rows(cover: Cover, pages: Mapping[int, Page]) -> Iterator[bytes]:
    """Yield the keyed rows of the sources of a quilt."""
    row = pages[cover.number].row
    key = order_key(len(cover.sources), row.patch, row.grams, row.rid)
    for number, source in enumerate(cover.sources, 1):
        other = pages[source.document].row
        cells = row.rid, number, other.rid, other.url, source.new, source.shared
        text = to_bytes('\t'.join(map(str, cells)))
        yield sorting.add_key(b'%b%010d' % (key, number), text)


def site_rows(cover: Cover, pages: Mapping[int, Page]) -> Iterator[bytes]:
    """Yield a text for each host that is a source of a quilt."""
    page = pages[cover.number]
    sums: dict[str, int] = {}
    for source in cover.sources:
        other = pages[source.document].host
        sums[other] = sums.get(other, 0) + source.new
    for other, new in sums.items():
        if page.host and other:
            yield to_bytes(f'{page.row.rid}\t{page.host}\t{other}\t{new}')


def cover_row(cover: Cover, row: Row) -> bytes:
    """Make the text of a cover."""
    return b'%b\t%b' % (to_bytes(row.rid), cover.to_text())


def parse_cover_row(text: bytes) -> tuple[str, Cover]:
    """Parse a text of `cover_row`: the rid of the quilt, and its cover."""
    rid, _, cover = text.partition(b'\t')
    return to_text(rid), Cover.parse(cover)


class QuiltReporter:
    """The reducer of the lines of quilts: makes rows of those that are confirmed."""

    def __init__(self) -> None:
        self.stats = Counter(quilts=0, refuted=0, sources=0)

    def report(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the rows of the quilts of a partition."""
        covers: list[Cover] = []
        pages: dict[int, Page] = {}
        for text in chain.from_iterable(map(unpack_texts, values)):
            if text.startswith(NAME):
                row = Row.parse(text[len(NAME) :])
                pages[row.number] = Page(row, url_host(row.url))
            elif text.startswith(COVER):
                covers.append(Cover.parse(text[len(COVER) :]))
            else:
                self.stats['refuted'] += 1
        kept = [cover for cover in covers if pages.keys() >= set(cover.documents)]
        self.stats['refuted'] += len(covers) - len(kept)
        self.stats['quilts'] += len(kept)
        self.stats['sources'] += sum(len(cover.sources) for cover in kept)
        yield from pack_quilts(part_of(key), kept, pages)


def pack_quilts(
    part: int, covers: Iterable[Cover], pages: Mapping[int, Page]
) -> Iterator[Line]:
    """Yield the lines of the tables for some quilts."""
    covers = list(covers)
    texts = {
        QUILTS: (quilt_row(pages[c.number].row, len(c.sources)) for c in covers),
        SOURCES: (row for c in covers for row in source_rows(c, pages)),
        SITES: (row for c in covers for row in site_rows(c, pages)),
        COVERS: (cover_row(c, pages[c.number].row) for c in covers),
    }
    for unit, found in texts.items():
        for value in pack_texts(found):
            yield partition_key(unit, part), value
