"""The plots of the report: how often things occur, and how bad neighborhoods are.

They are drawn by hand since they are few and simple, and since colours that follow
the reader's screen and paper (classes that the style sheet knows) are what a plotting
package cannot give. These are Figures 1, 2, 11 and 12 of the paper.
"""

from collections.abc import Sequence

from markupsafe import Markup

from mr_reuse.messages import format_share, format_threshold
from mr_reuse.report.svg import Scale, decades, path, picture, short, tag

WIDTH, HEIGHT = 400, 270
LEFT, RIGHT, TOP, BOTTOM = 46, 384, 34, 228
MIDDLE = 150  # where the distribution ends and its sum begins
SPOT = 0.5  # points that are nearer to each other are one


def frequency(unit: str, points: Sequence[tuple[int, int]], threshold: int) -> Markup:
    """How many objects occur how often, both by powers of ten."""
    across = decades(max([threshold + 1, *(copies for copies, _ in points)]))
    up = decades(max([1, *(objects for _, objects in points)]))
    x = Scale(1, across[-1], LEFT, RIGHT, log=True)
    y = Scale(1, up[-1], BOTTOM, TOP, log=True)
    spots: dict[tuple[bool, tuple[float, float]], None] = {}
    for copies, objects in points:
        place = (round(x(copies) / SPOT) * SPOT, round(y(objects) / SPOT) * SPOT)
        spots[copies > threshold, place] = None
    dots = [
        tag(
            'path',
            d=path(s for hot, at in spots if hot == is_hot for s in dot(at)),
            class_='dots hot' if is_hot else 'dots',
        )
        for is_hot in (False, True)
        if any(hot == is_hot for hot, _ in spots)
    ]
    limit = x(max(1, threshold + 0.5))
    return picture(
        f'frequency-{unit}',
        (WIDTH, HEIGHT),
        (
            f'How often {unit}s occur',
            f'Each dot says how many different {unit}s (upwards) occur exactly so many '
            'times (to the right); both axes go by powers of ten. A line marks '
            f'{threshold:,} copies. The table below has the same numbers.',
        ),
        tag('text', f'different {unit}s ↑', x=0, y=12, class_='axis'),
        tag('text', 'copies of each →', x=RIGHT, y=HEIGHT - 8, class_='axis end'),
        *grid(x, across, y, up),
        *dots,
        *mark(limit, TOP, BOTTOM, f'more than {threshold:,} copies', limit > 230),
    )


def dot(at: Sequence[float]) -> list[tuple]:
    """A point: a line of no length, with round ends."""
    return [('M', *at), ('h', 0)]


def grid(x: Scale, across: Sequence[int], y: Scale, up: Sequence[int]) -> list[Markup]:
    """Axes with powers of ten."""
    lines = [tag('path', d=path([('M', LEFT, BOTTOM), ('H', RIGHT)]), class_='base')]
    for number in across:
        at = x(number)
        lines.append(tag('path', d=path([('M', at, BOTTOM), ('v', 4)]), class_='base'))
        place = {'x': at, 'y': BOTTOM + 17, 'class_': 'tick middle'}
        lines.append(tag('text', short(number), **place))
    return lines + levels([(y(number), short(number)) for number in up])


def levels(marks: Sequence[tuple[float, str]]) -> list[Markup]:
    """Numbers on the left, with a fine line to the right."""
    found = []
    for at, text in marks:
        line = path([('M', LEFT, at), ('H', RIGHT)])
        found.append(tag('path', d=line, class_='fine'))
        found.append(tag('text', text, x=LEFT - 6, y=at + 4, class_='tick end'))
    return found


def mark(
    at: float, top: float, bottom: float, text: str, is_late: bool = False
) -> list[Markup]:
    """A line at a threshold, with what it means beside its upper end."""
    place = {'x': at + 5, 'class_': 'mark'}
    if is_late:
        place = {'x': at - 5, 'class_': 'mark end'}
    said = {'y': top - 6, **place}
    return [
        tag('path', d=path([('M', at, top - 14), ('V', bottom)]), class_='limit'),
        tag('text', text, **said),
    ]


def badness(
    unit: str, histogram: Sequence[int], threshold: float | None, below: float
) -> Markup:
    """How many have which share of labels: as bars, and summed up as a line."""
    count, most = sum(histogram), max(histogram)
    up = decades(most, 4)
    x = Scale(0, 101, LEFT, RIGHT)
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
    told = f'{format_share(below)} of them are not above it.' if limit else ''
    return picture(
        f'badness-{unit}',
        (WIDTH, HEIGHT),
        (
            f'Which share of the chunks of {unit}s is copied',
            f'Above, bars: how many {unit}s there are for each percent of labeled '
            'chunks, by powers of ten. Below, a line: which share of them has at most '
            f'so many. {told}',
        ),
        tag('text', f'{unit}s ↑', x=0, y=12, class_='axis'),
        tag(
            'text',
            'share of labeled chunks →',
            x=RIGHT,
            y=HEIGHT - 8,
            class_='axis end',
        ),
        *levels([(y(number), short(number)) for number in up]),
        *(
            tag('path', d=path(bars[hot]), class_='bars hot' if hot else 'bars')
            for hot in bars
            if bars[hot]
        ),
        *levels([(share(part), f'{100 * part:.0f} %') for part in (0, 0.5, 1)]),
        tag('path', d=path(line), class_='sum'),
        *(
            tag(
                'text',
                f'{percent} %',
                x=x(percent),
                y=BOTTOM + 17,
                class_='tick middle',
            )
            for percent in range(0, 101, 20)
        ),
        *(
            []
            if limit is None
            else mark(
                x(limit),
                TOP,
                BOTTOM,
                f'bad: above {format_threshold(threshold)}',
                limit > 60,
            )
        ),
    )
