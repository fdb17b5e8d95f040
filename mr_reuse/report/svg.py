"""Escaped elements of SVG, and axes. Colours are classes of the style sheet."""

import math
from collections.abc import Iterable

from markupsafe import Markup, escape

from mr_reuse.messages import make_visible

UNITS = ((10**12, 'T'), (10**9, 'G'), (10**6, 'M'), (10**3, 'k'))


def tag(name: str, *children: object, **attributes: object) -> Markup:
    """Build an element; children that are not markup are escaped.

    >>> tag('text', '<b>', x=1.50, class_='tick')
    Markup('<text x="1.5" class="tick">&lt;b&gt;</text>')
    """
    # A trailing underscore keeps Python's keywords apart: class_.
    pairs = ''.join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(format_value(value))}"'
        for key, value in attributes.items()
    )
    content = ''.join(
        child if isinstance(child, Markup) else escape(make_visible(str(child)))
        for child in children
    )
    return Markup(f'<{name}{pairs}>{content}</{name}>')


def format_value(value: object) -> str:
    """Format an attribute: a number with one decimal, which is enough, or a text.

    >>> format_value(1.0), format_value(2.345), format_value(-0.01), format_value('x')
    ('1', '2.3', '0', 'x')
    """
    # Adding 0 turns -0.0 into 0.0.
    return f'{round(value, 1) + 0:g}' if isinstance(value, float) else str(value)


def path(steps: Iterable[tuple[object, ...]]) -> str:
    """Format the data of a path: commands with their numbers.

    >>> path([('M', 1, 2.0), ('h', 0)])
    'M1 2h0'
    """
    return ''.join(
        f'{step[0]}{" ".join(map(format_value, step[1:]))}' for step in steps
    )


def picture(id_: str, size: tuple[int, int], texts: tuple[str, str], *inside) -> Markup:
    """Build a picture with a title and a description for screen readers."""
    return tag(
        'svg',
        tag('title', texts[0], id=f'{id_}-title'),
        tag('desc', texts[1], id=f'{id_}-desc'),
        *inside,
        id=id_,
        viewBox=f'0 0 {size[0]} {size[1]}',
        width=size[0],
        height=size[1],
        role='img',
        aria_labelledby=f'{id_}-title {id_}-desc',
    )


def short(number: int) -> str:
    """Format a power of ten for an axis.

    >>> short(100), short(10_000), short(10**6)
    ('100', '10k', '1M')
    """
    for unit, letter in UNITS:
        if number >= unit:
            return f'{number // unit}{letter}'
    return str(number)


class Scale:
    """Map numbers to positions on a line, linearly or by their logarithms."""

    def __init__(self, low: float, high: float, start: float, end: float, log=False):
        self._log = log
        self._low, self._high = (self._of(low), self._of(high))
        self._start, self._end = start, end

    def _of(self, number: float) -> float:
        return math.log10(number) if self._log else number

    def __call__(self, number: float) -> float:
        """Return the position of a number.

        >>> Scale(1, 100, 0, 200, log=True)(10)
        100.0
        """
        share = (self._of(number) - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)


def decades(most: int, ticks: int = 6) -> list[int]:
    """List powers of ten from 1 up to `most` or above, in steps that limit the ticks.

    >>> decades(250), decades(1), decades(10**9, 4)
    ([1, 10, 100, 1000], [1, 10], [1, 1000, 1000000, 1000000000])
    """
    top = max(1, len(str(max(most, 2) - 1)))
    step = -(-top // (ticks - 1)) if top >= ticks else 1
    return [10**power for power in range(0, -(-top // step) * step + 1, step)]
