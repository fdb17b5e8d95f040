"""Ratios, their mean and deviation, and thresholds, in exact integer arithmetic.

A ratio is an integer, in units of 10^-12, rounded half to even. Results therefore do
not depend on the order of a sum, nor on the machine.
"""

import math
from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

ONE = 10**12  # the ratio 1
DECIMALS = 9  # of a ratio in a table
PRECISION = 60  # digits to compute a threshold with, before it is rounded


def divide(part: int, whole: int) -> int:
    """Divide, in units of 10^-12, rounded half to even.

    >>> divide(1, 3), divide(2, 3), divide(3, 3)
    (333333333333, 666666666667, 1000000000000)
    >>> divide(1, 2 * 10**12), divide(3, 2 * 10**12)
    (0, 2)
    """
    return _round_division(part * ONE, whole)


def _round_division(number: int, divisor: int) -> int:
    """Divide integers, rounded half to even."""
    quotient, rest = divmod(number, divisor)
    is_odd = quotient & 1
    return quotient + (2 * rest > divisor or (2 * rest == divisor and is_odd))


def format_ratio(number: int) -> str:
    """Format a ratio for a table.

    >>> format_ratio(666666666667), format_ratio(ONE), format_ratio(500)
    ('0.666666667', '1.000000000', '0.000000000')
    """
    unit = 10**DECIMALS
    whole, part = divmod(_round_division(number, ONE // unit), unit)
    return f'{whole}.{part:0{DECIMALS}d}'


class Sums(NamedTuple):
    """Count, sum and sum of squares of ratios; those of parts can be added."""

    count: int = 0
    sum: int = 0
    squares: int = 0

    def add(self, numbers: Iterable[int]) -> 'Sums':
        """Return the sums with more ratios."""
        count, total, squares = self
        for number in numbers:
            count += 1
            total += number
            squares += number * number
        return Sums(count, total, squares)

    @property
    def mean(self) -> int:
        """The mean, rounded half to even.

        >>> format_ratio(Sums().add([600 * 10**9, 0, 500 * 10**9]).mean)
        '0.366666667'
        """
        return divide(self.sum, self.count * ONE) if self.count else 0

    @property
    def deviation(self) -> int:
        """The standard deviation of the population, rounded down.

        >>> format_ratio(Sums().add([600 * 10**9, 0, 500 * 10**9]).deviation)
        '0.262466929'
        """
        return math.isqrt(self.scaled_variance) // self.count if self.count else 0

    @property
    def scaled_variance(self) -> int:
        """The variance, times the square of the count."""
        return self.count * self.squares - self.sum**2


class Threshold:
    """A threshold of ratios: a fixed value, or mean + sigmas * deviation."""

    def __init__(self, fixed: Fraction | None, sigmas: Fraction, sums: Sums):
        self.fixed, self.sigmas, self.sums = fixed, sigmas, sums
        self.limit = self._highest_below()  # a ratio is bad if it is higher

    def _highest_below(self) -> int:
        """Return the highest ratio that is not above the threshold."""
        if self.fixed is not None:
            return math.floor(self.fixed * ONE)
        # An integer is above a root if it is above the root rounded down.
        root = math.isqrt(math.floor(self.sigmas**2 * self.sums.scaled_variance))
        return (self.sums.sum + root) // max(self.sums.count, 1)

    def is_above(self, number: int) -> bool:
        """Test whether a ratio is strictly above the threshold, without rounding.

        >>> sums = Sums().add([750 * 10**9, 0, 500 * 10**9])
        >>> threshold = Threshold(None, Fraction(1), sums)
        >>> threshold.is_above(750 * 10**9), threshold.is_above(500 * 10**9)
        (True, False)
        >>> Threshold(Fraction('0.5'), Fraction(1), sums).is_above(500 * 10**9)
        False
        """
        return number > self.limit

    @property
    def value(self) -> str:
        """The threshold as text with nine decimals.

        >>> Threshold(None, Fraction(1), Sums().add([750 * 10**9, 0])).value
        '0.750000000'
        """
        with localcontext() as context:
            context.prec = PRECISION
            if self.fixed is not None:
                value = Decimal(self.fixed.numerator) / self.fixed.denominator
            else:
                sigmas = Decimal(self.sigmas.numerator) / self.sigmas.denominator
                count, total, _ = self.sums
                root = Decimal(self.sums.scaled_variance).sqrt()
                value = (total + sigmas * root) / (max(count, 1) * ONE)
            return f'{value:.{DECIMALS}f}'
