"""The documents of the grams of a partition, in bounded memory."""

from collections.abc import Callable, Iterator
from typing import IO

import numpy as np

from mr_reuse.pages.documents import segments
from mr_reuse.quilts.grams import blocks
from mr_reuse.shuffle import ragged
from mr_reuse.text.gram_block import Grams, sort_grams

BOUND = 2_000_000  # documents of grams in memory; sorting them takes some 120 MB
SLICE_BITS = 6
SLICES = 1 << SLICE_BITS  # of what is on disk, which are merged one after another

Entries = tuple[np.ndarray, np.ndarray, np.ndarray]  # key, check, document of each


class GramTable:
    """Grams and their documents. No gram has more than `limit` + 1 documents in it.

    A gram with so many documents is common. The first `bits` bits of all keys are the
    same. `spill` opens files for what exceeds `bound` entries.
    """

    def __init__(
        self, limit: int, bits: int, spill: Callable[[], IO[bytes]], bound: int = 0
    ):
        self._limit, self._bits, self._spill = limit, bits, spill
        self._bound = bound or BOUND
        self._entries: list[Entries] = []
        self._count = 0
        self._runs: list[_Run] = []

    def add(self, value: bytes) -> None:
        """Add a block of the shuffle."""
        grams, covered = blocks.unpack_block(value)
        documents = segments.numbers_of(covered)[grams.documents]
        sizes = grams.sizes.astype(np.int64)
        keys, checks = np.repeat(grams.keys, sizes), np.repeat(grams.checks, sizes)
        self._entries.append((keys, checks, documents))
        self._count += len(keys)
        if self._count >= self._bound:
            grams = self._compact()
            if self._count >= self._bound // 2:
                self._write_run(grams)

    def _compact(self) -> Grams:
        """Merge all entries in memory; cut the documents of common grams."""
        grams = merge_entries(self._entries, self._limit)
        sizes = grams.sizes.astype(np.int64)
        keys, checks = np.repeat(grams.keys, sizes), np.repeat(grams.checks, sizes)
        self._entries = [(keys, checks, grams.documents)]
        self._count = len(keys)
        return grams

    def _write_run(self, grams: Grams) -> None:
        self._runs.append(_Run(self._spill(), grams, self._bits))
        self._entries, self._count = [], 0

    def drain(self) -> Iterator[Grams]:
        """Yield all grams in order, in pieces, and empty the table."""
        if not self._runs:
            yield merge_entries(self._entries, self._limit)
        else:
            self._write_run(self._compact())
            for number in range(SLICES):
                entries = [run.slice(number) for run in self._runs]
                yield merge_entries(entries, self._limit)
        self._entries, self._count, self._runs = [], 0, []


def merge_entries(entries: list[Entries], limit: int) -> Grams:
    """Sort entries to grams, with at most `limit` + 1 documents each."""
    empty = np.zeros(0, np.uint64), np.zeros(0, np.uint16), np.zeros(0, np.uint64)
    columns = zip(empty, *entries, strict=True)
    keys, checks, documents = map(np.concatenate, columns)
    return blocks.cut_lists(sort_grams(keys, checks, documents), limit + 1)


class _Run:
    """Sorted grams in a file, slice after slice."""

    def __init__(self, file: IO[bytes], grams: Grams, bits: int):
        self._file = file
        number = (grams.keys << np.uint64(bits)) >> np.uint64(64 - SLICE_BITS)
        bounds = np.searchsorted(number, np.arange(SLICES + 1, dtype=np.uint64))
        slices = [slice(*pair) for pair in zip(bounds, bounds[1:], strict=False)]
        self._places: list[tuple[int, int]] = []
        for piece in grams.split(slices):
            sizes = piece.sizes.astype(np.int64)
            self._places.append((file.tell(), int(sizes.sum())))
            for column in (piece.keys, piece.checks):
                file.write(np.repeat(column, sizes).tobytes())
            file.write(piece.documents.astype(np.uint64).tobytes())

    def slice(self, number: int) -> Entries:
        place, count = self._places[number]
        self._file.seek(place)
        types = (np.uint64, np.uint16, np.uint64)
        columns = (
            np.frombuffer(self._file.read(count * np.dtype(t).itemsize), t)
            for t in types
        )
        keys, checks, documents = columns
        return keys, checks, documents


def select_shared(grams: Grams, limit: int) -> Grams:
    """Select the grams in at least two documents, and in at most `limit`.

    >>> keys, sizes = np.array([3, 7], np.uint64), np.array([2, 1], np.uint64)
    >>> grams = Grams(keys, keys, sizes, np.array([0, 1, 1], np.uint64))
    >>> shared = select_shared(grams, 2)
    >>> shared.keys.tolist(), shared.documents.tolist()
    ([3], [0, 1])
    """
    shared = (grams.sizes >= 2) & (grams.sizes <= limit)
    where = np.flatnonzero(shared)
    documents = grams.documents[ragged.indexes_of(grams.sizes, where)]
    return Grams(grams.keys[where], grams.checks[where], grams.sizes[where], documents)
