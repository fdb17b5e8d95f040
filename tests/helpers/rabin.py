"""Many Rabin fingerprints at once, by the long division of `reference_phrases`."""

from typing import NamedTuple

import numpy as np
import reference_phrases as definitions

DEGREE = 64


class Polynomials(NamedTuple):
    """Polynomials of degree 64 with their leading term."""

    words: int
    phrases: int
    samples: list[int]


def read_polynomials() -> Polynomials:
    """The polynomials of the package."""
    return Polynomials(
        definitions.OF_WORDS, definitions.OF_PHRASES, definitions.OF_SHINGLES
    )


def samples(numbers: list[int], polynomials: list[int]) -> np.ndarray:
    """A row for each number: the fingerprints of its 8 bytes by each polynomial."""
    low = np.array([p - (1 << DEGREE) for p in polynomials], np.uint64)
    # The remainder of the first bit and the 64 after it.
    rest = low ^ np.array(numbers, np.uint64)[:, None]
    one, last = np.uint64(1), np.uint64(DEGREE - 1)
    for _ in range(DEGREE):
        rest = (rest << one) ^ (low * (rest >> last))
    return rest
