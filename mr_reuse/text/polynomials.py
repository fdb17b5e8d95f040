"""The polynomials of Rabin fingerprints, which are data of the package.

All are primitive, of degree 64, and written without their leading x^64.
`tests/text/make_polynomials.py` makes the file.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

SHINGLES = 84  # of a page; each has its own polynomial
HERE = Path(__file__).parent


class Polynomials(NamedTuple):
    """One polynomial for words, one for phrases, and one for each shingle."""

    of_words: int
    of_phrases: int
    of_shingles: tuple[int, ...]


@cache
def read_polynomials() -> Polynomials:
    """Return the polynomials in the order of the file.

    >>> f'{read_polynomials().of_words:016x}', len(read_polynomials().of_shingles)
    ('56f4da9902d85551', 84)
    """
    lines = (HERE / 'polynomials.txt').read_text(encoding='ascii').split()
    of_words, of_phrases, *of_shingles = (int(line, 16) for line in lines)
    return Polynomials(of_words, of_phrases, tuple(of_shingles))
