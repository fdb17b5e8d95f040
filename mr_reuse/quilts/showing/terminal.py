"""A quilted page as lines for a terminal: its text with the patches, and its sources.

A patch is in brackets, with the number of its source, also where it has a colour:
there are more sources than colours.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from mr_reuse.messages import (
    format_bytes,
    format_count,
    format_share,
    format_threshold,
    make_visible,
)
from mr_reuse.quilts.shares import Row
from mr_reuse.quilts.showing import quilt_page
from mr_reuse.quilts.showing.patches import NO_PATCH, UNCOVERED
from mr_reuse.quilts.showing.quilt_page import (
    OpenQuilt,
    QuiltPage,
    ReadPage,
    Segment,
    divide_text,
)

COLOURS = 36, 33, 35, 32, 34, 31  # of the terminal, so they suit its background
COLOUR = '\x1b[1;{}m{}\x1b[0m'
NO_SOURCE = '-'  # in place of a number
MAX_WIDTH = 100


class Style(NamedTuple):
    """How lines are written."""

    has_colour: bool = False
    width: int = 0  # of lines in characters; 0 to leave them as they are


def choose_style(is_terminal: bool, columns: int, settings: Mapping[str, str]) -> Style:
    """Choose the style for standard output, by the variables of the environment.

    >>> choose_style(True, 200, {}), choose_style(True, 80, {'NO_COLOR': '1'})
    (Style(has_colour=True, width=100), Style(has_colour=False, width=80))
    >>> choose_style(False, 80, {})
    Style(has_colour=False, width=0)
    """
    if not is_terminal:
        return Style()
    is_plain = settings.get('NO_COLOR') or settings.get('TERM') == 'dumb'
    return Style(not is_plain, min(columns, MAX_WIDTH))


def paint(text: str, owner: int, style: Style) -> str:
    """Give a text the colour of a source; NO_PATCH and UNCOVERED have none.

    >>> [paint('a', owner, Style(True)) for owner in (6, NO_PATCH)]
    ['\\x1b[1;36ma\\x1b[0m', 'a']
    """
    if not style.has_colour or owner >= UNCOVERED:
        return text
    return COLOUR.format(COLOURS[owner % len(COLOURS)], text)


def name_owner(owner: int) -> str:
    """Return the number of a source for people, from 1."""
    return NO_SOURCE if owner == UNCOVERED else str(owner + 1)


def format_text(segments: Iterable[Segment], style: Style) -> Iterator[str]:
    """Yield the lines of a text, with a bracket around each patch.

    >>> parts = Segment('a '), Segment('b c', 0), Segment(' '), Segment('d', 3)
    >>> list(format_text(parts, Style()))
    ['a [1 b c] [4 d]']
    >>> list(format_text(parts, Style(width=8)))
    ['a [1 b', 'c] [4 d]']
    """
    line: list[tuple[str, int]] = []
    used, may_break = 0, False
    for word, owner in _list_words(segments):
        is_full = may_break and used + len(word.rstrip()) > style.width > 0
        if word == '\n' or is_full:
            yield _join_line(line, style)
            line, used, may_break = [], 0, False
        if word != '\n':
            line.append((word, owner))
            used += len(word)
            may_break = word.endswith(' ')
    if line:
        yield _join_line(line, style)


def _join_line(line: Iterable[tuple[str, int]], style: Style) -> str:
    """Join words with the space behind them. Each has the number of its source."""
    parts = []
    for owner, group in groupby(line, lambda pair: pair[1]):
        text = ''.join(word for word, _ in group)
        end = ' ' * text.endswith(' ')
        parts.append(paint(text.removesuffix(' '), owner, style) + end)
    return ''.join(parts).rstrip()


def _list_words(segments: Iterable[Segment]) -> Iterator[tuple[str, int]]:
    """Yield words with the space behind them, each with its source; and `\\n`."""
    for part in segments:
        text = part.text
        if part.owner != NO_PATCH:
            text = f'[{name_owner(part.owner)} {text}]'
        for number, row in enumerate(make_visible(text, kept='\n').split('\n')):
            if number:
                yield '\n', NO_PATCH
            for word in _cut_words(row):
                yield word, part.owner


def _cut_words(row: str) -> Iterator[str]:
    """Yield the words of a row, each with the space behind it.

    >>> list(_cut_words(' a b')), list(_cut_words('')), list(_cut_words('c '))
    ([' ', 'a ', 'b'], [], ['c '])
    """
    *words, last = row.split(' ')
    yield from (f'{word} ' for word in words)
    if last:
        yield last


def list_quilt(quilt: QuiltPage, page: OpenQuilt, style: Style) -> Iterator[str]:
    """Yield the lines of a quilted page."""
    row = quilt.row
    yield from list_head(row, page.page)
    sources = format_count(row.sources, 'source')
    yield f'quilted: {describe_grams(row)}; {sources}, numbered in the text'
    if any(patch.owner == UNCOVERED for patch in page.patches):
        yield f'[{NO_SOURCE} …]: on other pages, but on none that counts as a source'
    yield ''
    yield from format_text(page.segments(), style)
    yield ''
    yield from list_sources(quilt, style)


def list_document(
    row: Row, page: ReadPage, alpha: Fraction, style: Style
) -> Iterator[str]:
    """Yield the lines of a page that is not quilted.

    A quilt has a share of at least `alpha`, and enough sources.
    """
    yield from list_head(row, page)
    why = 'but too few sources have them all'
    if Fraction(row.patch, row.grams) < alpha:
        why = f'less than {format_threshold(float(alpha))}'
    yield f'not quilted: {describe_grams(row)}, {why}'
    yield ''
    yield from format_text(divide_text(page.text, ()), style)


def list_head(row: Any, page: ReadPage) -> Iterator[str]:
    """Yield the names of a page."""
    yield make_visible(f'{row.url}  {page.date}  {row.rid}')
    if page.is_cut:
        yield f'only its first {format_bytes(quilt_page.SHOWN)} are shown'


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


def list_sources(quilt: QuiltPage, style: Style) -> Iterator[str]:
    """Yield the table of sources."""
    yield f'{"source":>6} {"new":>7} {"shared":>7} {"share":>8}  page'
    for row in quilt.sources:
        share = format_share(row.shared / quilt.row.grams)
        number = paint(f'{row.number:>6}', row.number - 1, style)
        url = make_visible(row.source_url)
        yield f'{number} {row.new:>7,} {row.shared:>7,} {share:>8}  {url}'
        yield f'{"":33}{make_visible(row.source_rid)}'
