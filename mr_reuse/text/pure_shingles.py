"""The shingles of a page in Python, which defines the result of the kernel.

Few phrases need more than the highest byte of their values. A row of a table has that
byte for all functions, and there is a row for each value of each byte of a phrase. The
sum of eight rows has the highest bytes of the values of a phrase.
"""

from functools import cache

import numpy as np

from mr_reuse.text.phrase_hash import PhraseJoiner, hash_phrases, sort_distinct
from mr_reuse.text.polynomials import SHINGLES, read_polynomials
from mr_reuse.text.rabin import BLOCK, DEGREE, byte_columns, powers_of_x, product_table

WIDTH = 96  # bytes of a row: one for each function, in whole words
AT_ONCE = 1024  # phrases; their rows fit into the cache
MANY = 8  # candidates a phrase, if phrases are repeated
LARGEST = np.uint64(2**DEGREE - 1)


@cache
def value_tables() -> np.ndarray:
    """Return what each byte of a phrase contributes to the value of each function.

    The axes are functions, places of bytes, and values of a byte. The lowest byte
    contributes the leading 1 of fingerprints as well.
    """
    tables = np.empty((SHINGLES, BLOCK, 256), np.uint64)
    for number, polynomial in enumerate(read_polynomials().of_shingles):
        tables[number] = product_table(polynomial, DEGREE)
        tables[number, 0] ^= np.uint64(powers_of_x(polynomial, 2 * DEGREE + 1)[-1])
    return tables


@cache
def _highest_bytes() -> np.ndarray:
    """Return the highest bytes of the same, as rows of words."""
    rows = np.zeros((BLOCK, 256, WIDTH), np.uint8)
    highest = value_tables() >> np.uint64(DEGREE - 8)
    rows[:, :, :SHINGLES] = highest.transpose(1, 2, 0)
    return rows.view(np.uint64)


def find_values(places: np.ndarray, functions: np.ndarray) -> np.ndarray:
    """Return the values of phrases, given by their bytes, under one function each."""
    tables = value_tables().ravel()
    entries = functions * (BLOCK * 256)
    result = tables.take(entries + places[0])
    for number, column in enumerate(places[1:], 1):
        result ^= tables.take(entries + (number * 256 + column))
    return result


class PureShingles:
    """Finds the phrases with the least values. The kernel has the same."""

    def __init__(self):
        self._start()

    def _start(self) -> None:
        self._joiner = PhraseJoiner()
        self._values = np.full(SHINGLES, LARGEST)
        self._phrases = np.zeros(SHINGLES, np.uint64)

    def page(self, words: bytes) -> bytes:
        """Return the phrases of a whole page, or nothing for a page without words."""
        self._start()
        self._offer(hash_phrases(np.frombuffer(words, np.uint64)))
        return self._end(len(words) > 0)

    def add(self, words: bytes) -> None:
        """Add words of a page, which follow those of the last call."""
        self._offer(self._joiner.add(np.frombuffer(words, np.uint64)))

    def take(self) -> bytes:
        """Return the phrases of the page whose words were added; begin another one."""
        self._offer(self._joiner.wrap())
        return self._end(self._joiner.has_words)

    def _end(self, has_words: bool) -> bytes:
        found = self._phrases.tobytes() if has_words else b''
        self._start()
        return found

    def _offer(self, phrases: np.ndarray) -> None:
        for start in range(0, len(phrases), AT_ONCE):
            self._add_phrases(phrases[start : start + AT_ONCE])

    def _add_phrases(self, phrases: np.ndarray) -> None:
        places = byte_columns(phrases)
        tables = _highest_bytes()
        rows = tables[0].take(places[0], axis=0)
        for table, column in zip(tables[1:], places[1:], strict=True):
            rows ^= table.take(column, axis=0)
        highest = rows.view(np.uint8)
        least = highest.min(axis=0)
        so_far = (self._values >> np.uint64(DEGREE - 8)).astype(np.uint8)
        np.minimum(least[:SHINGLES], so_far, out=least[:SHINGLES])
        least[SHINGLES:] = 1  # the rest of a row is 0
        found = np.flatnonzero(highest == least)
        if len(found) > MANY * len(phrases):
            distinct = sort_distinct(phrases)
            if len(distinct) < len(phrases):
                self._add_phrases(distinct)
                return
        which, functions = np.divmod(found, WIDTH)
        values = find_values(places[:, which], functions)
        np.minimum.at(self._values, functions, values)
        is_least = values == self._values[functions]
        self._phrases[functions[is_least]] = phrases[which[is_least]]

    @staticmethod
    def phrases(words: bytes) -> bytes:
        """Return the phrases of a page in their order."""
        return hash_phrases(np.frombuffer(words, np.uint64)).tobytes()
