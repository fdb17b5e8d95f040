"""The curve of Figure 4: documents by falling similarity to one page, and its gaps."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from mr_reuse.report import figures
from mr_reuse.report.figures import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH
from mr_reuse.report.svg import Scale, decades, path, picture, short, tag
from mr_reuse.styles.gaps import Gap, Points

MARKS = (0, 0.2, 0.4, 0.6, 0.8, 1)
LINE = 13  # pixels between two texts
LINE_TEXT = 40  # pixels of the text of the line
LETTER = 7  # pixels of a digit
BESIDE = 6  # pixels between a gap and its text


def draw_curve(id_: str, points: Points, gaps: Sequence[Gap], least: float) -> Markup:
    """Draw a curve. Documents from the similarity `least` on are alike the page."""
    count = sum(documents for _, documents in points)
    ticks = decades(count + 1)
    # The document of rank n is drawn from n to n + 1.
    x = Scale(1, max(2, count + 1), LEFT, RIGHT, log=True)
    y = Scale(0, 1, BOTTOM, TOP)
    levels = [(y(number), f'{number:g}') for number in MARKS]
    falls = [s for gap in gaps for s in _gap_steps(points, gap, x, y)]
    limit = path([('M', LEFT, y(least)), ('H', RIGHT)])
    level = choose_level(y(least), _end_levels(points, x, y))
    return picture(
        id_,
        (WIDTH, HEIGHT),
        (
            'Documents by their similarity to one page',
            'The curve shows the similarity of each document (vertical) to the '
            'prototype of a style. The documents are in the order of their '
            'similarity, and the axis of their ranks (horizontal) is logarithmic. The '
            'greatest steps down are marked. The text below names them.',
        ),
        tag('text', 'similarity ↑', x=0, y=12, class_='axis'),
        tag('text', 'documents →', x=RIGHT, y=HEIGHT - 8, class_='axis end'),
        *figures.levels(levels),
        *_ranks(x, [tick for tick in ticks if tick <= count + 1]),
        tag('path', d=limit, class_='limit'),
        tag('text', 'alike', x=RIGHT, y=level, class_='mark end'),
        tag('path', d=path(_steps(points, x, y)), class_='curve'),
        *([tag('path', d=path(falls), class_='curve gap')] if falls else []),
        *_gap_texts(gaps, x, y, level),
    )


def _steps(points: Points, x: Scale, y: Scale) -> Iterator[tuple]:
    """Yield the steps of the path of a curve."""
    rank = 1
    yield 'M', x(1), y(points[0][0])
    for similarity, documents in points:
        rank += documents
        yield 'V', y(similarity)
        yield 'H', x(rank)


def _end_levels(points: Points, x: Scale, y: Scale) -> list[float]:
    """Return the levels of the curve below or above the text of the line."""
    levels, rank = [], 1
    for similarity, documents in points:
        rank += documents
        if x(rank) > RIGHT - LINE_TEXT:
            levels.append(y(similarity))
    return levels


def choose_level(line: float, curve: Sequence[float]) -> float:
    """Return the level of the text of a line: above the line, or below it.

    `curve` has the levels of the curve where the text is.

    >>> choose_level(100, [200]), choose_level(100, [92, 120]), choose_level(100, [])
    (95, 137, 95)
    """
    above = line - 5
    if all(abs(level - above + LETTER / 2) >= LINE for level in curve):
        return above
    return max(line, *curve) + LINE + 4


def _gap_steps(points: Points, gap: Gap, x: Scale, y: Scale) -> Iterator[tuple]:
    """Yield the part of the curve at a gap."""
    rank = gap.above + 1
    yield 'M', x(rank), y(gap.upper)
    for similarity, documents in points[gap.first + 1 : gap.last]:
        rank += documents
        yield 'V', y(similarity)
        yield 'H', x(rank)
    yield 'V', y(gap.lower)


def _gap_texts(
    gaps: Sequence[Gap], x: Scale, y: Scale, alike: float
) -> Iterator[Markup]:
    """Yield the number of documents above each gap, beside it, if there is room.

    A curve that falls leaves room on the right above it, and on the left below it.
    `alike` is where the text of the line is, on the right.
    """
    used: list[float] = []
    for gap in gaps:
        text = f'{gap.above:,}'
        left, right = (x(gap.above + more) for more in (1, gap.between + 1))
        middle = (y(gap.upper) + y(gap.lower)) / 2 + 4
        start, class_ = right + BESIDE, 'mark'
        end = start + LETTER * len(text)
        level = min(middle, y(gap.lower) - BESIDE)
        if end > RIGHT:
            start, class_ = left - BESIDE, 'mark end'
            end, level = start, max(middle, y(gap.upper) + LINE)
        is_free = all(abs(level - other) >= LINE for other in used)
        if is_free and (end < RIGHT - LINE_TEXT or abs(level - alike) >= LINE):
            used.append(level)
            yield tag('text', text, x=start, y=level, class_=class_)


def _ranks(x: Scale, numbers: Sequence[int]) -> list[Markup]:
    """Draw the horizontal axis."""
    lines = [tag('path', d=path([('M', LEFT, BOTTOM), ('H', RIGHT)]), class_='base')]
    for number in numbers:
        at = x(number)
        lines.append(tag('path', d=path([('M', at, BOTTOM), ('v', 4)]), class_='base'))
        position = {'x': at, 'y': BOTTOM + 17, 'class_': 'tick middle'}
        lines.append(tag('text', short(number), **position))
    return lines
