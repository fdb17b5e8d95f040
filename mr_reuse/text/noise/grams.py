"""The hashes of all n-grams of some noise.

The bytes of an n-gram are the digits of a number to the base `multiplier`, modulo 2^64.
The bits of the number are then mixed. Sums of all digits up to a place give the numbers
of all n-grams, if each digit is multiplied by the power of its place.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from mr_reuse.text.noise.parameters import read_parameters

SHIFTS = 32, 29
AT_ONCE = 1 << 14  # bytes of noise, whose powers and sums fit into the cache


class Powers(NamedTuple):
    """The powers of the multiplier, and those of its inverse, modulo 2^64."""

    up: np.ndarray
    down: np.ndarray


@cache
def _powers(count: int) -> Powers:
    multiplier = read_parameters().multiplier
    inverse = pow(multiplier, -1, 2**64)
    return Powers(_powers_of(multiplier, count), _powers_of(inverse, count))


def _powers_of(number: int, count: int) -> np.ndarray:
    factors = np.full(count, number, np.uint64)
    factors[0] = 1
    return np.cumprod(factors, dtype=np.uint64)


def mix(numbers: np.ndarray) -> np.ndarray:
    """Mix the bits of numbers in their place, so that each depends on all others."""
    numbers ^= numbers >> np.uint64(SHIFTS[0])
    numbers *= np.uint64(read_parameters().mixer)
    numbers ^= numbers >> np.uint64(SHIFTS[1])
    return numbers


def hash_grams(noise: np.ndarray, n: int) -> np.ndarray:
    """Return the hashes of the n-grams of at most AT_ONCE bytes and an n-gram.

    >>> hash_grams(np.frombuffer(b'< =""></>', np.uint8), 8).tolist()
    [1484107085493226665, 11606695426148971912]
    """
    powers = _powers(AT_ONCE + n)
    sums = np.empty(len(noise) + 1, np.uint64)
    sums[0] = 0
    digits = np.multiply(noise, powers.down[: len(noise)], dtype=np.uint64)
    np.cumsum(digits, out=sums[1:])
    numbers = np.subtract(sums[n:], sums[:-n])
    numbers *= powers.up[n - 1 : len(noise)]
    return mix(numbers)
