"""The noise of pages, their resemblance, and how often two pages are alike.

The resemblance of two pages is the share of their n-grams of noise that both have. In
each dimension, two fingerprints agree with about that probability.
"""

from fractions import Fraction
from math import comb

N = 32  # bytes of an n-gram
M, T, P = 128, 35, 20  # dimensions, those of pages that are alike, probed ones
LETTERS = bytes(range(0x80, 0x100)) + bytes(
    byte for byte in range(0x80) if chr(byte).isalnum()
)


def grams_of(body: bytes) -> set[bytes]:
    """Return the n-grams of the noise of a page.

    >>> sorted(map(len, grams_of(b'<p>' + b'Tea. ' * 15 + b'</p>')))
    [32, 32, 32, 32]
    """
    noise = body.translate(None, LETTERS)
    return {noise[at : at + N] for at in range(len(noise) - N + 1)}


def resemblance_of(one: set[bytes], other: set[bytes]) -> Fraction:
    """Return the share of the n-grams of two pages that both have.

    >>> resemblance_of({b'a', b'b'}, {b'b', b'c'})
    Fraction(1, 3)
    """
    common = len(one & other)
    return Fraction(common, len(one) + len(other) - common)


def alike_chance(resemblance: Fraction) -> Fraction:
    """Return about how probable it is that two pages are found to be alike.

    They agree in at least T of M dimensions, and one of these is among the P that are
    probed.

    >>> [f'{float(alike_chance(Fraction(s, 100))):.6f}' for s in (10, 25, 35, 50, 100)]
    ['0.000000', '0.300442', '0.973576', '0.999999', '1.000000']
    """
    return sum(
        (
            comb(M, agreeing)
            * resemblance**agreeing
            * (1 - resemblance) ** (M - agreeing)
            * (1 - Fraction(comb(M - P, agreeing), comb(M, agreeing)))
            for agreeing in range(T, M + 1)
        ),
        Fraction(0),
    )
