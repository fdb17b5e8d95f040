"""Patch grams found in pages, and compared word by word.

The words of a page are its lanes, by which grams are hashed, and a text: the bytes of
each word and a line feed. The words of a wanted gram are kept from the first page that
has it. Those of other pages are compared with them.
"""

from typing import NamedTuple

import numpy as np

from mr_reuse import kernel
from mr_reuse.quilts.grams.gram_sets import NO_GRAM, number_grams
from mr_reuse.text.gram_hash import hash_grams


class Found(NamedTuple):
    """The wanted grams that a page has, each once, by their numbers."""

    places: np.ndarray
    rows: np.ndarray  # of the first words of each
    clashes: np.ndarray  # those with other words than before


class PurePatches:
    """Finds grams of k words in pages. The kernel has the same.

    `keys` and `checks` are of 64 and 16 bits each: distinct grams.
    """

    def __init__(self, k: int, keys: bytes, checks: bytes):
        self._k = k
        columns = np.frombuffer(keys, np.uint64), np.frombuffer(checks, np.uint16)
        self._order = np.lexsort((columns[1], columns[0]))
        self._known = columns[0][self._order], columns[1][self._order]
        self._kept: dict[int, bytes] = {}
        self._here: set[int] = set()  # grams of the latest page
        self._clashing: set[int] = set()

    def count(self, lanes: bytes, text: bytes) -> int:
        """Count the distinct grams of a page; return -1 if equal ones differ in words.

        >>> two = np.arange(4, dtype=np.uint64).tobytes() * 2
        >>> one = PurePatches(2, b'', b'')
        >>> one.count(two, b'a\\nb\\na\\nb\\n'), one.count(two, b'a\\nb\\na\\nc\\n')
        (2, -1)
        """
        keys, checks = _hash(lanes, self._k)
        words = _Words(text, len(lanes) // 16, self._k)
        first: dict[tuple[int, int], bytes] = {}
        grams = zip(keys.tolist(), checks.tolist(), strict=True)
        for row, gram in enumerate(grams):
            if first.setdefault(gram, words.at(row)) != words.at(row):
                return -1
        return len(first)

    def find(
        self, lanes: bytes, text: bytes | None, continues: bool
    ) -> tuple[bytes, ...]:
        """Return the columns of `Found`, 32 bits each.

        A further part of a page `continues` it. Without a text, no words are compared.
        """
        if not continues:
            self._here, self._clashing = set(), set()
        numbers = number_grams(self._known, *_hash(lanes, self._k))
        rows = np.flatnonzero(numbers != NO_GRAM)
        hits = zip(self._order[numbers[rows]].tolist(), rows.tolist(), strict=True)
        words = text is not None and _Words(text, len(lanes) // 16, self._k)
        found: dict[int, int] = {}
        clashes = []
        for place, row in hits:
            if place not in self._here:
                found[place] = row
                self._here.add(place)
            if not words or place in self._clashing:
                continue
            if self._kept.setdefault(place, words.at(row)) != words.at(row):
                self._clashing.add(place)
                clashes.append(place)
        columns = list(found), list(found.values()), clashes
        return tuple(np.array(column, np.uint32).tobytes() for column in columns)

    def words(self) -> tuple[bytes, bytes, bytes]:
        """Return the words that are kept, as `Patches.words` does."""
        words = [self._kept.get(place, b'') for place in range(len(self._order))]
        sizes = np.array([len(one) for one in words], np.uint32)
        starts = np.cumsum(sizes, dtype=np.uint64) - sizes
        return starts.tobytes(), sizes.tobytes(), b''.join(words)


def _hash(lanes: bytes, k: int) -> tuple[np.ndarray, np.ndarray]:
    return hash_grams(np.frombuffer(lanes, np.uint64).reshape(-1, 2), k)


class _Words:
    """The words of grams in a text."""

    def __init__(self, text: bytes, count: int, k: int):
        ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord('\n')) + 1
        if len(ends) != count or len(text) != (ends[-1] if count else 0):
            raise ValueError('a text of other words')
        self._text, self._starts, self._k = text, [0, *ends.tolist()], k

    def at(self, row: int) -> bytes:
        return self._text[self._starts[row] : self._starts[row + self._k]]


class Patches:
    """Finds grams of k words in pages, with the kernel if there is one.

    >>> lanes = np.array([[1, 5], [2, 6], [1, 5]], np.uint64)
    >>> patches = Patches(2, *hash_grams(lanes[:2], 2))
    >>> patches.find(lanes, b'a\\nb\\na\\n').rows.tolist()
    [0]
    >>> patches.find(lanes[:2], b'a\\nc\\n').clashes.tolist()
    [0]
    """

    def __init__(self, k: int, keys: np.ndarray, checks: np.ndarray):
        loaded = kernel.load()
        make = loaded.Patches if loaded else PurePatches
        self._patches = make(k, keys.tobytes(), checks.tobytes())

    def count(self, lanes: np.ndarray, text: bytes) -> int:
        """Count the distinct grams; return -1 if equal ones have different words."""
        return self._patches.count(lanes.tobytes(), text)

    def find(
        self, lanes: np.ndarray, text: bytes | None, continues: bool = False
    ) -> Found:
        """Return the wanted grams of a page, or those that a further part of it adds.

        Without a text, no words are compared.
        """
        columns = self._patches.find(lanes.tobytes(), text, continues)
        return Found(*(np.frombuffer(column, np.uint32) for column in columns))

    def words(self) -> tuple[np.ndarray, np.ndarray, bytes]:
        """Return where the words of each gram are in a text, their sizes, and the text.

        A gram that no page has has the size 0.
        """
        starts, sizes, text = self._patches.words()
        return np.frombuffer(starts, np.uint64), np.frombuffer(sizes, np.uint32), text
