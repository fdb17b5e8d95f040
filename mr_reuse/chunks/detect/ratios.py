"""Ratios, their mean and deviation, and what is above a threshold.

All of it in whole numbers, so that neither the order of a sum nor the machine decides:
a ratio is a number of 10^-12, rounded half to even.
"""

import math
from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

ONE = 10**12
DIGITS = 9  # of a ratio in a table


def ratio(part: int, whole: int) -> int:
    """A share as a number of 10^-12, rounded half to even.

    >>> ratio(1, 3), ratio(2, 3), ratio(3, 3)
    (333333333333, 666666666667, 1000000000000)
    >>> ratio(1, 2 * 10**12), ratio(3, 2 * 10**12)
    (0, 2)
    """
    found, rest = divmod(part * ONE, whole)
    return found + (2 * rest > whole or (2 * rest == whole and found & 1))


def shown(number: int) -> str:
    """A number of 10^-12 as tables have it.

    >>> shown(666666666667), shown(ONE), shown(500)
    ('0.666666667', '1.000000000', '0.000000000')
    """
    cut = 10 ** (12 - DIGITS)
    found, rest = divmod(number, cut)
    found += 2 * rest > cut or (2 * rest == cut and found & 1)
    whole, part = divmod(found, 10**DIGITS)
    return f'{whole}.{part:0{DIGITS}d}'


class Sums(NamedTuple):
    """Count, sum and sum of squares of some ratios; adds up over any parts."""

    count: int = 0
    sum: int = 0
    squares: int = 0

    def add(self, numbers: Iterable[int]) -> 'Sums':
        """These and some more ratios."""
        count, total, squares = self
        for number in numbers:
            count += 1
            total += number
            squares += number * number
        return Sums(count, total, squares)

    @property
    def mean(self) -> int:
        """The mean as a number of 10^-12, rounded half to even.

        >>> shown(Sums().add([600 * 10**9, 0, 500 * 10**9]).mean)
        '0.366666667'
        """
        return ratio(self.sum, self.count * ONE) if self.count else 0

    @property
    def deviation(self) -> int:
        """The deviation of the population, rounded down to 10^-12.

        >>> shown(Sums().add([600 * 10**9, 0, 500 * 10**9]).deviation)
        '0.262466929'
        """
        return math.isqrt(self.spread) // self.count if self.count else 0

    @property
    def spread(self) -> int:
        """The variance, times the square of the count."""
        return self.count * self.squares - self.sum**2


class Threshold:
    """What a ratio has to be above: a fixed value, or mean + sigmas * deviation."""

    def __init__(self, fixed: Fraction | None, sigmas: Fraction, sums: Sums):
        self.fixed, self.sigmas, self.sums = fixed, sigmas, sums
        self._limit = self._highest_below()

    def _highest_below(self) -> int:
        """The highest number of 10^-12 that is not above."""
        if self.fixed is not None:
            return math.floor(self.fixed * ONE)
        # A whole number is above a root if it is above the whole number below the root.
        root = math.isqrt(math.floor(self.sigmas**2 * self.sums.spread))
        return (self.sums.sum + root) // max(self.sums.count, 1)

    def is_above(self, number: int) -> bool:
        """Whether a ratio is strictly above, without any rounding.

        >>> sums = Sums().add([750 * 10**9, 0, 500 * 10**9])
        >>> rule = Threshold(None, Fraction(1), sums)
        >>> rule.is_above(750 * 10**9), rule.is_above(500 * 10**9)
        (True, False)
        >>> Threshold(Fraction('0.5'), Fraction(1), sums).is_above(500 * 10**9)
        False
        """
        return number > self._limit

    @property
    def value(self) -> str:
        """The threshold for people.

        >>> Threshold(None, Fraction(1), Sums().add([750 * 10**9, 0])).value
        '0.750000000'
        """
        with localcontext() as context:
            context.prec = 60
            if self.fixed is not None:
                found = Decimal(self.fixed.numerator) / self.fixed.denominator
            else:
                sigmas = Decimal(self.sigmas.numerator) / self.sigmas.denominator
                count, total, _ = self.sums
                root = Decimal(self.sums.spread).sqrt()
                found = (total + sigmas * root) / (max(count, 1) * ONE)
            return f'{found:.{DIGITS}f}'
