"""The documents of the grams of a partition, in bounded memory."""

from collections.abc import Callable, Iterator
from typing import IO, NamedTuple

import numpy as np

from mr_reuse import kernel
from mr_reuse.pages.documents import segments
from mr_reuse.quilts.grams import blocks
from mr_reuse.quilts.grams.pure_table import PureTable
from mr_reuse.quilts.lists import Lists
from mr_reuse.text.gram_block import KINDS

BOUND = 2_000_000  # documents of grams in memory; sorting them takes some 80 MB
SLICE_BITS = 6
SLICES = 1 << SLICE_BITS  # of what is on disk, which are merged one after another
RUN_KINDS = (*KINDS[:3], np.uint64)  # of the columns of grams with numbered documents


class Listed(NamedTuple):
    """Lists of documents, and the number of all grams, also of those without one."""

    grams: int
    lists: Lists


class GramTable:
    """Grams and their documents. No gram has more than `limit` + 1 documents in it.

    A gram with so many documents is common. The first `bits` bits of all keys are the
    same. `spill` opens files for what exceeds `bound` entries.
    """

    def __init__(
        self, limit: int, bits: int, spill: Callable[[], IO[bytes]], bound: int = 0
    ):
        self._bits, self._spill = bits, spill
        self._bound = bound or BOUND
        loaded = kernel.load()
        self._table = (loaded.GramTable if loaded else PureTable)(limit, bits)
        self._runs: list[_Run] = []

    def add(self, value: bytes) -> None:
        """Add a block of the shuffle."""
        grams, covered = blocks.unpack_block(value)
        columns = (
            column.astype(kind, copy=False).tobytes()
            for column, kind in zip(grams, KINDS, strict=True)
        )
        numbers = segments.numbers_of(covered).tobytes()
        if self._table.add(*columns, numbers) >= self._bound:
            count = self._table.compact()
            if count >= self._bound // 2:
                self._write_run()

    def _write_run(self) -> None:
        self._runs.append(_Run(self._spill(), self._table.take(), self._bits))

    def drain(self) -> Iterator[Listed]:
        """Yield the lists of all grams, in pieces, and empty the table."""
        if not self._runs:
            yield self._take_lists()
            return
        self._write_run()
        for number in range(SLICES):
            for run in self._runs:
                self._table.add(*run.slice(number))
            yield self._take_lists()
        self._runs = []

    def _take_lists(self) -> Listed:
        grams, *columns = self._table.lists()
        kinds = np.uint32, np.uint32, np.uint64, np.uint64, np.uint16
        return Listed(grams, Lists(*map(np.frombuffer, columns, kinds)))


class _Run:
    """Sorted grams in a file, slice after slice."""

    def __init__(self, file: IO[bytes], columns: tuple[bytes, ...], bits: int):
        self._file = file
        keys, checks, sizes, documents = map(np.frombuffer, columns, RUN_KINDS)
        number = (keys << np.uint64(bits)) >> np.uint64(64 - SLICE_BITS)
        bounds = np.searchsorted(number, np.arange(SLICES + 1, dtype=np.uint64))
        ends = np.append(0, np.cumsum(sizes, dtype=np.int64))[bounds]
        self._places: list[tuple[int, int, int]] = []
        for n in range(SLICES):
            grams, entries = slice(*bounds[n : n + 2]), slice(*ends[n : n + 2])
            columns = keys[grams], checks[grams], sizes[grams], documents[entries]
            counts = len(columns[0]), len(columns[3])
            self._places.append((file.tell(), *counts))
            for column in columns:
                file.write(column.tobytes())

    def slice(self, number: int) -> tuple[bytes, ...]:
        """Return the columns of a slice, as `PureTable.add` takes them."""
        place, grams, entries = self._places[number]
        self._file.seek(place)
        widths = [np.dtype(kind).itemsize for kind in RUN_KINDS]
        keys, checks, sizes, documents = (
            self._file.read(count * width)
            for count, width in zip((grams, grams, grams, entries), widths, strict=True)
        )
        places = np.arange(entries, dtype=np.uint32).tobytes()
        return keys, checks, sizes, places, documents
