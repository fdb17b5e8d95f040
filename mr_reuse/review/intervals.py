"""95 % confidence intervals for the share of a population, estimated from a sample.

Wilson's score interval, because it is valid for shares near 0. The finite population
correction makes it narrower if the sample is a large part of the population. MOVER
combines the intervals of strata by the squares of their arms, as R. G. Newcombe does
for differences: Statistics in Medicine 17 (1998), 857-872 and 873-890.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

Z = NormalDist().inv_cdf(0.975)  # two-sided 95 %


class Estimate(NamedTuple):
    """An estimated share with the limits of its interval."""

    share: float
    low: float
    high: float


class Stratum(NamedTuple):
    """A stratum of which a part was judged."""

    hits: int  # judged items that have the property
    judged: int
    size: int  # all items


def wilson(stratum: Stratum) -> Estimate:
    """Estimate the share in a stratum from items drawn without replacement.

    >>> [round(x, 3) for x in wilson(Stratum(0, 20, 10**9))]
    [0.0, 0.0, 0.161]
    >>> wilson(Stratum(3, 10, 10))
    Estimate(share=0.3, low=0.3, high=0.3)
    """
    hits, judged, size = stratum
    share = hits / judged
    if judged >= size:
        return Estimate(share, share, share)
    # The size of a sample from an infinite population with the same variance.
    n = judged * (size - 1) / (size - judged)
    middle = share + Z * Z / (2 * n)
    arm = Z * math.sqrt(share * (1 - share) / n + (Z / (2 * n)) ** 2)
    low, high = ((middle + d) / (1 + Z * Z / n) for d in (-arm, arm))
    return Estimate(share, max(0.0, min(low, share)), min(1.0, max(high, share)))


def estimate(strata: Sequence[Stratum]) -> Estimate:
    """Estimate the share in a population of several strata.

    >>> population = estimate([Stratum(2, 10, 900), Stratum(9, 10, 100)])
    >>> [round(x, 3) for x in population]
    [0.27, 0.138, 0.548]
    """
    size = sum(stratum.size for stratum in strata)
    parts = [(stratum.size / size, wilson(stratum)) for stratum in strata]
    share = sum(weight * part.share for weight, part in parts)
    low = math.hypot(*(weight * (part.share - part.low) for weight, part in parts))
    high = math.hypot(*(weight * (part.high - part.share) for weight, part in parts))
    return Estimate(share, max(0.0, share - low), min(1.0, share + high))
