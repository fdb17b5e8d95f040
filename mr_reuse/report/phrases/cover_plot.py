"""The plot of covering sets. Figures 3 to 7 of the paper."""

from collections.abc import Sequence
from typing import Protocol

from markupsafe import Markup

from mr_reuse.report import figures
from mr_reuse.report.figures import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH
from mr_reuse.report.phrases import discs, plots
from mr_reuse.report.phrases.discs import Disc
from mr_reuse.report.svg import Scale, picture, tag
from mr_reuse.text.polynomials import SHINGLES

LARGEST = 9.0  # diameter of the disc of the most documents
FEW = 10  # documents; if no disc has more, discs are not larger for it
FIRST = 30  # popular shingles, from which a sample begins
STEPS = (1, 2, 5, 10, 20)  # between the numbers of sources on the axis
MAX_TICKS = 6
LEAST_TOP = 5  # sources, the least end of the axis


class Sum(Protocol):
    """Documents with as many popular shingles, and as many sources."""

    popular: int
    sources: int
    documents: int
    share: float  # of foreign shingles


def draw_covers(sums: Sequence[Sum]) -> Markup:
    """Plot sources against popular shingles, with discs by documents and by share."""
    most = max(FEW, *(one.documents for one in sums))
    highest = max(LEAST_TOP, *(one.sources for one in sums))
    step = choose_step(highest)
    top = -(-highest // step) * step
    first = min(FIRST, *(one.popular for one in sums))
    x = Scale(first - 1, SHINGLES + 1, LEFT, RIGHT)
    y = Scale(0, top, BOTTOM, TOP)
    marks = [(y(number), str(number)) for number in range(0, top + 1, step)]
    outer, inner = [], []
    for one in sums:
        at = x(one.popular), y(one.sources)
        part = one.documents / most
        outer.append(Disc(*at, discs.diameter(part, LARGEST)))
        inner.append(Disc(*at, discs.diameter(part * one.share, LARGEST)))
    return picture(
        'cover-sizes',
        (WIDTH, HEIGHT),
        (
            'Sizes of covering sets',
            'A disc shows documents by their number of popular shingles (horizontal) '
            'and of sources (vertical). Its area shows the number of these documents. '
            'The area of the disc inside shows the share of shingles from foreign '
            'sources.',
        ),
        tag('text', 'sources ↑', x=0, y=12, class_='axis'),
        tag('text', 'popular shingles →', x=RIGHT, y=HEIGHT - 8, class_='axis end'),
        *figures.levels(marks),
        *discs.draw_discs(outer, 'discs outer'),
        *discs.draw_discs(inner, 'discs inner'),
        *plots.label_axis(x, [n for n in plots.TICKS if n >= first]),
    )


def choose_step(top: int) -> int:
    """Return the distance of the numbers on an axis that ends at `top`.

    >>> [choose_step(top) for top in (5, 6, 12, 60, 84)]
    [1, 2, 5, 20, 20]
    """
    return next(step for step in STEPS if top // step < MAX_TICKS)
