"""Rows of the tables of quilts, with the keys by which the tables are sorted.

quilt/PART   TEXTS    keyed rows of the table of quilts
source/PART  TEXTS    keyed rows of the table of sources
site/PART    TEXTS    host, host of a source, sum of new grams; one for each page
patch/PART   RID;COLUMNS   patch grams of a quilt: keys, checks, first source of each
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

import numpy as np

from mr_reuse.archives import rids
from mr_reuse.archives.urls import url_host
from mr_reuse.messages import to_bytes
from mr_reuse.quilts.checks.checking import GramSet, Quilt
from mr_reuse.quilts.shares import Row
from mr_reuse.shuffle import ragged, sorting
from mr_reuse.shuffle.partitions import pack_texts, partition_key
from mr_reuse.shuffle.protocol import Line
from mr_reuse.tables.decimals import format_decimal

QUILTS, SOURCES, SITES, PATCHES = 'quilt', 'source', 'site', 'patch'
SHARE_DIGITS = 40  # more than tell any two fractions of 64-bit numbers apart


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


def source_rows(quilt: Quilt, rows: Mapping[int, Row]) -> Iterator[bytes]:
    """Yield the keyed rows of the sources of a quilt."""
    page, sources = rows[quilt.cover.number], quilt.cover.sources
    key = order_key(len(sources), page.patch, page.grams, page.rid)
    for number, source in enumerate(sources, 1):
        other = rows[source.document]
        cells = page.rid, number, other.rid, other.url, source.new, source.shared
        row = to_bytes('\t'.join(map(str, cells)))
        yield sorting.add_key(b'%b%010d' % (key, number), row)


def site_rows(quilt: Quilt, rows: Mapping[int, Row]) -> Iterator[bytes]:
    """Yield a text for each host that is a source of a quilt."""
    host = url_host(rows[quilt.cover.number].url)
    sums: dict[str, int] = {}
    for source in quilt.cover.sources:
        other = url_host(rows[source.document].url)
        sums[other] = sums.get(other, 0) + source.new
    for other, new in sums.items():
        if host and other:
            yield to_bytes(f'{host}\t{other}\t{new}')


def patch_lines(quilt: Quilt, page: Row, grams: GramSet, part: int) -> Iterator[Line]:
    """Yield the lines of the patch grams of a quilt."""
    keys, checks = grams.keys[quilt.places], grams.checks[quilt.places]
    for where in ragged.cut_by_size(np.full(len(keys), 14), ragged.MAX_BYTES):
        columns = keys[where], checks[where], quilt.first[where]
        value = b'%b;%b' % (to_bytes(page.rid), ragged.pack_columns(columns))
        yield partition_key(PATCHES, part), value


def pack_quilts(
    part: int, quilts: Iterable[Quilt], rows: Mapping[int, Row], grams: GramSet
) -> Iterator[Line]:
    """Yield all lines of the confirmed quilts of a partition, and of their grams."""
    quilts = list(quilts)
    pages = [(rows[q.cover.number], q) for q in quilts]
    texts = {
        QUILTS: [quilt_row(page, len(q.cover.sources)) for page, q in pages],
        SOURCES: (row for q in quilts for row in source_rows(q, rows)),
        SITES: (row for q in quilts for row in site_rows(q, rows)),
    }
    for unit, found in texts.items():
        for value in pack_texts(found):
            yield partition_key(unit, part), value
    for page, quilt in pages:
        yield from patch_lines(quilt, page, grams, part)
