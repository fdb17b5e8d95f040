"""Discs of several sizes: lines of length 0 with round ends, in few elements."""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from markupsafe import Markup

from mr_reuse.report.svg import path, tag

LEAST = 1.5  # the diameter of the smallest disc


class Disc(NamedTuple):
    """A disc on a plot."""

    x: float
    y: float
    diameter: float


def diameter(share: float, largest: float) -> float:
    """Return the diameter of a disc with this share of the area of the largest one.

    It is rounded, so that discs need few elements.

    >>> diameter(1, 20), diameter(0.25, 20), diameter(0.0001, 20), diameter(0, 20)
    (20.0, 10.0, 1.5, 0.0)
    """
    exact = math.sqrt(share) * largest
    return max(LEAST, round(2 * exact) / 2) if share > 0 else 0.0


def draw_discs(discs: Iterable[Disc], class_: str) -> Iterator[Markup]:
    """Yield an element for each size of discs, the largest ones at the bottom."""
    sizes: dict[float, list[tuple]] = {}
    for disc in discs:
        if disc.diameter:
            spots = sizes.setdefault(disc.diameter, [])
            spots += [('M', disc.x, disc.y), ('h', 0)]
    for size in sorted(sizes, reverse=True):
        yield tag('path', d=path(sizes[size]), stroke_width=size, class_=class_)
