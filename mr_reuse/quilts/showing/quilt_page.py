"""Read quilted pages and their sources from the archives, and find the patches."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.pages.documents.showing import marked_text, opened
from mr_reuse.pages.documents.showing.marked_text import Span
from mr_reuse.pages.documents.showing.opened import OpenPage
from mr_reuse.quilts.grams.gram_sets import number_grams
from mr_reuse.quilts.quilt_options import GramRecipe
from mr_reuse.quilts.quilt_tables import QUILTS
from mr_reuse.quilts.showing import patches
from mr_reuse.quilts.showing.patch_grams import PatchGrams
from mr_reuse.quilts.showing.patches import (
    NO_PATCH,
    UNCOVERED,
    SourceGrams,
)
from mr_reuse.text.gram_hash import hash_grams
from mr_reuse.text.page_text import PageText
from mr_reuse.text.page_words import WordRule

CHANGED = (
    'the archive has changed since the run; name the folder of the right one with '
    '--archives, or run quilts again'
)


class Segment(NamedTuple):
    """A part of the text of a page, from one word to another."""

    text: str
    owner: int = NO_PATCH  # a source from 0, UNCOVERED, or NO_PATCH
    patches: tuple[int, ...] = ()  # numbers of patches of the quilt, from 0


def read_page(record: RunRecord, recipe: GramRecipe, rid: str) -> OpenPage:
    """Read a page; raise UserError if it cannot be read, or is no document."""
    rule = WordRule(recipe.scripts, recipe.words)
    return opened.open_page(record, rid, QUILTS.file, recipe.types, rule)


class QuiltPage:
    """A quilted page with its patches."""

    def __init__(self, row: Any, sources: Sequence[Any], grams: PatchGrams, k: int):
        self.row, self.sources, self._k = row, sources, k
        self._known = grams.keys, grams.checks
        is_source = grams.owners < row.sources
        self._owners = np.where(is_source, grams.owners, UNCOVERED)

    def open(self, page: OpenPage) -> 'OpenQuilt':
        """Find the patches. Raises UserError if the page has other words now."""
        grams = self.number_grams(page)
        count = len(np.unique(grams[grams >= 0]))
        if not page.is_cut and count != len(self._known[0]):
            raise UserError(f'{self.row.rid}: {CHANGED}')
        return OpenQuilt(self, page, grams)

    def find_owners(self, grams: np.ndarray) -> np.ndarray:
        """Return the owner of each word of a page with these grams."""
        return patches.find_word_owners(grams, self._owners, self._k)

    def find_places(
        self, quilt: 'OpenQuilt', number: int, grams: np.ndarray
    ) -> Iterator[tuple[Span, int]]:
        """Yield where the patches of a source are in it, and which they are."""
        source = SourceGrams(grams)
        for at, patch in enumerate(quilt.patches):
            if patch.owner == number:
                here = quilt.grams, self._owners, patch, self._k
                for span in source.find_places(*here):
                    yield span, at

    def number_grams(self, page: OpenPage) -> np.ndarray:
        """Return the patch grams of the quilt in another page."""
        return number_grams(self._known, *hash_grams(page.words.lanes(), self._k))


class OpenQuilt:
    """The words of a quilted page, and its patches."""

    def __init__(self, quilt: QuiltPage, page: OpenPage, grams: np.ndarray):
        self._quilt, self.page, self.grams = quilt, page, grams
        owners = quilt.find_owners(grams)
        self.patches = patches.find_patches(owners)

    def segments(self) -> list[Segment]:
        """Return the text of the page, divided at its patches."""
        spans = [
            ((patch.start, patch.stop), patch.owner, (number,))
            for number, patch in enumerate(self.patches)
        ]
        return list(to_segments(self.page.text, spans))

    def source_segments(self, number: int, source: OpenPage) -> list[Segment]:
        """Return the text of a source, divided at the places of patches.

        `number` is that of the source, from 0. Of the grams that it has in common with
        the page, those of an earlier source have the number of that source.
        """
        grams = self._quilt.number_grams(source)
        owners = self._quilt.find_owners(grams)
        places = list(self._quilt.find_places(self, number, grams))
        edges = {0, len(owners), *(np.flatnonzero(np.diff(owners)) + 1).tolist()}
        edges.update(edge for span, _ in places for edge in span)
        spans = [
            ((start, stop), int(owners[start]), numbers)
            for start, stop, numbers in mark_places(places, edges)
            if owners[start] != NO_PATCH
        ]
        return list(to_segments(source.text, spans))


def mark_places(
    places: Iterable[tuple[Span, int]], edges: Iterable[int]
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield the spans between edges, with the numbers of the patches that are there.

    >>> list(mark_places([((1, 4), 7), ((3, 4), 6)], [0, 1, 3, 4]))
    [(0, 1, ()), (1, 3, (7,)), (3, 4, (6, 7))]
    """
    begin: dict[int, set[int]] = {}
    end: dict[int, set[int]] = {}
    for (start, stop), number in places:
        begin.setdefault(start, set()).add(number)
        end.setdefault(stop, set()).add(number)
    here: set[int] = set()
    for start, stop in itertools.pairwise(sorted(edges)):
        here = here - end.get(start, set()) | begin.get(start, set())
        yield start, stop, tuple(sorted(here))


def to_segments(
    page: PageText, spans: Iterable[tuple[Span, int, tuple[int, ...]]]
) -> Iterator[Segment]:
    """Divide a text at spans of words, each with its owner and its patches.

    >>> page = PageText('A b', np.array([[0, 1], [2, 3]]))
    >>> for part in to_segments(page, [((1, 2), 5, (0,))]): print(part)
    Segment(text='A ', owner=2147483647, patches=())
    Segment(text='b', owner=5, patches=(0,))
    """
    marked = ((span, (owner, numbers)) for span, owner, numbers in spans)
    for text, mark in marked_text.divide_text(page, marked):
        yield Segment(text, *(mark or ()))
