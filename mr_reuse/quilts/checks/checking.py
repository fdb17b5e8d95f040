"""Check quilts: the words of the page and of its sources are read again and compared.

Grams are hashes of 80 bits until here, so two may be the same by chance, or because
someone wanted it. A quilt is reported only if each of its patch grams has the same
words in the page and in its sources, and if all of its numbers come out again.
"""

from collections.abc import Iterable

import numpy as np

from mr_reuse import kernel
from mr_reuse.quilts.checks.patches import (
    LACKS,
    MIXED,
    OTHER,
    Found,
    Patches,
    share_patches,
)
from mr_reuse.quilts.finding import Cover
from mr_reuse.quilts.shares import Row
from mr_reuse.text.page_words import PageWords

NOBODY = np.iinfo(np.int32).max  # a gram that no source had yet
DIFFERS, KEPT = -1, 0  # variants of words, besides LACKS


class GramSet:
    """The patch grams of several quilts: distinct and sorted."""

    def __init__(self, keys: np.ndarray, checks: np.ndarray):
        """Take the grams of all quilts, one after another."""
        order = np.argsort(keys, kind='stable')
        is_first = np.append(True, np.diff(keys[order]) > 0)[: len(keys)]
        differs = np.diff(checks[order], prepend=checks[order[:1]]) != 0
        if (differs & ~is_first).any():
            order = np.lexsort((checks, keys))
            ordered = np.stack([keys, checks.astype(np.uint64)], axis=1)[order]
            is_first = (np.diff(ordered, axis=0, prepend=~ordered[:1]) != 0).any(axis=1)
        firsts = order[is_first]
        self.keys, self.checks = keys[firsts], checks[firsts]
        # Where the given grams are in the set.
        self.places = np.zeros(len(keys), np.uint32)
        self.places[order] = np.cumsum(is_first) - 1


class FoundGrams:
    """The grams of a set that a page has, with the variants of their words.

    A gram has the variant KEPT if its words are those that are kept: of the first page,
    or of the first quilt unless `keeps_all`. It has another number for each other
    sequence of words with the same hash. It DIFFERS if the page has it with several.
    `has_others` says whether a gram had another variant than KEPT.

    The words of a page that is too large for memory are known by their lanes, 128 bits.
    If there is such a page, `by_lanes` has to be set, and the same holds for all pages.
    """

    def __init__(self, wanted: GramSet, k: int, by_lanes: bool, keeps_all: bool):
        self._patches = Patches(k, wanted.keys, wanted.checks)
        self._k, self._by_lanes, self._keeps_all = k, by_lanes, keeps_all
        loaded = kernel.load()
        self._share = loaded.share_patches if loaded else share_patches
        self.has_others = False
        self._data = bytearray(np.full(len(wanted.keys), LACKS, np.int32).tobytes())
        self.variants = np.frombuffer(self._data, np.int32)
        self._numbers: dict[tuple[int, bytes], int] = {}  # of other words of a gram
        self._places: list[np.ndarray] = []
        self._last = np.zeros((0, 2), np.uint64)  # words of the part before

    def clear(self) -> None:
        """Forget the page, for the next one."""
        for places in self._places:
            self.variants[places] = LACKS
        self._places = []
        self._last = self._last[:0]

    def add(self, part: PageWords, is_quilt: bool) -> int:
        """Add a part of a page, a quilt or a source.

        Return how many distinct grams that part of a quilt has; -1 if equal ones have
        different words.
        """
        lanes = part.lanes()
        if self._by_lanes:
            lanes = np.concatenate([self._last, lanes])
            self._last = lanes[max(0, len(lanes) - self._k + 1) :]
            text = lanes.tobytes().hex('\n', 16).encode() + b'\n' * bool(len(lanes))
        else:
            text = part.text()
        found = self._patches.find(lanes, text, is_quilt or self._keeps_all)
        if self._by_lanes or found.states.any():
            variants = self._number_variants(text, found)
            before = self.variants[found.places]
            variants[(before != LACKS) & (before != variants)] = DIFFERS
            self.variants[found.places] = variants
            self.has_others |= bool((variants != KEPT).any())
        else:
            self.variants[found.places] = KEPT
        self._places.append(found.places)
        return self._patches.count(lanes, text) if is_quilt else 0

    def _number_variants(self, text: bytes, found: Found) -> np.ndarray:
        """Return the variants of grams that were found in a text."""
        variants = np.where(found.states == MIXED, DIFFERS, KEPT).astype(np.int32)
        others = np.flatnonzero(found.states == OTHER)
        words = text.split(b'\n') if len(others) else []
        for at in others.tolist():
            row, place = int(found.rows[at]), int(found.places[at])
            gram = b'\n'.join(words[row : row + self._k])
            number = len(self._numbers) + KEPT + 1
            variants[at] = self._numbers.setdefault((place, gram), number)
        return variants

    def share(self, quilt: 'Quilt', position: int) -> int:
        """Compare the page with a quilt of which it is a source, at a position.

        Return how many patch grams they share; -1 if the words of some differ.
        """
        columns = quilt.places_data, quilt.variants_data, self._data, quilt.first_data
        return self._share(*columns, position)


class Quilt:
    """A quilt to check. Its page is added first, then its sources in any order.

    The order does not matter if all grams of all pages have the variant KEPT.
    `places` are those of its patch grams in a set.
    """

    def __init__(self, cover: Cover, places: np.ndarray):
        self.cover, self.places = cover, places
        self.places_data = places.tobytes()
        self.variants_data = np.full(len(places), KEPT, np.int32).tobytes()
        self.first_data = bytearray(np.full(len(places), NOBODY, np.int32).tobytes())
        self.first = np.frombuffer(self.first_data, np.int32)  # source of each gram
        self._missing = set(cover.documents)
        self._positions = {d: n for n, d in enumerate(cover.documents[1:])}
        self.is_refuted = False

    def add_page(self, row: Row, counts: tuple[int, int], found: FoundGrams) -> None:
        """Add the page; `counts` are its words and its grams."""
        variants = found.variants[self.places]
        self.variants_data = variants.tobytes()
        patch = len(self.places), self.cover.patch
        is_known = (*counts, *patch) == (row.words, row.grams, row.patch, row.patch)
        self.is_refuted |= not (is_known and (variants >= KEPT).all())
        self._missing.discard(self.cover.number)

    def add_source(self, number: int, found: FoundGrams) -> None:
        """Add a source, or a witness."""
        position, sources = self._positions[number], self.cover.sources
        shared = found.share(self, position)
        is_same = shared >= 0
        if position < len(sources):
            is_same = shared == sources[position].shared
        self.is_refuted |= not is_same
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
