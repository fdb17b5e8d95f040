"""How sure a sample makes one of a share in the whole: 95 % confidence intervals.

Wilson's score interval, since shares near 0 are what one meets; in a sample that is
a good part of the whole, with the finite population correction. The intervals of
strata are put together by the squares of their arms (MOVER), as R. G. Newcombe does
for differences: Statistics in Medicine 17 (1998), 857-872 and 873-890.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

Z = NormalDist().inv_cdf(0.975)


class Estimate(NamedTuple):
    """A share, and between what it lies."""

    share: float
    low: float
    high: float


class Stratum(NamedTuple):
    """So many that were judged, out of so many; and of how many it is true."""

    hits: int
    judged: int
    size: int


def wilson(stratum: Stratum) -> Estimate:
    """The share in a stratum, of which some were drawn, none twice.

    >>> [round(x, 3) for x in wilson(Stratum(0, 20, 10**9))]
    [0.0, 0.0, 0.161]
    >>> wilson(Stratum(3, 10, 10))
    Estimate(share=0.3, low=0.3, high=0.3)
    """
    hits, judged, size = stratum
    share = hits / judged
    if judged >= size:
        return Estimate(share, share, share)
    # As if so many had been drawn from a whole without end.
    n = judged * (size - 1) / (size - judged)
    middle = share + Z * Z / (2 * n)
    arm = Z * math.sqrt(share * (1 - share) / n + (Z / (2 * n)) ** 2)
    low, high = ((middle + d) / (1 + Z * Z / n) for d in (-arm, arm))
    return Estimate(share, max(0.0, min(low, share)), min(1.0, max(high, share)))


def estimate(strata: Sequence[Stratum]) -> Estimate:
    """The share in the whole that strata make up, each of them judged in part.

    >>> whole = estimate([Stratum(2, 10, 900), Stratum(9, 10, 100)])
    >>> [round(x, 3) for x in whole]
    [0.27, 0.138, 0.548]
    """
    size = sum(stratum.size for stratum in strata)
    parts = [(stratum.size / size, wilson(stratum)) for stratum in strata]
    share = sum(weight * one.share for weight, one in parts)
    low = math.hypot(*(weight * (one.share - one.low) for weight, one in parts))
    high = math.hypot(*(weight * (one.high - one.share) for weight, one in parts))
    return Estimate(share, max(0.0, share - low), min(1.0, share + high))
