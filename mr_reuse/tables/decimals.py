"""Decimals in tables."""

from fractions import Fraction

UNITS = 10**9  # of the ratio 1


def format_decimal(number: Fraction) -> str:
    """Format a number with 9 decimals, rounded half to even.

    >>> format_decimal(Fraction(2, 3)), format_decimal(Fraction(1, 2 * UNITS))
    ('0.666666667', '0.000000000')
    """
    billionths = round(number * UNITS)
    return f'{billionths // UNITS}.{billionths % UNITS:09d}'
