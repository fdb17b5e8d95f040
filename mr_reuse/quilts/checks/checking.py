"""Check quilts: the words of the page and of its sources are read again and compared.

Grams are hashes of 80 bits until here, so two may be the same by chance, or because
someone wanted it. A quilt is reported only if each of its patch grams has the same
words in the page and in its sources, and if all of its numbers come out again.
"""

from collections.abc import Iterable
from itertools import repeat
from typing import NamedTuple

import numpy as np

from mr_reuse.quilts.finding import Cover
from mr_reuse.quilts.grams.hashing import hash_grams
from mr_reuse.quilts.shares import Row
from mr_reuse.shuffle.packing import group_starts
from mr_reuse.text.page_words import PageWords

NOBODY = np.iinfo(np.int32).max  # a gram that no source had yet
UNKNOWN = 0  # a word that is in no quilt


class GramSet(NamedTuple):
    """Distinct grams, sorted."""

    keys: np.ndarray
    checks: np.ndarray

    @classmethod
    def of(cls, keys: np.ndarray, checks: np.ndarray) -> 'GramSet':
        """Sort grams, and remove repetitions."""
        order = np.lexsort((checks, keys))
        keys, checks = keys[order], checks[order]
        both = np.stack([keys, checks.astype(np.uint64)], axis=1)
        starts = group_starts(both)
        return cls(keys[starts], checks[starts])

    def find(self, keys: np.ndarray, checks: np.ndarray) -> np.ndarray:
        """Return the index of each gram, -1 for a gram that is not in the set.

        >>> keys, checks = np.array([3, 7, 7], np.uint64), np.array([1, 1, 2])
        >>> found = GramSet(keys, checks).find(keys[[2, 0, 0]], np.array([2, 1, 2]))
        >>> found.tolist()
        [2, 0, -1]
        """
        indexes = np.full(len(keys), -1, np.int64)
        at = np.searchsorted(self.keys, keys)
        rows = np.flatnonzero(at < len(self.keys))
        # Two grams with one key are next to each other. They are rare.
        while len(rows):
            rows = rows[self.keys[at[rows]] == keys[rows]]
            is_it = self.checks[at[rows]] == checks[rows]
            indexes[rows[is_it]] = at[rows[is_it]]
            rows = rows[~is_it]
            at[rows] += 1
            rows = rows[at[rows] < len(self.keys)]
        return indexes


class WordNumbers:
    """Numbers for the words of quilts. Words of sources alone are UNKNOWN.

    The words of a page that is too large for memory are known by their lanes, 128 bits.
    If there is such a page, `by_lanes` has to be set, and the same holds for all pages.
    """

    def __init__(self, by_lanes: bool = False):
        self._numbers: dict[bytes, int] = {}
        self.by_lanes = by_lanes

    def add(self, page: PageWords) -> np.ndarray:
        """Return the numbers of the words of a quilt."""
        numbers = self._numbers
        words = self._identify(page)
        found = [numbers.setdefault(word, len(numbers) + 1) for word in words]
        return np.array(found, np.uint32)

    def find(self, page: PageWords) -> np.ndarray:
        """Return the numbers of the words of a source."""
        found = map(self._numbers.get, self._identify(page), repeat(UNKNOWN))
        return np.fromiter(found, np.uint32, page.count)

    def _identify(self, page: PageWords) -> list[bytes]:
        if not self.by_lanes:
            return page.words()
        data = np.ascontiguousarray(page.lanes()).tobytes()
        return [data[start : start + 16] for start in range(0, len(data), 16)]


