"""The order of styles: the greatest score first, then most pages, then by rid."""

from collections.abc import Collection, Iterable
from math import lcm
from typing import NamedTuple

import numpy as np

from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.sorting import DIGITS
from mr_reuse.styles.describing import Style


def score_digits(m: int, total: int, normalizes: bool) -> int:
    """Return the decimals that tell any two scores apart, of `total` documents.

    The denominator of the mean of a style of s pages divides L * s * (s - 1), where L
    is m, or the least common multiple of 1 to m. So two scores are the same, or differ
    by at least 1 / (L * total^4).

    >>> score_digits(128, 10, False), score_digits(4, 10, True)
    (8, 7)
    """
    common = lcm(*range(1, m + 1)) if normalizes else m
    return len(str(common * max(2, total) ** 4)) + 1


def rank_key(style: Style, digits: int) -> bytes:
    """Make the sort key of a style, with so many decimals of its score."""
    scaled = style.score * 10**digits
    whole = scaled.numerator // scaled.denominator
    width = DIGITS + digits
    score = b'%0*d' % (width, 10**width - 1 - whole)
    return score + sorting.descending(style.pages) + b'%0*d' % (DIGITS, style.number)


class Ranks(NamedTuple):
    """The numbers of styles, by clusters in ascending order."""

    clusters: np.ndarray
    ranks: np.ndarray

    def find(self, cluster: int) -> int:
        """Return the number of a style.

        >>> Ranks(np.array([3, 8]), np.array([2, 1])).find(8)
        1
        """
        return int(self.ranks[np.searchsorted(self.clusters, cluster)])

    def find_clusters(self, styles: Collection[int]) -> dict[int, int]:
        """Return the clusters of some styles, with their numbers.

        >>> Ranks(np.array([3, 8, 9]), np.array([2, 1, 3])).find_clusters([1, 2])
        {3: 2, 8: 1}
        """
        is_wanted = np.isin(self.ranks, np.array([*styles], self.ranks.dtype))
        columns = (column[is_wanted].tolist() for column in self)
        return dict(zip(*columns, strict=True))


def sort_ranks(clusters: Iterable[int]) -> Ranks:
    """Number clusters in their order, from 1.

    >>> ranks = sort_ranks([8, 3]); ranks.clusters.tolist(), ranks.ranks.tolist()
    ([3, 8], [2, 1])
    """
    found = np.fromiter(clusters, np.uint64)
    order = np.argsort(found)
    return Ranks(found[order], (order + 1).astype(np.uint64))
