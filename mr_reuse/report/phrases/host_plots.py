"""Plots of hosts by the popular shingles of their pages. Figures 8 and 9 of the paper.

One plot has the axes of the paper: mean and pages, with the deviation as a line. The
other one has the deviation as an axis, so that the limit of monsters is a line.
"""

from collections.abc import Sequence
from typing import Protocol

from markupsafe import Markup

from mr_reuse.phrases.hosts import LEAST_MEAN, LEAST_PAGES, MONSTER_DEVIATION
from mr_reuse.report import figures
from mr_reuse.report.figures import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH
from mr_reuse.report.phrases import discs, plots
from mr_reuse.report.phrases.discs import Disc
from mr_reuse.report.svg import Scale, decades, path, picture, tag
from mr_reuse.text.polynomials import SHINGLES

LARGEST = 26.0  # diameter of the disc of the host with the most pages
MEANS = range(LEAST_MEAN, SHINGLES, 10)
STEP, LEAST_TOP = 5, 20  # of the axis of deviations
MEAN = 'mean number of popular shingles →'


class Host(Protocol):
    """What the plots need of a host."""

    pages: int
    mean: float
    deviation: float
    is_monster: bool


def draw_hosts(hosts: Sequence[Host]) -> list[Markup]:
    """Draw both plots."""
    return [draw_deviations(hosts), draw_pages(hosts)]


def draw_deviations(hosts: Sequence[Host]) -> Markup:
    """Plot the mean against the deviation, with discs by pages."""
    most = max(host.pages for host in hosts)
    highest = max(LEAST_TOP, *(host.deviation for host in hosts))
    top = -(-int(highest + 1) // STEP) * STEP
    x = Scale(LEAST_MEAN - 2, SHINGLES + 1, LEFT, RIGHT)
    y = Scale(0, top, BOTTOM, TOP)
    marks = [(y(number), str(number)) for number in range(0, top + 1, STEP)]
    limit = y(MONSTER_DEVIATION)
    spots = {
        is_hot: [
            Disc(
                x(host.mean),
                y(host.deviation),
                discs.diameter(host.pages / most, LARGEST),
            )
            for host in hosts
            if host.is_monster == is_hot
        ]
        for is_hot in (False, True)
    }
    return picture(
        'host-deviations',
        (WIDTH, HEIGHT),
        (
            'Hosts by mean and standard deviation',
            'A disc shows a host by the mean number of popular shingles of its '
            'documents (horizontal) and the standard deviation (vertical). Its area '
            f'shows the number of documents. A line marks {MONSTER_DEVIATION}: hosts '
            'below it are monsters.',
        ),
        tag('text', 'standard deviation ↑', x=0, y=12, class_='axis'),
        tag('text', MEAN, x=RIGHT, y=HEIGHT - 8, class_='axis end'),
        *figures.levels(marks),
        *discs.draw_discs(spots[False], 'discs'),
        *discs.draw_discs(spots[True], 'discs hot'),
        tag('path', d=path([('M', LEFT, limit), ('H', RIGHT)]), class_='limit'),
        tag('text', 'monsters', x=RIGHT, y=limit + 14, class_='mark end'),
        *plots.label_axis(x, MEANS),
    )


def draw_pages(hosts: Sequence[Host]) -> Markup:
    """Plot the mean against the pages, with the deviation as a line to both sides."""
    up = decades(max(host.pages for host in hosts))
    x = Scale(0, SHINGLES + 1, LEFT, RIGHT)
    y = Scale(LEAST_PAGES, max(up[-1], 10 * LEAST_PAGES), BOTTOM, TOP, log=True)
    marks = sorted({*up, 10 * LEAST_PAGES} - {1})
    lines: list[Markup] = []
    for is_hot, class_ in ((False, ''), (True, ' hot')):
        chosen = [host for host in hosts if host.is_monster == is_hot]
        bars: list[tuple] = []
        for host in chosen:
            ends = host.mean - host.deviation, host.mean + host.deviation
            left, right = max(0, ends[0]), min(SHINGLES, ends[1])
            bars += [('M', x(left), y(host.pages)), ('H', x(right))]
        spots = (
            s for host in chosen for s in figures.dot((x(host.mean), y(host.pages)))
        )
        if chosen:
            lines.append(tag('path', d=path(bars), class_=f'spread{class_}'))
            lines.append(tag('path', d=path(spots), class_=f'dots{class_}'))
    return picture(
        'host-pages',
        (WIDTH, HEIGHT),
        (
            'Hosts by mean and number of documents',
            'A dot shows a host by the mean number of popular shingles of its '
            'documents (horizontal) and the number of documents (vertical, '
            'logarithmic). A line to the left and right of it shows the standard '
            'deviation.',
        ),
        tag('text', 'documents ↑', x=0, y=12, class_='axis'),
        tag('text', MEAN, x=RIGHT, y=HEIGHT - 8, class_='axis end'),
        *figures.levels([(y(number), figures.short(number)) for number in marks]),
        *lines,
        *plots.label_axis(x, plots.TICKS),
    )
