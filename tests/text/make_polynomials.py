#!/usr/bin/env python3
"""Make `mr_reuse/text/polynomials.txt`: 86 primitive polynomials of degree 64.

    tests/text/make_polynomials.py FOLDER     # mr_reuse/text, or another to compare

Candidates are the first eight bytes of SHA-256 of `SEED N`, for N = 0, 1, 2, and so on,
with the last bit set. A line is a polynomial without its leading x^64, in hexadecimal
digits. The first is for words, the second for phrases, and each other for a shingle.
"""

import hashlib
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

SEED = 'Detecting Phrase-Level Duplication on the World Wide Web'
POLYNOMIALS = 86
DEGREE = 64
ORDER = 2**DEGREE - 1
PRIMES = 3, 5, 17, 257, 641, 65537, 6700417  # all prime factors of ORDER
ALL = 2**DEGREE - 1


def make_polynomials(folder: Path) -> None:
    """Write the file of data."""
    found = islice(filter(is_primitive, candidates(SEED)), POLYNOMIALS)
    text = ''.join(f'{polynomial:016x}\n' for polynomial in found)
    (folder / 'polynomials.txt').write_text(text)


def candidates(seed: str) -> Iterator[int]:
    """Yield polynomials with the last bit set, as all primitive ones have it."""
    for number in count():
        digest = hashlib.sha256(f'{seed} {number}'.encode()).digest()
        yield int.from_bytes(digest[:8], 'big') | 1


def is_primitive(polynomial: int) -> bool:
    """Return whether the powers of x take all values but 0.

    That is so if the order of x is ORDER: it divides ORDER, and no quotient of ORDER by
    a prime factor.
    """
    if polynomial.bit_count() % 2:  # with x^64, it has the factor x + 1
        return False
    table = remainders(polynomial)
    if power_of_x(ORDER, polynomial, table) != 1:
        return False
    return all(power_of_x(ORDER // q, polynomial, table) != 1 for q in PRIMES)


def remainders(polynomial: int) -> list[int]:
    """Return the remainder of n * x^64 for each n below 256."""
    powers = [polynomial]
    for _ in range(7):
        powers.append(times_x(powers[-1], polynomial))
    table = [0]
    for power in powers:
        table += [entry ^ power for entry in table]
    return table


def times_x(value: int, polynomial: int) -> int:
    value <<= 1
    return value & ALL ^ polynomial if value > ALL else value


def power_of_x(exponent: int, polynomial: int, table: list[int]) -> int:
    value = 1
    for bit in f'{exponent:b}':
        square = int(f'{value:b}', 4)  # the square has zeros between the bits
        high, value = square >> DEGREE, square & ALL
        rest = 0
        for byte in high.to_bytes(8, 'big'):
            rest = (rest << 8 & ALL) ^ table[rest >> 56 ^ byte]
        value ^= rest
        if bit == '1':
            value = times_x(value, polynomial)
    return value


if __name__ == '__main__':
    make_polynomials(Path(sys.argv[1]))
