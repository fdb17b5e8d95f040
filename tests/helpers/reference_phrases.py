"""Phrases and shingles by their definitions. It imports nothing from the package.

Polynomials are numbers with their leading bit. The remainders are those of a long
division, bit by bit.
"""

from math import prod
from pathlib import Path

FILE = Path(__file__).parents[2] / 'mr_reuse' / 'text' / 'polynomials.txt'
LINES = FILE.read_text().split('\n')
OF_WORDS, OF_PHRASES, *OF_SHINGLES = (1 << 64 | int(line, 16) for line in LINES[:-1])
PRIMES = 3, 5, 17, 257, 641, 65537, 6700417


def remainder(number, polynomial):
    degree = polynomial.bit_length() - 1
    while (excess := number.bit_length() - 1 - degree) >= 0:
        number ^= polynomial << excess
    return number


def fingerprint(data, polynomial):
    """The remainder of a 1, the bytes, and as many zeros as the degree."""
    degree = polynomial.bit_length() - 1
    number = int.from_bytes(b'\1' + data, 'big') << degree
    return remainder(number, polynomial)


def of_number(number, polynomial):
    return fingerprint(number.to_bytes(8, 'big'), polynomial)


def multiply(a, b, polynomial):
    """The product of two remainders, by shifts and additions."""
    found = 0
    for i in range(b.bit_length()):
        found ^= a << i if b >> i & 1 else 0
    return remainder(found, polynomial)


def power(number, exponent, polynomial):
    found = 1
    while exponent:
        if exponent & 1:
            found = multiply(found, number, polynomial)
        number = multiply(number, number, polynomial)
        exponent >>= 1
    return found


def is_primitive(polynomial):
    """Whether the order of x, modulo a polynomial of degree 64, is 2^64 - 1."""
    order = prod(PRIMES)
    assert order == 2**64 - 1
    powers = [power(2, order // prime, polynomial) for prime in PRIMES]
    return power(2, order, polynomial) == 1 and 1 not in powers


def phrase_texts(words):
    """The circular phrases of five words, as tuples; as many as words."""
    row = words * 6
    return [tuple(row[i : i + 5]) for i in range(len(words))]


def phrase_fingerprint(words):
    joined = [fingerprint(word, OF_WORDS).to_bytes(8, 'big') for word in words]
    return fingerprint(b''.join(joined), OF_PHRASES)


def shingles_of(words):
    """The least value of each function, and the phrase that has it."""
    phrases = {phrase_fingerprint(words) for words in phrase_texts(words)}
    return [
        min((of_number(phrase, polynomial), phrase) for phrase in phrases)
        for polynomial in OF_SHINGLES
    ]
