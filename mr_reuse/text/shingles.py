"""The shingles of pages: 84 of its phrases, which stand for all of them.

There are 84 functions: Rabin fingerprints of a phrase with a polynomial each. A shingle
is the least value of a function in a page. A function is a bijection of the numbers of
64 bits, so a shingle says the same as the phrase that has it. `find_shingles` returns
these phrases.

Words are given by their fingerprints (`PageWords.fingerprints`).
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from mr_reuse import kernel
from mr_reuse.text import kernel_reader
from mr_reuse.text.page_words import (
    PLAIN,
    PageWords,
    WordRule,
    find_encoding,
    read_words,
)
from mr_reuse.text.phrase_hash import K, PhraseJoiner, sort_distinct
from mr_reuse.text.polynomials import SHINGLES, read_polynomials
from mr_reuse.text.pure_shingles import PureShingles, find_values
from mr_reuse.text.rabin import byte_columns


def find_shingles(words: np.ndarray) -> np.ndarray:
    """Return 84 phrases of a page, or none for a page without words.

    >>> one = np.array([7], np.uint64)
    >>> len(find_shingles(one)), len(set(find_shingles(one).tolist()))
    (84, 1)
    >>> find_shingles(np.repeat(one, 9)).tolist() == find_shingles(one).tolist()
    True
    >>> len(find_shingles(one[:0]))
    0
    """
    return np.frombuffer(_finder().page(words.tobytes()), np.uint64)


def find_shingles_of_page(
    body: bytes, charset: str, kind: str, rule: WordRule
) -> tuple[int, bytes]:
    """Return the number of the words of a page, and its phrases, 64 bits each.

    The arguments are those of `read_words`.

    >>> rule = WordRule('drop', hashes='fingerprints')
    >>> page = b'one two', '', PLAIN, rule
    >>> words = read_words(*page).fingerprints()
    >>> find_shingles_of_page(*page) == (2, find_shingles(words).tobytes())
    True
    """
    if kernel.load() is None:
        words = read_words(body, charset, kind, rule).fingerprints()
        return len(words), find_shingles(words).tobytes()
    encoding = find_encoding(body, charset, kind, has_kernel=True)
    how = encoding, kind != PLAIN, rule
    return kernel_reader.read_shingles(body, *how, _shared_finder())


def find_shingles_of_parts(parts: Iterable[np.ndarray]) -> np.ndarray:
    """Return the same of a page that comes in parts.

    >>> page = np.arange(9, dtype=np.uint64)
    >>> found = find_shingles_of_parts([page[:2], page[2:]])
    >>> found.tolist() == find_shingles(page).tolist()
    True
    """
    finder = _make_finder()
    for words in parts:
        finder.add(words.tobytes())
    return np.frombuffer(finder.take(), np.uint64)


def shingle_values(phrases: np.ndarray) -> np.ndarray:
    """Return the shingles of which these are the phrases: 84, or rows of 84.

    >>> rows = np.array([find_shingles(np.array([n], np.uint64)) for n in (3, 4)])
    >>> values = shingle_values(rows)
    >>> values.shape, values[1].tolist() == shingle_values(rows[1]).tolist()
    ((2, 84), True)
    """
    functions = np.broadcast_to(np.arange(SHINGLES), phrases.shape).ravel()
    values = find_values(byte_columns(phrases.ravel()), functions)
    return values.reshape(phrases.shape)


def find_phrases(words: np.ndarray) -> np.ndarray:
    """Return all phrases of a page; phrase n begins with word n."""
    return np.frombuffer(_finder().phrases(words.tobytes()), np.uint64)


def distinct_phrases(parts: Iterable[np.ndarray]) -> np.ndarray:
    """Return the distinct phrases of a page, whose words come in parts, ascending.

    >>> parts = [np.array([1, 2, 1], np.uint64), np.array([2], np.uint64)]
    >>> len(distinct_phrases(parts))
    2
    """
    return sort_distinct(np.concatenate([*map(sort_distinct, iter_phrases(parts))]))


def iter_phrases(parts: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """Yield the phrases of a page, whose words come in parts."""
    joiner = PhraseJoiner()
    for words in parts:
        yield joiner.add(words)
    yield joiner.wrap()


class PlacedPhrase(NamedTuple):
    """A phrase in a page: the number of its first word, and its words."""

    start: int
    words: bytes  # with a space between two


def place_phrases(
    parts: Iterable[PageWords], wanted: np.ndarray
) -> dict[int, PlacedPhrase]:
    """Return where phrases begin first in a page; it may lack some.

    The parts of the page have texts. A whole page is one part.
    """
    wanted = np.unique(wanted)
    joiner, places = PhraseJoiner(), _Places(wanted)
    for part in parts:
        places.add(joiner.add(part.fingerprints()), part.words())
    places.add(joiner.wrap(), places.wrapped())
    return places.found


class _Places:
    """Collects the places of phrases. `wanted` is ascending."""

    def __init__(self, wanted: np.ndarray):
        self.found: dict[int, PlacedPhrase] = {}
        self._wanted = wanted
        self._first: list[bytes] = []  # words of the page
        self._last: list[bytes] = []
        self._start = 0  # number of the first one of the last words

    def wrapped(self) -> list[bytes]:
        """Return the words that follow the last one of the page."""
        first = self._first
        return [first[n % len(first)] for n in range(K - 1)] if first else []

    def add(self, phrases: np.ndarray, words: list[bytes]) -> None:
        """Take words of the page, and the phrases that end in them."""
        self._first += words[: K - 1 - len(self._first)]
        words = self._last + words
        distinct, rows = np.unique(phrases, return_index=True)
        is_wanted = np.isin(distinct, self._wanted, assume_unique=True)
        hits = zip(distinct[is_wanted].tolist(), rows[is_wanted].tolist(), strict=True)
        for phrase, row in hits:
            text = b' '.join(words[row : row + K])
            self.found.setdefault(phrase, PlacedPhrase(self._start + row, text))
        left = words[max(0, len(words) - K + 1) :]
        self._start += len(words) - len(left)
        self._last = left


def _finder():
    """Return an object for pages that are read in one call."""
    return _shared_finder() if kernel.load() else PureShingles()


def _make_finder():
    loaded = kernel.load()
    if not loaded:
        return PureShingles()
    polynomials = read_polynomials()
    others = np.array(polynomials.of_shingles, np.uint64).tobytes()
    return loaded.Shingles(polynomials.of_phrases, others)


_shared_finder = cache(_make_finder)
