"""The plots of the report: numbers of copies, and badness. Figures 1, 2, 11, 12.

They are SVG without a plotting package, because their colours follow the theme of the
reader's screen and paper. The colours are classes of the style sheet.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from mr_reuse.messages import format_count, format_share, format_threshold
from mr_reuse.report.svg import Scale, decades, path, picture, short, tag

WIDTH, HEIGHT = 400, 270
LEFT, RIGHT, TOP, BOTTOM = 46, 384, 34, 228
MIDDLE = 150  # y of the baseline of the bars; the cumulative line is below it
GRID = 0.5  # pixels; closer points look the same and are drawn once
TURN_X = 230  # right of this x, the text of a threshold is on the left of its line


class DotTexts(NamedTuple):
    """The texts of a plot of numbers on two logarithmic axes."""

    id: str  # of the picture
    title: str
    about: str  # for those who do not see it
    up: str  # objects that are counted, on the vertical axis
    across: str  # on the horizontal axis
    mark: str = ''  # of the threshold


def frequency(unit: str, points: Sequence[tuple[int, int]], threshold: int) -> Markup:
    """Plot the number of objects against their number of copies, on two log axes."""
    copies = format_count(threshold, 'copy', 'copies')
    texts = DotTexts(
        f'frequency-{unit}',
        f'Number of copies of {unit}s',
        f'A dot shows how many distinct {unit}s (vertical) have a given number of '
        'copies (horizontal). Both axes are logarithmic. A line marks '
        f'{copies}. The table below has the same numbers.',
        f'distinct {unit}s',
        'copies of each',
        f'more than {copies}',
    )
    return dots(texts, points, threshold)


def dots(
    texts: DotTexts, points: Sequence[tuple[int, int]], threshold: int | None = None
) -> Markup:
    """Plot how many objects have each number, those above a threshold in red."""
    most = math.inf if threshold is None else threshold
    farthest = 1 if threshold is None else threshold + 1
    across = decades(max([farthest, *(number for number, _ in points)]))
    up = decades(max([1, *(objects for _, objects in points)]))
    x = Scale(1, across[-1], LEFT, RIGHT, log=True)
    y = Scale(1, up[-1], BOTTOM, TOP, log=True)
    # A dict keeps the order of the points, so that the same run gives the same bytes.
    spots: dict[tuple[bool, tuple[float, float]], None] = {}
    for number, objects in points:
        position = (round(x(number) / GRID) * GRID, round(y(objects) / GRID) * GRID)
        spots[number > most, position] = None
    drawn = [
        tag(
            'path',
            d=path(s for hot, at in spots if hot == is_hot for s in dot(at)),
            class_='dots hot' if is_hot else 'dots',
        )
        for is_hot in (False, True)
        if any(hot == is_hot for hot, _ in spots)
    ]
    line: list[Markup] = []
    if threshold is not None:
        # Between the last number that is not above the threshold and the next.
        limit = x(max(1, threshold + 0.5))
        line = mark(limit, TOP, BOTTOM, texts.mark, limit > TURN_X)
    return picture(
        texts.id,
        (WIDTH, HEIGHT),
        (texts.title, texts.about),
        tag('text', f'{texts.up} ↑', x=0, y=12, class_='axis'),
        tag('text', f'{texts.across} →', x=RIGHT, y=HEIGHT - 8, class_='axis end'),
        *grid(x, across, y, up),
        *drawn,
        *line,
    )


def dot(at: Sequence[float]) -> list[tuple]:
    """Draw a point: a line of length 0 with round ends."""
    return [('M', *at), ('h', 0)]


def grid(x: Scale, across: Sequence[int], y: Scale, up: Sequence[int]) -> list[Markup]:
    """Draw the axes with their powers of ten."""
    lines = [tag('path', d=path([('M', LEFT, BOTTOM), ('H', RIGHT)]), class_='base')]
    for number in across:
        at = x(number)
        lines.append(tag('path', d=path([('M', at, BOTTOM), ('v', 4)]), class_='base'))
        position = {'x': at, 'y': BOTTOM + 17, 'class_': 'tick middle'}
        lines.append(tag('text', short(number), **position))
    return lines + levels([(y(number), short(number)) for number in up])


def levels(marks: Sequence[tuple[float, str]]) -> list[Markup]:
    """Draw numbers on the left, each with a fine line to the right."""
    lines = []
    for at, text in marks:
        line = path([('M', LEFT, at), ('H', RIGHT)])
        lines.append(tag('path', d=line, class_='fine'))
        lines.append(tag('text', text, x=LEFT - 6, y=at + 4, class_='tick end'))
    return lines


def mark(
    at: float, top: float, bottom: float, text: str, is_text_left: bool = False
) -> list[Markup]:
    """Draw the line of a threshold, with its text beside the upper end."""
    position = {'y': top - 6, 'x': at + 5, 'class_': 'mark'}
    if is_text_left:
        position |= {'x': at - 5, 'class_': 'mark end'}
    return [
        tag('path', d=path([('M', at, top - 14), ('V', bottom)]), class_='limit'),
        tag('text', text, **position),
    ]


class ShareTexts(NamedTuple):
    """The texts of a plot of shares."""

    id: str  # of the picture
    title: str
    units: str  # that have the shares, in the plural
    share: str  # of them, on the axis
    mark: str  # of the threshold, which is formatted into it


def badness(
    unit: str, histogram: Sequence[int], threshold: float | None, below: float
) -> Markup:
    """Plot the shares of labels of pages or neighborhoods.

    `below` is the share of units that are not above the threshold.
    """
    texts = ShareTexts(
        f'badness-{unit}',
        f'Share of labeled chunks of {unit}s',
        f'{unit}s',
        'share of labeled chunks',
        'bad: above {}',
    )
    note = ''
    if threshold:
        note = f' {format_share(below)} of them are not above the threshold.'
    return shares(texts, histogram, threshold, note)


def shares(
    texts: ShareTexts,
    histogram: Sequence[int],
    threshold: float | None,
    note: str = '',
) -> Markup:
    """Plot shares: their distribution as bars, cumulated as a line."""
    count, most = sum(histogram), max(histogram)
    up = decades(most, 4)
    x = Scale(0, 101, LEFT, RIGHT)
    # From 0.6, so that a bar of 1 has some height on the log axis.
    y = Scale(0.6, up[-1], MIDDLE, TOP, log=True)
    share = Scale(0, 1, BOTTOM, MIDDLE + 22)
    limit = None if threshold is None else 100 * threshold
    bars: dict[bool, list[tuple]] = {False: [], True: []}
    line: list[tuple] = [('M', LEFT, BOTTOM)]
    done = 0
    for percent, number in enumerate(histogram):
        if number:
            is_hot = limit is not None and percent + 0.5 >= limit
            left, right = x(percent) + 0.4, x(percent + 1) - 0.4
            bars[is_hot] += [('M', left, MIDDLE), ('V', y(number)), ('H', right)]
            bars[is_hot] += [('V', MIDDLE), ('z',)]
        done += number
        line.append(('L', x(percent + 1), share(done / count)))
    return picture(
        texts.id,
        (WIDTH, HEIGHT),
        (
            texts.title,
            f'Bars above give the number of {texts.units} for each percent of '
            f'{texts.share.removeprefix("share of ")}, on a logarithmic axis. The line '
            f'below gives the percentage of {texts.units} with at most this '
            f'share.{note}',
        ),
        tag('text', f'{texts.units} ↑', x=0, y=12, class_='axis'),
        tag('text', f'{texts.share} →', x=RIGHT, y=HEIGHT - 8, class_='axis end'),
        *levels([(y(number), short(number)) for number in up]),
        *(
            tag('path', d=path(bars[hot]), class_='bars hot' if hot else 'bars')
            for hot in bars
            if bars[hot]
        ),
        *levels([(share(part), f'{100 * part:.0f} %') for part in (0, 0.5, 1)]),
        tag('path', d=path(line), class_='sum'),
        *_percents(x),
        *([] if limit is None else _limit(x(limit), limit, texts.mark, threshold)),
    )


def _percents(x: Scale) -> list[Markup]:
    return [
        tag('text', f'{n} %', x=x(n), y=BOTTOM + 17, class_='tick middle')
        for n in range(0, 101, 20)
    ]


def _limit(at: float, limit: float, text: str, threshold: float) -> list[Markup]:
    words = text.format(format_threshold(threshold))
    return mark(at, TOP, BOTTOM, words, limit > 60)
