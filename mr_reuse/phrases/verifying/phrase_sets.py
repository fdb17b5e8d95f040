"""The distinct phrases of pages, in files, and the resemblance of two pages."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from mr_reuse import storage
from mr_reuse.pages.documents import numbering
from mr_reuse.pages.documents.reading import ItemWords
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.spilling import MergeTable
from mr_reuse.storage import mapped
from mr_reuse.text import shingles

WIDTH = 8  # bytes of a phrase
BLOCK = 1_000_000  # phrases to read at a time


def read_phrases(words: ItemWords) -> np.ndarray:
    """Return the distinct phrases of a page, ascending; of a large page in a file."""
    parts = (part.fingerprints() for part in words.parts())
    if words.is_large:
        return sort_phrases(shingles.iter_phrases(parts))
    return shingles.distinct_phrases(parts)


def sort_phrases(pieces: Iterable[np.ndarray]) -> np.ndarray:
    """Sort phrases on disk; return the distinct ones, mapped into memory.

    >>> sort_phrases([np.array([7, 3]), np.array([258, 7])]).tolist()
    [3, 7, 258]
    """
    table = MergeTable([], storage.open_scratch)
    for phrases in pieces:
        keys = phrases.astype('>u8').view(np.uint8).reshape(-1, WIDTH)
        table.add(Rows(keys, ()))
    return mapped.map_pieces(_in_native_order(table), WIDTH).view(np.uint64).ravel()


def _in_native_order(table: MergeTable) -> Iterator[np.ndarray]:
    for rows in table.drain():
        phrases = np.ascontiguousarray(rows.keys).view('>u8').astype(np.uint64)
        yield phrases.view(np.uint8).reshape(-1, WIDTH)


class PhraseSets:
    """The phrases of pages, by the numbers of these.

    >>> sets = PhraseSets()
    >>> sets.add(7, np.array([1, 2, 5], np.uint64))
    >>> sets.compare(7, np.array([2, 3, 5, 9], np.uint64))
    Fraction(2, 5)
    """

    def __init__(self) -> None:
        self._file = storage.open_scratch()
        self._end = 0
        self._places: dict[int, tuple[int, int]] = {}  # where phrases begin; how many

    def __contains__(self, number: int) -> bool:
        return number in self._places

    def add(self, number: int, phrases: np.ndarray) -> None:
        """Add the distinct phrases of a page, ascending."""
        self._file.seek(self._end)
        self._file.write(phrases.data)
        self._places[number] = self._end, len(phrases)
        self._end += phrases.nbytes

    def compare(self, number: int, phrases: np.ndarray) -> Fraction:
        """Return the resemblance of a page to one of which these are the phrases."""
        start, count = self._places[number]
        common = sum(
            int(numbering.are_among(block, phrases).sum())
            for block in self._read(start, count)
        )
        return Fraction(common, count + len(phrases) - common)

    def _read(self, start: int, count: int) -> Iterator[np.ndarray]:
        self._file.seek(start)
        for done in range(0, count, BLOCK):
            size = WIDTH * min(BLOCK, count - done)
            yield np.frombuffer(self._file.read(size), np.uint64)
