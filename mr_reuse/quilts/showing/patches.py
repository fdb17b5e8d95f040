"""Patches of a quilted page: runs of words that come from one source.

A gram of the page at position p is made of the words p, …, p + k - 1. Grams are given
by numbers, NO_GRAM for one that is no patch gram. `owners` has the source of each
patch gram: the first one in the cover that has it. UNCOVERED is the owner of a gram
that no source in the cover has.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.pages.documents.showing.marked_text import Span

NO_GRAM = -1
UNCOVERED = np.iinfo(np.int32).max - 1  # after all sources
NO_PATCH = UNCOVERED + 1
MAX_TRIED = 20  # occurrences of a gram in a source, of which the longest place counts
BLOCK = 200  # grams to compare at a time


class Patch(NamedTuple):
    """A maximal run of words with one owner."""

    owner: int
    start: int  # its first word
    stop: int  # the word after its last one


def find_word_owners(grams: np.ndarray, owners: np.ndarray, k: int) -> np.ndarray:
    """Return the owner of each word: the first source that has a gram with the word.

    Here 0 has the first gram, and 1 the next two. So the second word is of 0.

    >>> grams, owners = np.array([0, 1, 1, NO_GRAM]), np.array([0, 1])
    >>> find_word_owners(grams, owners, 2).tolist()
    [0, 0, 1, 1, 2147483647]
    """
    if not len(grams):
        return np.zeros(0, np.int32)
    of_grams = np.full(len(grams), NO_PATCH, np.int32)
    is_patch = grams != NO_GRAM
    of_grams[is_patch] = owners[grams[is_patch]]
    found = np.full(len(grams) + k - 1, NO_PATCH, np.int32)
    for n in range(k):
        part = found[n : n + len(of_grams)]
        np.minimum(part, of_grams, out=part)
    return found


def find_patches(word_owners: np.ndarray) -> list[Patch]:
    """Return the patches of a page in their order.

    >>> for patch in find_patches(np.array([0, 0, 1, NO_PATCH, 1])): print(*patch)
    0 0 2
    1 2 3
    1 4 5
    """
    edges = np.flatnonzero(np.diff(word_owners)) + 1
    starts = [0, *edges.tolist()] if len(word_owners) else []
    stops = [*edges.tolist(), len(word_owners)]
    owners = word_owners[starts].tolist()
    return [
        Patch(owner, start, stop)
        for owner, start, stop in zip(owners, starts, stops, strict=False)
        if owner != NO_PATCH
    ]


class SourceGrams:
    """The patch grams of a page that a source has, with their positions there."""

    def __init__(self, grams: np.ndarray):
        """`grams` are those of the source, with the numbers of the page."""
        self._grams = grams
        at = np.flatnonzero(grams != NO_GRAM)
        self._positions = at[np.argsort(grams[at], kind='stable')]
        self._sorted = grams[self._positions]

    def find_places(
        self, page: np.ndarray, owners: np.ndarray, patch: Patch, k: int
    ) -> list[Span]:
        """Return where a patch is in its source: spans of words, in the order there.

        A patch is in several places if its words are not next to each other there. The
        longest place counts if a part of the patch is in several. `page` has the grams
        of the page.

        >>> page, owners = np.array([0, 1, -1, 2]), np.zeros(3, int)
        >>> source = SourceGrams(np.array([2, -1, 0, -1, 0, 1]))
        >>> source.find_places(page, owners, Patch(0, 0, 5), 2)
        [(0, 2), (4, 7)]
        """
        spans: list[Span] = []
        at, stop = max(0, patch.start - k + 1), min(patch.stop, len(page))
        while at < stop:
            if page[at] == NO_GRAM or owners[page[at]] != patch.owner:
                at += 1
                continue
            length, start = max(
                (
                    (self._count_equal(page[at:stop], start), -start)
                    for start in self._occurrences(page[at])
                ),
                default=(0, 0),
            )
            if length:
                spans.append((-start, length - start + k - 1))
            at += max(1, length)
        return list(join_spans(sorted(spans)))

    def _occurrences(self, gram: int) -> list[int]:
        start = np.searchsorted(self._sorted, gram)
        stop = np.searchsorted(self._sorted, gram, 'right')
        return self._positions[start : min(stop, start + MAX_TRIED)].tolist()

    def _count_equal(self, grams: np.ndarray, start: int) -> int:
        """Count the grams that follow each other from a position on."""
        count = 0
        while count < len(grams):  # in blocks, as most places are short
            here = grams[count : count + BLOCK]
            there = self._grams[start + count : start + count + len(here)]
            differs = (there != here[: len(there)]) | (there == NO_GRAM)
            if differs.any():
                return count + int(differs.argmax())
            count += len(there)
            if len(there) < len(here):
                break
        return count


def join_spans(spans: Sequence[Span]) -> Iterator[Span]:
    """Join spans that touch or overlap; they come in order.

    >>> list(join_spans([(0, 5), (3, 4), (5, 7), (8, 9)]))
    [(0, 7), (8, 9)]
    """
    last: Span | None = None
    for start, stop in spans:
        if last and start <= last[1]:
            last = (last[0], max(last[1], stop))
        else:
            if last:
                yield last
            last = (start, stop)
    if last:
        yield last
