"""Read quilted pages and their sources from the archives, and find the patches."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from mr_reuse.archives import sniff
from mr_reuse.archives.framing import Lost
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.pages import run_items
from mr_reuse.pages.documents import document
from mr_reuse.quilts.grams.gram_sets import number_grams
from mr_reuse.quilts.grams.reading import KINDS
from mr_reuse.quilts.quilt_options import GramRecipe
from mr_reuse.quilts.quilt_tables import QUILTS
from mr_reuse.quilts.showing import patches
from mr_reuse.quilts.showing.patches import (
    NO_PATCH,
    UNCOVERED,
    SourceGrams,
    Span,
)
from mr_reuse.quilts.showing.results import PatchGrams
from mr_reuse.text import page_text, page_words
from mr_reuse.text.gram_hash import hash_grams
from mr_reuse.text.page_text import PageText
from mr_reuse.text.page_words import WordRule

SHOWN = 4 << 20  # bytes of a page; one takes some 40 bytes of memory
SPACE = re.compile(r'[ \t\r\f\v\xa0]+')
LINES = re.compile(r' ?\n[ \n]*')
CHANGED = (
    'the archive has changed since the run; name the folder of the right one with '
    '--archives, or run quilts again'
)


class Segment(NamedTuple):
    """A part of the text of a page, from one word to another."""

    text: str
    owner: int = NO_PATCH  # a source from 0, UNCOVERED, or NO_PATCH
    patches: tuple[int, ...] = ()  # numbers of patches of the quilt, from 0


class ReadPage(NamedTuple):
    """A page as it was read."""

    date: str
    text: PageText
    lanes: np.ndarray  # of the words
    is_cut: bool  # only its beginning was read


def read_page(record: RunRecord, recipe: GramRecipe, rid: str) -> ReadPage:
    """Read a page; only the beginning of a large one.

    Raises UserError if it cannot be read, or is no document.
    """
    try:
        item = run_items.find_item(record, rid, QUILTS.file)
    except Lost:
        raise UserError(f'{rid}: damaged') from None
    blocks = _readable(item.blocks)
    first = next(blocks, b'')
    media = sniff.media_type(first)
    way = document.way_to_read(item.head.type, media, recipe.types)
    if not way:
        why = f'{media or "no text"} is no document; --as chunks prints the bytes'
        raise UserError(f'{rid}: {why}')
    head, charset, is_cut = page_words.read_beginning(
        itertools.chain([first], blocks), item.charset, KINDS[way], SHOWN
    )
    rule = WordRule(recipe.scripts, recipe.words)
    reading = head, charset, KINDS[way], rule
    lanes = page_words.read_words(*reading).lanes()
    return ReadPage(item.date, page_text.read_text(*reading), lanes, is_cut)


def _readable(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the blocks of a body; of a damaged one, those that can be read."""
    with suppress(Lost):
        yield from blocks


class QuiltPage:
    """A quilted page with its patches."""

    def __init__(self, row: Any, sources: Sequence[Any], grams: PatchGrams, k: int):
        self.row, self.sources, self._k = row, sources, k
        self._known = grams.keys, grams.checks
        is_source = grams.owners < row.sources
        self._owners = np.where(is_source, grams.owners, UNCOVERED)

    def open(self, page: ReadPage) -> 'OpenQuilt':
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

    def number_grams(self, page: ReadPage) -> np.ndarray:
        """Return the patch grams of the quilt in another page."""
        return number_grams(self._known, *hash_grams(page.lanes, self._k))


class OpenQuilt:
    """The words of a quilted page, and its patches."""

    def __init__(self, quilt: QuiltPage, page: ReadPage, grams: np.ndarray):
        self._quilt, self.page, self.grams = quilt, page, grams
        owners = quilt.find_owners(grams)
        self.patches = patches.find_patches(owners)

    def segments(self) -> list[Segment]:
        """Return the text of the page, divided at its patches."""
        spans = [
            ((patch.start, patch.stop), patch.owner, (number,))
            for number, patch in enumerate(self.patches)
        ]
        return list(divide_text(self.page.text, spans))

    def source_segments(self, number: int, source: ReadPage) -> list[Segment]:
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
        return list(divide_text(source.text, spans))


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


def divide_text(
    page: PageText, spans: Iterable[tuple[Span, int, tuple[int, ...]]]
) -> Iterator[Segment]:
    """Divide a text at spans of words, which come in order and do not overlap.

    >>> page = PageText('\\n A b  c', np.array([[2, 3], [4, 5], [7, 8]]))
    >>> for part in divide_text(page, [((1, 2), 5, (0,))]): print(part)
    Segment(text='A ', owner=2147483647, patches=())
    Segment(text='b', owner=5, patches=(0,))
    Segment(text=' c', owner=2147483647, patches=())
    """
    at, end = len(page.text) - len(page.text.lstrip()), len(page.text.rstrip())
    for (first, last), owner, numbers in spans:
        start, stop = int(page.words[first, 0]), int(page.words[last - 1, 1])
        if start > at:
            yield Segment(join_spaces(page.text[at:start]))
        yield Segment(join_spaces(page.text[start:stop]), owner, numbers)
        at = stop
    if at < end:
        yield Segment(join_spaces(page.text[at:end]))


def join_spaces(text: str) -> str:
    """Join spaces and empty lines.

    >>> join_spaces('a \\t b \\n \\n c')
    'a b\\nc'
    """
    return LINES.sub('\n', SPACE.sub(' ', text))
