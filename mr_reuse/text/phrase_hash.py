"""Phrases: the circular sequences of five words of a page, as fingerprints of 64 bits.

The first word of a page follows the last one, as often as needed, so a page has as many
phrases as words. The fingerprint of a phrase is that of the fingerprints of its words,
with their highest bytes first. It has another polynomial than that of a word.
"""

from functools import cache

import numpy as np

from mr_reuse.text.polynomials import read_polynomials
from mr_reuse.text.rabin import (
    DEGREE,
    add_bytes,
    fingerprint_words,
    multiply,
    powers_of_x,
    product_table,
)

K = 5


def sort_distinct(numbers: np.ndarray) -> np.ndarray:
    """Return the distinct ones of numbers of 64 bits, ascending.

    >>> sort_distinct(np.array([9, 7, 9], np.uint64)).tolist()
    [7, 9]
    """
    ascending = np.sort(numbers)  # np.unique takes ten times as long
    is_first = np.ones(len(ascending), bool)
    is_first[1:] = ascending[1:] != ascending[:-1]
    return ascending[is_first]


class WordFingerprints:
    """The fingerprints of words in lower case and UTF-8, for `pure_reader`."""

    def __init__(self):
        self.start = self._polynomial = read_polynomials().of_words

    def add(self, state: int, data: bytes) -> int:
        """Return the fingerprint of a word, given that of its start."""
        return add_bytes(state, data, self._polynomial)

    def of_words(
        self, text: bytes, starts: np.ndarray, stops: np.ndarray
    ) -> np.ndarray:
        """Return the fingerprints of the words of a text."""
        return fingerprint_words(text, starts, stops, self._polynomial)


@cache
def _tables() -> tuple[np.ndarray, np.ndarray, np.uint64]:
    """Return the tables of x^64 and x^128, and the remainder of the leading 1."""
    polynomial = read_polynomials().of_phrases
    once, twice = (product_table(polynomial, n * DEGREE) for n in (1, 2))
    return once, twice, np.uint64(powers_of_x(polynomial, (K + 1) * DEGREE + 1)[-1])


def join_words(words: np.ndarray) -> np.ndarray:
    """Return the phrases of words in a row; a row of fewer than five words has none."""
    count = max(0, len(words) - K + 1)
    if not count:
        return np.zeros(0, np.uint64)
    once, twice, leading = _tables()
    # Words a, b, c, d, e are ((a x + b) x^2 + (c x + d)) x^2 + e x, where x is 2^64.
    shifted = multiply(words, once)
    pairs = shifted[:-1] ^ words[1:]
    fours = multiply(pairs[:count], twice) ^ pairs[2 : 2 + count]
    return multiply(fours, twice) ^ shifted[K - 1 :] ^ leading


class PhraseJoiner:
    """Joins the words of a page that come in parts.

    >>> joiner, page = PhraseJoiner(), np.array([1, 2, 3], np.uint64)
    >>> parts = joiner.add(page[:1]), joiner.add(page[1:]), joiner.wrap()
    >>> np.concatenate(parts).tolist() == hash_phrases(page).tolist()
    True
    """

    def __init__(self):
        self._first = self._last = np.zeros(0, np.uint64)

    @property
    def has_words(self) -> bool:
        return len(self._first) > 0

    def add(self, words: np.ndarray) -> np.ndarray:
        """Return the phrases that end in words, which follow those of the last call."""
        if len(self._first) < K - 1:
            self._first = np.concatenate([self._first, words[: K - 1]])[: K - 1]
        joined = np.concatenate([self._last, words])
        self._last = joined[max(0, len(joined) - K + 1) :].copy()
        return join_words(joined)

    def wrap(self) -> np.ndarray:
        """Return the phrases that end in words from the start of the page."""
        return join_words(np.concatenate([self._last, _wrapped(self._first)]))


def _wrapped(words: np.ndarray) -> np.ndarray:
    """Return the words that follow the last one of a page.

    >>> _wrapped(np.array([1, 2, 3], np.uint64)).tolist()
    [1, 2, 3, 1]
    """
    return np.resize(words, K - 1 if len(words) else 0)


def hash_phrases(words: np.ndarray) -> np.ndarray:
    """Return the phrases of a page by its words; phrase n begins with word n.

    >>> a, b, c = hash_phrases(np.array([1, 2, 3], np.uint64)).tolist()
    >>> hash_phrases(np.array([3, 1, 2], np.uint64)).tolist() == [c, a, b]
    True
    """
    return join_words(np.concatenate([words, _wrapped(words)]))
