"""Rabin fingerprints by long division, and primitive polynomials."""

import hashlib
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

POLYNOMIALS = Path(__file__).parents[2] / 'mr_reuse' / 'text' / 'polynomials.txt'
DEGREE = 64
FACTORS = 3, 5, 17, 257, 641, 65537, 6700417  # of 2^64 - 1


class Polynomials(NamedTuple):
    """Polynomials of degree 64 without their leading term."""

    words: int
    phrases: int
    samples: list[int]


def read_polynomials(path: Path = POLYNOMIALS) -> Polynomials:
    """The polynomials of the package, or others as long as it has none."""
    if path.exists():
        numbers = [int(line, 16) for line in path.read_text('ascii').splitlines()]
    else:
        numbers = list(islice(primitive_polynomials(), 86))
    return Polynomials(numbers[0], numbers[1], numbers[2:])


def remainder(number: int, low: int, degree: int = DEGREE) -> int:
    """The remainder of a long division by x^degree + low, over GF(2)."""
    divisor = 1 << degree | low
    while (shift := number.bit_length() - divisor.bit_length()) >= 0:
        number ^= divisor << shift
    return number


def fingerprint(data: bytes, low: int) -> int:
    """The fingerprint of bytes: a bit, the bytes and 64 zeros, divided."""
    number = 1 << 8 * len(data) | int.from_bytes(data, 'big')
    return remainder(number << DEGREE, low)


def samples(numbers: list[int], lows: list[int]) -> np.ndarray:
    """A row for each number: the fingerprints of its 8 bytes by each polynomial.

    This is the long division of `fingerprint`, of many numbers at once.
    """
    low = np.array(lows, np.uint64)
    # The remainder of the first bit and the 64 after it.
    rest = low ^ np.array(numbers, np.uint64)[:, None]
    one, last = np.uint64(1), np.uint64(DEGREE - 1)
    for _ in range(DEGREE):
        rest = (rest << one) ^ (low * (rest >> last))
    return rest


def product(one: int, other: int, low: int) -> int:
    """The product of two polynomials modulo a third."""
    whole = 0
    while other:
        if other & 1:
            whole ^= one
        one, other = one << 1, other >> 1
    return remainder(whole, low)


def power(exponent: int, low: int) -> int:
    """x to the power of a number, modulo a polynomial."""
    result, square = 1, 2
    while exponent:
        if exponent & 1:
            result = product(result, square, low)
        square, exponent = product(square, square, low), exponent >> 1
    return result


def is_primitive(low: int) -> bool:
    """Whether the powers of x are all polynomials but 0."""
    order = 2**DEGREE - 1
    return power(order, low) == 1 and all(
        power(order // factor, low) != 1 for factor in FACTORS
    )


def primitive_polynomials():
    """Some primitive polynomials, always the same."""
    for number in count():
        digest = hashlib.sha256(f'stand-in {number}'.encode()).digest()
        low = int.from_bytes(digest[:8], 'big') | 1
        if is_primitive(low):
            yield low
