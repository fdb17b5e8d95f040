"""Lines of the tables of the answer key."""

from fractions import Fraction


def format_decimals(number: Fraction) -> str:
    """Return a number with nine decimals.

    >>> format_decimals(Fraction(2, 3))
    '0.666666667'
    """
    return f'{float(number):.9f}'


def join_fields(*fields: object) -> str:
    """Return a line of a table."""
    return '\t'.join(map(str, fields)) + '\n'
