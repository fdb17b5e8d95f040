"""Gaps in a list of documents by falling similarity to one page.

At a gap the similarity falls by much, and few documents have values between: at most a
tenth of the number of those above.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

BETWEEN = 10  # the part of the documents above that may be between
LEAST_FALL = 0.05
Points = Sequence[tuple[float, int]]  # similarity, documents; the greatest first


class Gap(NamedTuple):
    """A gap between two similarities."""

    above: int  # documents with the upper one, or a greater one
    between: int
    upper: float
    lower: float
    first: int  # index of the upper one among the points
    last: int

    @property
    def fall(self) -> float:
        """The difference of similarities; rounded, so that equal falls are equal."""
        return round(self.upper - self.lower, 9)


def find_gaps(points: Points, most: int) -> list[Gap]:
    """Return the greatest gaps that do not overlap, in the order of the list.

    >>> points = [(1.0, 1), (0.9, 30), (0.6, 1), (0.3, 1), (0.2, 40), (0.18, 9)]
    >>> for gap in find_gaps(points, 2): print(*gap)
    1 0 1.0 0.9 0 1
    31 2 0.9 0.2 1 4
    """
    above = list(accumulate(documents for _, documents in points))
    gaps = [gap for n in range(len(points) - 1) if (gap := _widest(points, above, n))]
    chosen: list[Gap] = []
    for gap in sorted(gaps, key=lambda gap: (-gap.fall, gap.between, gap.first)):
        is_free = all(gap.last <= one.first or gap.first >= one.last for one in chosen)
        if len(chosen) < most and is_free:
            chosen.append(gap)
    return sorted(chosen)


def _widest(points: Points, above: Sequence[int], first: int) -> Gap | None:
    """Return the widest gap that begins at a point; None if it is no gap."""
    most = above[first] + above[first] // BETWEEN
    last = min(max(first + 1, bisect_right(above, most)), len(points) - 1)
    gap = Gap(
        above[first],
        above[last - 1] - above[first],
        points[first][0],
        points[last][0],
        first,
        last,
    )
    return gap if gap.fall >= LEAST_FALL else None
