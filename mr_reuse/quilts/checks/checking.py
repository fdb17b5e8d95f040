"""Check quilts: the words of the page and of its sources are read again and compared.

Grams are hashes of 80 bits until here, so two may be the same by chance, or because
someone wanted it. A quilt is reported only if each of its patch grams has the same
words in the page and in its sources, and if all of its numbers come out again.
"""

from collections.abc import Iterable

import numpy as np

from mr_reuse.quilts.checks.patches import MIXED, OTHER, Patches
from mr_reuse.quilts.finding import Cover
from mr_reuse.quilts.shares import Row
from mr_reuse.shuffle.packing import group_starts
from mr_reuse.text.page_words import PageWords

NOBODY = np.iinfo(np.int32).max  # a gram that no source had yet
LACKS, DIFFERS, KEPT = -2, -1, 0  # variants of words


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


class FoundGrams:
    """The grams of a set that a page has, with the variants of their words.

    A gram has the variant KEPT if its words are those of the first quilt with it, and
    another number for each other sequence of words with the same hash. It DIFFERS if
    the page has it with several.

    The words of a page that is too large for memory are known by their lanes, 128 bits.
    If there is such a page, `by_lanes` has to be set, and the same holds for all pages.
    """

    def __init__(self, wanted: GramSet, k: int, by_lanes: bool = False):
        self._patches = Patches(k, wanted.keys, wanted.checks)
        self._k, self.by_lanes = k, by_lanes
        self.variants = np.full(len(wanted.keys), LACKS, np.int32)
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
        if self.by_lanes:
            lanes = np.concatenate([self._last, lanes])
            self._last = lanes[max(0, len(lanes) - self._k + 1) :]
            text = lanes.tobytes().hex('\n', 16).encode() + b'\n' * bool(len(lanes))
        else:
            text = part.text()
        places, rows, states = self._patches.find(lanes, text, is_quilt)
        variants = np.where(states == MIXED, DIFFERS, KEPT).astype(np.int32)
        others = np.flatnonzero(states == OTHER)
        words = text.split(b'\n') if len(others) else []
        for at in others.tolist():
            row, place = int(rows[at]), int(places[at])
            gram = b'\n'.join(words[row : row + self._k])
            number = len(self._numbers) + KEPT + 1
            variants[at] = self._numbers.setdefault((place, gram), number)
        before = self.variants[places]
        variants[(before != LACKS) & (before != variants)] = DIFFERS
        self.variants[places] = variants
        self._places.append(places)
        return self._patches.count(lanes, text) if is_quilt else 0


class Quilt:
    """A quilt to check. Its page is added first, then its sources in any order.

    `places` are those of its patch grams in a set.
    """

    def __init__(self, cover: Cover, places: np.ndarray):
        self.cover, self.places = cover, places
        self.first = np.full(len(places), NOBODY, np.int32)  # source of each gram
        self._missing = set(cover.documents[1:])
        self._positions = {d: n for n, d in enumerate(cover.documents[1:])}
        self._variants = np.zeros(0, np.int32)
        self.is_refuted = True  # until the page was read

    def add_page(self, row: Row, counts: tuple[int, int], found: FoundGrams) -> None:
        """Add the page; `counts` are its words and its grams."""
        self._variants = found.variants[self.places]
        patch = len(self.places), self.cover.patch
        is_known = (*counts, *patch) == (row.words, row.grams, row.patch, row.patch)
        self.is_refuted = not (is_known and (self._variants >= KEPT).all())

    def add_source(self, number: int, found: FoundGrams) -> None:
        """Add a source, or a witness."""
        variants = found.variants[self.places]
        has = np.flatnonzero(variants != LACKS)
        is_same = np.array_equal(variants[has], self._variants[has])
        position, sources = self._positions[number], self.cover.sources
        if position < len(sources):
            is_same &= sources[position].shared == len(has)
        self.is_refuted |= not is_same
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
