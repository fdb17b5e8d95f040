"""Plots of near-duplicates and of popular shingles. Figures 1 and 2 of the paper."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from markupsafe import Markup

from mr_reuse.messages import format_share
from mr_reuse.report import figures
from mr_reuse.report.figures import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH
from mr_reuse.report.phrases.classes import SizeGroup
from mr_reuse.report.phrases.page_counts import PageCounts
from mr_reuse.report.svg import Scale, decades, path, picture, short, tag
from mr_reuse.text.polynomials import SHINGLES

LEAST_BAR = 0.6  # of a logarithmic axis, so that a bar of 1 has some height
TICKS = range(0, SHINGLES, 10)  # numbers of shingles on an axis
SHARES = [step / 10**power for power in (5, 4, 3, 2, 1) for step in (1, 2, 5)]
MANY, WIDTH_OF_FEW = 2_000, 5  # documents; numbers of shingles counted together
BEYOND = 8  # pixels above the end of an axis
MAX_MARKS = 5  # on an axis of shares
MAX_CUT, FLAT = (
    3,
    3,
)  # shares above the end of an axis, if they are so many times larger


def draw_sizes(groups: Sequence[SizeGroup]) -> Markup:
    """Plot the numbers of classes by size."""
    across = decades(groups[-1].most)
    up = decades(max(group.classes for group in groups), 5)
    x = Scale(1, across[-1] * 1.1, LEFT, RIGHT, log=True)
    y = Scale(LEAST_BAR, up[-1], BOTTOM, TOP, log=True)
    bars: list[tuple] = []
    for group in groups:
        if group.classes:
            left, right = x(group.least - 0.5) + 0.5, x(group.most + 0.5) - 0.5
            bars += [('M', left, BOTTOM), ('V', y(group.classes)), ('H', right)]
            bars += [('V', BOTTOM), ('z',)]
    return picture(
        'class-sizes',
        (WIDTH, HEIGHT),
        (
            'Sizes of classes of near-duplicates',
            'Bars show how many classes (vertical) have a given number of documents '
            '(horizontal), counted by 2, 3 to 4, 5 to 8, and so on. Both axes are '
            'logarithmic. The table below has the same numbers.',
        ),
        tag('text', 'classes ↑', x=0, y=12, class_='axis'),
        tag('text', 'documents of each →', x=RIGHT, y=HEIGHT - 8, class_='axis end'),
        *figures.grid(x, across, y, up),
        tag('path', d=path(bars), class_='bars'),
    )


def draw_frequency(points: Sequence[tuple[int, int]]) -> Markup:
    """Plot the numbers of popular shingles by their numbers of documents."""
    texts = figures.DotTexts(
        'shingle-frequency',
        'Documents of each popular shingle',
        'A dot shows how many popular shingles (vertical) are in a given number of '
        'documents (horizontal). Both axes are logarithmic.',
        'popular shingles',
        'documents of each',
    )
    return figures.dots(texts, points)


def draw_pages(pages: PageCounts) -> Markup:
    """Plot the share of documents for each number of popular shingles.

    Bars are all documents, and lines are those of some hosts.
    """
    width = choose_width(pages)
    curves = [
        [sum(part) / max(1, sum(curve)) for part in split(curve, width)]
        for curve in (pages.histogram, *pages.by_host.values())
    ]
    step, top = choose_top([share for curve in curves for share in curve])
    x = Scale(0, (SHINGLES + 1) / width, LEFT, RIGHT)
    y = Scale(0, top, BOTTOM, TOP)
    marks = [step * number for number in range(round(top / step) + 1)]
    return picture(
        'popular-shingles',
        (WIDTH, HEIGHT),
        (
            'Popular shingles of documents',
            f'Bars show the percentage of documents (vertical) that have 0 to '
            f'{SHINGLES} popular shingles (horizontal).'
            + ' Lines show the same for single hosts.'
            * bool(pages.by_host),
        ),
        tag('text', 'share of documents ↑', x=0, y=12, class_='axis'),
        tag('text', 'popular shingles →', x=RIGHT, y=HEIGHT - 8, class_='axis end'),
        *figures.levels([(y(share), f'{100 * share:g} %') for share in marks]),
        tag('path', d=path(draw_bars(curves[0], x, y, top)), class_='bars'),
        *(
            tag('path', d=path(draw_steps(curve, x, y, top)), class_=f'curve curve-{n}')
            for n, curve in enumerate(curves[1:], 1)
        ),
        *write_cut(curves, x, top),
        *label_axis(Scale(0, SHINGLES + 1, LEFT, RIGHT), TICKS, 0.5 * (width == 1)),
    )


def choose_width(pages: PageCounts) -> int:
    """Return how many numbers of shingles are counted together.

    Few documents are counted in wider groups, since lines of chance are no shape.
    """
    curves = pages.histogram, *pages.by_host.values()
    return 1 if min(map(sum, curves)) >= MANY else WIDTH_OF_FEW


def split(curve: Sequence[int], width: int) -> Iterator[Sequence[int]]:
    """Split a list into parts of the same length.

    >>> list(split([1, 2, 3, 4], 2))
    [[1, 2], [3, 4]]
    """
    for start in range(0, len(curve), width):
        yield curve[start : start + width]


def choose_top(shares: Sequence[float]) -> tuple[float, float]:
    """Return the distance of marks on an axis of shares, and its end.

    The axis ends below the largest shares if these are few, and would flatten all
    others.

    >>> choose_top([0.031, 0.02, 0.02, 0.02, 0.01]), choose_top([0.3, 0.7])
    ((0.01, 0.04), (0.2, 0.8))
    >>> choose_top([0.9, 0.031, 0.02, 0.02, 0.01])
    (0.005, 0.02)
    """
    most, *_ = falling = sorted(shares, reverse=True)
    usual = next(iter(falling[MAX_CUT:]), 0)
    end = usual if 0 < usual < most / FLAT else most
    step = next(step for step in SHARES if end / step <= MAX_MARKS)
    return step, step * math.ceil(round(end / step, 6))


def write_cut(
    curves: Sequence[Sequence[float]], x: Scale, top: float
) -> Iterator[Markup]:
    """Yield the shares that are above the end of the axis, beside their bars.

    Bars side by side have one text, so that it covers none of them.
    """
    for line, curve in enumerate(curves):
        numbered = groupby(enumerate(curve), lambda bar: bar[1] > top)
        for bars in (list(group) for is_above, group in numbered if is_above):
            first, last = bars[0][0], bars[-1][0]
            is_left = first > len(curve) // 2
            at = x(first) - 4 if is_left else x(last + 1) + 4
            end = ' end' if is_left else ''
            text = ', '.join(format_share(share) for _, share in bars)
            position = {'x': at, 'y': TOP + 4 + 14 * line}
            yield tag('text', text, **position, class_=f'cut cut-{line}{end}')


def draw_bars(
    curve: Sequence[float], x: Scale, y: Scale, top: float
) -> Iterator[tuple]:
    """Yield the steps of a path with a bar for each number."""
    for number, share in enumerate(curve):
        if share:
            left, right = x(number) + 0.4, x(number + 1) - 0.4
            yield from (('M', left, BOTTOM), ('V', _up(y, share, top)), ('H', right))
            yield from (('V', BOTTOM), ('z',))


def draw_steps(
    curve: Sequence[float], x: Scale, y: Scale, top: float
) -> Iterator[tuple]:
    """Yield the steps of a line with a horizontal part for each number."""
    yield 'M', x(0), BOTTOM
    for number, share in enumerate(curve):
        yield 'V', _up(y, share, top)
        yield 'H', x(number + 1)
    yield 'V', BOTTOM


def _up(y: Scale, share: float, top: float) -> float:
    # A small share is visible, and a large one leaves the plot a little.
    if share > top:
        return TOP - BEYOND
    return min(BOTTOM - 1, y(share)) if share else BOTTOM


def label_axis(x: Scale, numbers: Sequence[int], middle: float = 0) -> list[Markup]:
    """Draw the horizontal axis with numbers, in the middle of bars of width 1."""
    lines = [tag('path', d=path([('M', LEFT, BOTTOM), ('H', RIGHT)]), class_='base')]
    for number in numbers:
        at = x(number + middle)
        lines.append(tag('path', d=path([('M', at, BOTTOM), ('v', 4)]), class_='base'))
        position = {'x': at, 'y': BOTTOM + 17, 'class_': 'tick middle'}
        lines.append(tag('text', short(number), **position))
    return lines
