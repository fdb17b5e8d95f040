"""The shingles of pages as strings: phrases with the least fingerprints."""

from functools import cache

import numpy as np
from reference_phrases import (
    OF_PHRASES,
    OF_SHINGLES,
    OF_WORDS,
    fingerprint,
    phrase_texts,
)

DEGREE = 64


def fingerprints(numbers: list[int], polynomials: list[int]) -> np.ndarray:
    """A row for each number: the fingerprints of its 8 bytes by each polynomial.

    This is the long division of `reference_phrases`, of many numbers at once.
    """
    low = np.array([p - (1 << DEGREE) for p in polynomials], np.uint64)
    # The remainder of the first bit and the 64 after it.
    rest = low ^ np.array(numbers, np.uint64)[:, None]
    one, last = np.uint64(1), np.uint64(DEGREE - 1)
    for _ in range(DEGREE):
        rest = (rest << one) ^ (low * (rest >> last))
    return rest


class Sampler:
    """The 84 functions of phrases, and their values so far."""

    def __init__(self) -> None:
        self.word = cache(lambda word: fingerprint(word, OF_WORDS))
        self.values: dict[str, np.ndarray] = {}

    def fingerprint(self, phrase: str) -> int:
        words = [self.word(w.encode()).to_bytes(8, 'big') for w in phrase.split(' ')]
        return fingerprint(b''.join(words), OF_PHRASES)

    def shingles(self, words: list[str]) -> list[str]:
        """The phrase with the least value of each function.

        >>> Sampler().shingles(['w'])[:2]
        ['w w w w w', 'w w w w w']
        """
        phrases = sorted({' '.join(phrase) for phrase in phrase_texts(words)})
        new = [phrase for phrase in phrases if phrase not in self.values]
        values = fingerprints([self.fingerprint(phrase) for phrase in new], OF_SHINGLES)
        self.values.update(zip(new, values, strict=True))
        least = np.array([self.values[phrase] for phrase in phrases]).argmin(0)
        return [phrases[at] for at in least]
