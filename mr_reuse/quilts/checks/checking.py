"""Check quilts: the words of the page and of its sources are read again and compared.

Grams are hashes of 80 bits until here, so two may be the same by chance, or because
someone wanted it. A quilt is reported only if each of its patch grams has the same
words in the page and in its sources, and if all of its numbers come out again.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from mr_reuse.quilts.finding import Cover
from mr_reuse.quilts.grams.hashing import hash_grams
from mr_reuse.quilts.shares import Row
from mr_reuse.shuffle.packing import group_starts
from mr_reuse.text.page_words import PageWords

NOBODY = np.iinfo(np.int32).max  # a gram that no source had yet
UNKNOWN = 0  # a word that is in no quilt
MAX_BITS = 24  # of the beginning of a key, for a table that rejects most others


class GramSet:
    """The patch grams of several quilts: distinct and sorted."""

    def __init__(self, keys: np.ndarray, checks: np.ndarray):
        """Take the grams of all quilts, one after another."""
        order = np.lexsort((checks, keys))
        both = np.stack([keys, checks.astype(np.uint64)], axis=1)[order]
        starts = group_starts(both)
        self.keys, self.checks = keys[order][starts], checks[order][starts]
        # Where the given grams are in the set.
        self.places = np.zeros(len(keys), np.int64)
        sizes = np.diff(starts, append=len(keys))
        self.places[order] = np.repeat(np.arange(len(starts)), sizes)
        bits = min(MAX_BITS, len(starts).bit_length() + 4)
        self._shift = np.uint64(64 - bits)
        self._maybe = np.zeros(1 << bits, bool)
        self._maybe[self.keys >> self._shift] = True

    def find(self, keys: np.ndarray, checks: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the rows whose gram is in the set, in any order, and its places.

        >>> keys, checks = np.array([7, 3, 7], np.uint64), np.array([2, 1, 1])
        >>> grams = GramSet(keys, checks)
        >>> grams.places.tolist()
        [2, 0, 1]
        >>> rows, places = grams.find(keys[[0, 1, 1]], np.array([2, 1, 2]))
        >>> sorted(zip(rows.tolist(), places.tolist()))
        [(0, 2), (1, 0)]
        """
        rows = np.flatnonzero(self._maybe[keys >> self._shift])
        at = np.searchsorted(self.keys, keys[rows])
        found = [(rows[:0], at[:0])]
        # Two grams with one key are next to each other. They are rare.
        while len(rows):
            inside = at < len(self.keys)
            rows, at = rows[inside], at[inside]
            same = self.keys[at] == keys[rows]
            rows, at = rows[same], at[same]
            is_it = self.checks[at] == checks[rows]
            found.append((rows[is_it], at[is_it]))
            rows, at = rows[~is_it], at[~is_it] + 1
        if len(found) < 3:
            return found[-1]
        return tuple(map(np.concatenate, zip(*found, strict=True)))


class WordNumbers:
    """Numbers for the words of quilts. Words of sources alone are UNKNOWN.

    The words of a page that is too large for memory are known by their lanes, 128 bits.
    If there is such a page, `by_lanes` has to be set, and the same holds for all pages.
    """

    def __init__(self, by_lanes: bool = False):
        self._numbers = defaultdict(itertools.count(UNKNOWN + 1).__next__)
        self.by_lanes = by_lanes

    def add(self, page: PageWords) -> np.ndarray:
        """Return the numbers of the words of a quilt."""
        found = map(self._numbers.__getitem__, self._identify(page))
        return np.fromiter(found, np.uint32, page.count)

    def find(self, page: PageWords) -> np.ndarray:
        """Return the numbers of the words of a source."""
        words = self._identify(page)
        found = map(self._numbers.get, words, itertools.repeat(UNKNOWN))
        return np.fromiter(found, np.uint32, page.count)

    def _identify(self, page: PageWords) -> list[bytes]:
        if not self.by_lanes:
            return page.words()
        data = np.ascontiguousarray(page.lanes()).tobytes()
        return [data[start : start + 16] for start in range(0, len(data), 16)]


class FoundGrams:
    """The grams of a set that a page has, with their words."""

    def __init__(self, wanted: GramSet, k: int):
        self._wanted, self._k = wanted, k
        # The row of words of each gram of the set; -1 for those that the page lacks.
        self.rows = np.full(len(wanted.keys), -1, np.int32)
        self._places = np.zeros(0, np.int64)
        self.clear()

    def clear(self) -> None:
        """Forget the page, for the next one."""
        self.rows[self._places] = -1
        self.is_sound = True  # False if equal grams have different words
        self.words = np.zeros((0, self._k), np.uint32)
        self._places = np.zeros(0, np.int64)
        # The last words of the part before.
        self._lanes = np.zeros((0, 2), np.uint64)
        self._numbers = np.zeros(0, np.uint32)

    def add(self, lanes: np.ndarray, numbers: np.ndarray) -> None:
        """Add a part of the page: the lanes and the numbers of its words."""
        k = self._k
        if len(self._lanes):
            lanes = np.concatenate([self._lanes, lanes])
            numbers = np.concatenate([self._numbers, numbers])
        self._lanes, self._numbers = (
            column[max(0, len(column) - k + 1) :] for column in (lanes, numbers)
        )
        at, places = self._wanted.find(*hash_grams(lanes, k))
        words = numbers[at[:, None] + np.arange(k)]
        is_new = self.rows[places] < 0
        start = len(self.words)
        added = words[is_new]
        # Of several equal grams one is kept, and all are compared with it.
        self.words = np.concatenate([self.words, added]) if start else added
        self.rows[places[is_new]] = np.arange(start, start + len(added))
        self._places = np.concatenate([self._places, places[is_new]])
        self.is_sound &= bool((self.words[self.rows[places]] == words).all())


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
    """A quilt to check. Its page is added first, then its sources in any order.

    `places` are those of its patch grams in a set.
    """

    def __init__(self, cover: Cover, places: np.ndarray):
        self.cover, self.places = cover, places
        self.first = np.full(len(places), NOBODY, np.int32)  # source of each gram
        self._missing = set(cover.documents[1:])
        self._positions = {d: n for n, d in enumerate(cover.documents[1:])}
        self._words = np.zeros((0, 0), np.uint32)
        self.is_refuted = True  # until the page was read

    def add_page(self, row: Row, counts: tuple[int, int], found: FoundGrams) -> None:
        """Add the page; `counts` are its words and its grams."""
        rows = found.rows[self.places]
        patch = len(self.places), self.cover.patch
        is_known = (*counts, *patch) == (row.words, row.grams, row.patch, row.patch)
        self.is_refuted = not (is_known and found.is_sound and (rows >= 0).all())
        self._words = found.words[rows] if len(found.words) else found.words

    def add_source(self, number: int, found: FoundGrams) -> None:
        """Add a source, or a witness."""
        rows = found.rows[self.places]
        has = rows >= 0
        is_same = (found.words[rows[has]] == self._words[has]).all()
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
