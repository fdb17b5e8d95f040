"""Patch grams found in pages, and compared word by word.

The words of a page are its lanes, by which grams are hashed, and a text: the bytes of
each word and a line feed. The words of a wanted gram are kept from the first page with
it that is read to keep them. Those of other pages are compared with them.
"""

from typing import NamedTuple

import numpy as np

from mr_reuse import kernel
from mr_reuse.text.gram_hash import hash_grams

SAME, OTHER, MIXED = 0, 1, 2  # the words that are kept; others; different ones
LACKS = -2  # the variant of a gram that a page lacks


class Found(NamedTuple):
    """The wanted grams that a page has, each once."""

    places: np.ndarray  # their numbers among the wanted ones
    rows: np.ndarray  # of the first words of each
    states: np.ndarray


class PurePatches:
    """Finds grams of k words in pages. The kernel has the same.

    `keys` and `checks` are of 64 and 16 bits each: distinct grams, sorted.
    """

    def __init__(self, k: int, keys: bytes, checks: bytes):
        self._k = k
        grams = zip(_numbers(keys, np.uint64), _numbers(checks, np.uint16), strict=True)
        self._places = {gram: place for place, gram in enumerate(grams)}
        self._kept: dict[int, bytes] = {}

    def count(self, lanes: bytes, text: bytes) -> int:
        """Count the distinct grams of a page; return -1 if equal ones differ in words.

        >>> two = np.arange(4, dtype=np.uint64).tobytes() * 2
        >>> one = PurePatches(2, b'', b'')
        >>> one.count(two, b'a\\nb\\na\\nb\\n'), one.count(two, b'a\\nb\\na\\nc\\n')
        (2, -1)
        """
        first: dict[tuple[int, int], bytes] = {}
        for gram, words in self._grams_of(lanes, text):
            if first.setdefault(gram, words) != words:
                return -1
        return len(first)

    def find(self, lanes: bytes, text: bytes, keeps: bool) -> tuple[bytes, ...]:
        """Return the columns of `Found`, 32 bits each.

        `keeps` says whether to keep the words of grams that have none yet.
        """
        hits: dict[int, list[int]] = {}
        first: dict[int, bytes] = {}
        for row, (gram, words) in enumerate(self._grams_of(lanes, text)):
            place = self._places.get(gram)
            if place is None:
                continue
            if place in hits:
                if first[place] != words:
                    hits[place][2] = MIXED
                continue
            kept = self._kept.get(place)
            if kept is None and keeps:
                kept = self._kept[place] = words
            hits[place] = [place, row, SAME if kept == words else OTHER]
            first[place] = words
        columns = np.array(list(hits.values()), np.uint32).reshape(-1, 3).T
        return tuple(column.tobytes() for column in columns)

    def _grams_of(self, lanes: bytes, text: bytes):
        """Yield the hash and the words of each gram of a page, in order."""
        rows = np.frombuffer(lanes, np.uint64).reshape(-1, 2)
        ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord('\n')) + 1
        if len(ends) != len(rows) or len(text) != (ends[-1] if len(ends) else 0):
            raise ValueError('a text of other words')
        starts = [0, *ends.tolist()]
        keys, checks = (column.tolist() for column in hash_grams(rows, self._k))
        for row, gram in enumerate(zip(keys, checks, strict=True)):
            yield gram, text[starts[row] : starts[row + self._k]]


def _numbers(column: bytes, kind: type) -> list[int]:
    return np.frombuffer(column, kind).tolist()


class Patches:
    """Finds grams of k words in pages, with the kernel if there is one."""

    def __init__(self, k: int, keys: np.ndarray, checks: np.ndarray):
        loaded = kernel.load()
        make = loaded.Patches if loaded else PurePatches
        self._patches = make(k, keys.tobytes(), checks.tobytes())

    def count(self, lanes: np.ndarray, text: bytes) -> int:
        """Count the distinct grams; return -1 if equal ones have different words."""
        return self._patches.count(lanes.tobytes(), text)

    def find(self, lanes: np.ndarray, text: bytes, keeps: bool) -> Found:
        """Return the wanted grams of a page.

        `keeps` says whether to keep the words of grams that have none yet.

        >>> lanes = np.array([[1, 5], [2, 6], [1, 5]], np.uint64)
        >>> patches = Patches(2, *hash_grams(lanes[:2], 2))
        >>> patches.find(lanes, b'a\\nb\\na\\n', keeps=True).rows.tolist()
        [0]
        >>> patches.find(lanes[:2], b'a\\nc\\n', keeps=False).states.tolist()
        [1]
        """
        columns = self._patches.find(lanes.tobytes(), text, keeps)
        return Found(*(np.frombuffer(column, np.uint32) for column in columns))


def share_patches(
    places: bytes, own: bytes, variants: bytearray, first: bytearray, position: int
) -> int:
    """Compare the patch grams of a quilt with those of a source, in Python.

    `places` and `own` are the grams and the variants of their words in the quilt.
    `variants` are those of all wanted grams in the source. `first` gets the position of
    the source where it is less. All have 32 bits. Return how many grams they share; -1
    if the words of some differ.

    >>> places, own = (np.array(row, np.int32).tobytes() for row in ([2, 0], [0, 5]))
    >>> variants = bytearray(np.array([LACKS, 0, 0], np.int32).tobytes())
    >>> share_patches(places, own, variants, first := bytearray(8 * b'\x01'), 3)
    1
    >>> np.frombuffer(first, np.int32).tolist()
    [3, 16843009]
    """
    found = np.frombuffer(variants, np.int32)[np.frombuffer(places, np.uint32)]
    has = found != LACKS
    if (found[has] != np.frombuffer(own, np.int32)[has]).any():
        return -1
    positions = np.frombuffer(first, np.int32)
    positions[has] = np.minimum(positions[has], position)
    return int(has.sum())
