"""A quilted page as lines for a terminal: its text with the patches, and its sources.

A patch is in brackets, with the number of its source, also where it has a colour:
there are more sources than colours.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from mr_reuse.messages import (
    format_count,
    format_share,
    format_threshold,
    make_visible,
)
from mr_reuse.pages.documents.showing.opened import OpenPage
from mr_reuse.pages.documents.showing.terminal import (
    Lines,
    Piece,
    Style,
    format_text,
    list_head,
    paint,
)
from mr_reuse.quilts.shares import Row
from mr_reuse.quilts.showing.patches import NO_PATCH, UNCOVERED
from mr_reuse.quilts.showing.quilt_page import (
    OpenQuilt,
    QuiltPage,
    Segment,
    to_segments,
)

NO_SOURCE = '-'  # in place of a number


def mark_segment(segment: Segment) -> Piece:
    """Mark a patch by the number of its source, from 1, and give it a colour.

    >>> [mark_segment(Segment('a', n))[1:] for n in (6, NO_PATCH, UNCOVERED)]
    [('7', 6), ('', None), ('-', None)]
    """
    text, owner, _ = segment
    if owner == NO_PATCH:
        return Piece(text)
    is_source = owner != UNCOVERED
    return Piece(text, str(owner + 1), owner) if is_source else Piece(text, NO_SOURCE)


def format_segments(segments: Iterable[Segment], style: Style) -> Lines:
    """Yield the lines of a text, with a bracket around each patch."""
    return format_text(map(mark_segment, segments), style)


def list_quilt(quilt: QuiltPage, page: OpenQuilt, style: Style) -> Lines:
    """Yield the lines of a quilted page."""
    row = quilt.row
    read = page.page
    yield from list_head(row.url, read.date, row.rid, read.is_cut)
    sources = format_count(row.sources, 'source')
    yield f'quilted: {describe_grams(row)}; {sources}, numbered in the text'
    if any(patch.owner == UNCOVERED for patch in page.patches):
        yield f'[{NO_SOURCE} …]: on other pages, but on none that counts as a source'
    yield ''
    yield from format_segments(page.segments(), style)
    yield ''
    yield from list_sources(quilt, style)


def list_document(row: Row, page: OpenPage, alpha: Fraction, style: Style) -> Lines:
    """Yield the lines of a page that is not quilted.

    A quilt has a share of at least `alpha`, and enough sources.
    """
    yield from list_head(row.url, page.date, row.rid, page.is_cut)
    why = 'but too few sources have them all'
    if Fraction(row.patch, row.grams) < alpha:
        why = f'less than {format_threshold(float(alpha))}'
    yield f'not quilted: {describe_grams(row)}, {why}'
    yield ''
    yield from format_segments(to_segments(page.text, ()), style)


def describe_grams(row: Any) -> str:
    """Describe the grams of a document.

    >>> from mr_reuse.quilts.quilt_tables import QUILTS
    >>> describe_grams(QUILTS.row('a:0', 'http://a/', 20, 16, 8, 0.5, 4))
    '8 of 16 grams (50.0 %) are also on a few other pages'
    """
    grams = format_count(row.grams, 'gram is', 'grams are')
    name, _, verb = grams.rpartition(' ')
    share = format_share(row.patch / row.grams)
    return f'{row.patch:,} of {name} ({share}) {verb} also on a few other pages'


def list_sources(quilt: QuiltPage, style: Style) -> Lines:
    """Yield the table of sources."""
    yield f'{"source":>6} {"new":>7} {"shared":>7} {"share":>8}  page'
    for row in quilt.sources:
        share = format_share(row.shared / quilt.row.grams)
        number = paint(f'{row.number:>6}', row.number - 1, style)
        url = make_visible(row.source_url)
        yield f'{number} {row.new:>7,} {row.shared:>7,} {share:>8}  {url}'
        yield f'{"":33}{make_visible(row.source_rid)}'