class FoundGrams:
    """The grams of a set that a page has, with their words."""

    def __init__(self, wanted: GramSet, k: int):
        self.wanted = wanted
        self.is_sound = True  # False if equal grams have different words
        self.has = np.zeros(len(wanted.keys), bool)
        self.words = np.zeros((len(wanted.keys), k), np.uint32)
        self._k = k
        self._lanes = np.zeros((0, 2), np.uint64)
        self._numbers = np.zeros(0, np.uint32)

    def add(self, lanes: np.ndarray, numbers: np.ndarray) -> None:
        """Add a part of the page: the lanes and the numbers of its words."""
        k = self._k
        lanes = np.concatenate([self._lanes, lanes])
        numbers = np.concatenate([self._numbers, numbers])
        self._lanes, self._numbers = (
            column[max(0, len(column) - k + 1) :] for column in (lanes, numbers)
        )
        found = self.wanted.find(*hash_grams(lanes, k))
        at = np.flatnonzero(found >= 0)
        found = found[at]
        words = numbers[at[:, None] + np.arange(k)]
        is_new = ~self.has[found]
        # Of several equal grams one is kept, and all are compared with it.
        self.words[found[is_new]] = words[is_new]
        self.has[found] = True
        self.is_sound &= bool((self.words[found] == words).all())


def count_distinct(lanes: np.ndarray, numbers: np.ndarray, k: int) -> int:
    """Count the grams of a page; return -1 if equal ones have different words."""
    keys, checks = hash_grams(lanes, k)
    order = np.lexsort((checks, keys))
    both = np.stack([keys, checks.astype(np.uint64)], axis=1)[order]
    starts = group_starts(both)
    words = numbers[order[:, None] + np.arange(k)]
    sizes = np.diff(starts, append=len(keys))
    is_sound = (words == words[np.repeat(starts, sizes)]).all()
    return len(starts) if is_sound else -1


class Quilt:
    """A quilt to check. Its page is added first, then its sources in any order."""

    def __init__(self, cover: Cover, keys: np.ndarray, checks: np.ndarray):
        self.cover = cover
        self.grams = GramSet.of(keys, checks)
        self.first = np.full(len(self.grams.keys), NOBODY, np.int32)
        self._missing = set(cover.documents[1:])
        self._positions = {d: n for n, d in enumerate(cover.documents[1:])}
        self._words = np.zeros((0, 0), np.uint32)
        self.is_refuted = True  # until the page was read

    def add_page(self, row: Row, counts: tuple[int, int], found: FoundGrams) -> None:
        """Add the page; `counts` are its words and its grams."""
        patch = len(self.grams.keys), self.cover.patch
        is_known = (*counts, *patch) == (row.words, row.grams, row.patch, row.patch)
        self.is_refuted = not (is_known and found.is_sound and found.has.all())
        self._words = found.words

    def add_source(self, number: int, found: FoundGrams) -> None:
        """Add a source, or a witness; `found` may have grams of other quilts."""
        at = found.wanted.find(*self.grams)
        has = (at >= 0) & found.has[at]
        is_same = (found.words[at[has]] == self._words[has]).all()
        position, sources = self._positions[number], self.cover.sources
        if position < len(sources):
            is_same &= sources[position].shared == has.sum()
        self.is_refuted |= not (is_same and found.is_sound)
        self.first[has] = np.minimum(self.first[has], position)
        self._missing.discard(number)

    def is_confirmed(self) -> bool:
        """Test whether all documents were read, and all numbers came out again."""
        if self.is_refuted or self._missing or NOBODY in self.first:
            return False
        sources = self.cover.sources
        counts = np.bincount(self.first, minlength=len(sources))
        return counts[: len(sources)].tolist() == [source.new for source in sources]


def group_by_document(quilts: Iterable[Quilt]) -> dict[int, list[Quilt]]:
    """Return the quilts that need each document, besides their own pages."""
    needed: dict[int, list[Quilt]] = {}
    for quilt in quilts:
        for document in quilt.cover.documents[1:]:
            needed.setdefault(document, []).append(quilt)
    return needed


def unite(quilts: Iterable[Quilt]) -> GramSet:
    """Return the patch grams of several quilts."""
    keys, checks = zip(*(quilt.grams for quilt in quilts), strict=True)
    if len(keys) == 1:
        return GramSet(keys[0], checks[0])
    return GramSet.of(np.concatenate(keys), np.concatenate(checks))
