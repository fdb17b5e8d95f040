"""Merge rows by key in bounded memory; spill to disk above a bound."""

from collections.abc import Callable, Iterator, Sequence
from typing import IO

import numpy as np

from mr_reuse.shuffle.packing import Merge, Rows, join, merge, partition, prefixes
from mr_reuse.shuffle.partitions import pack_lines
from mr_reuse.shuffle.protocol import Line

BOUND = 1_000_000  # rows of a table in memory
SLICES = 64  # of a spilled table, which are merged one after another


class MergeTable:
    """A table of rows by key, with merged numbers, in bounded memory.

    `spill` opens a new file. With it, rows above the bound are written to files as
    sorted runs, and merged at the end. Without it, the caller has to drain the table
    when `add` returns True. The first `shared` bits of all keys are the same.
    """

    def __init__(
        self,
        merges: Sequence[Merge],
        spill: Callable[[], IO[bytes]] | None = None,
        shared: int = 0,
        bound: int = BOUND,
    ):
        self._merges, self._spill, self._bound = tuple(merges), spill, bound
        self._shared = shared
        self._parts: list[Rows] = []
        self._rows = 0
        self._merged = False
        self._runs: list[_SortedRun] = []

    def __len__(self) -> int:
        return self._rows

    def add(self, rows: Rows) -> bool:
        """Add rows; return True if the table has reached its bound."""
        self._parts.append(rows)
        self._rows += len(rows.keys)
        self._merged = False
        if self._rows < self._bound:
            return False
        # If merging has freed half of the memory, more rows fit.
        self._compact()
        if self._rows < self._bound // 2:
            return False
        if self._spill:
            self._runs.append(self._write_run())
            self._rows = 0
        return True

    def _compact(self) -> None:
        if self._parts and not self._merged:
            self._parts = [merge(join(self._parts), self._merges)]
        self._merged = True
        self._rows = sum(len(part.keys) for part in self._parts)

    def _write_run(self) -> '_SortedRun':
        """Move the merged rows from memory to a file."""
        rows = self._parts.pop()
        slices = _slices(prefixes(rows.keys), self._shared)
        return _SortedRun(self._spill(), rows, slices)

    def drain(self) -> Iterator[Rows]:
        """Yield all rows in the order of keys, in pieces, and empty the table."""
        self._compact()
        if self._runs and self._parts:
            self._runs.append(self._write_run())
        if self._runs:
            for number in range(SLICES):
                slices = [run.slice(number) for run in self._runs]
                yield merge(join(slices), self._merges)
        else:
            yield from self._parts
        self._parts, self._rows, self._runs = [], 0, []


def _slices(first: np.ndarray, shared: int) -> np.ndarray:
    """Return the indexes at which slices begin: at the same keys in all runs."""
    bits = SLICES.bit_length() - 1
    number = (first << np.uint64(shared)) >> np.uint64(64 - bits)
    return np.searchsorted(number, np.arange(SLICES + 1, dtype=np.uint64))


class _SortedRun:
    """Sorted rows in a file, slice after slice."""

    def __init__(self, file: IO[bytes], rows: Rows, slices: np.ndarray):
        self._file, self._width = file, rows.keys.shape[1]
        self._types = [column.dtype for column in rows.columns]
        self._slices, self._offsets = slices, []
        for a, b in zip(slices, slices[1:], strict=False):
            self._offsets.append(file.tell())
            for column in (rows.keys, *rows.columns):
                file.write(column[a:b].tobytes())

    def slice(self, number: int) -> Rows:
        count = int(self._slices[number + 1] - self._slices[number])
        self._file.seek(self._offsets[number])
        keys = np.frombuffer(self._file.read(count * self._width), np.uint8)
        columns = tuple(
            np.frombuffer(self._file.read(count * kind.itemsize), kind)
            for kind in self._types
        )
        return Rows(keys.reshape(-1, self._width), columns)


def drain_lines(table: MergeTable, unit: str, bits: int) -> Iterator[Line]:
    """Empty a table; yield its rows as lines of the partitions of their keys."""
    for rows in table.drain():
        yield from pack_lines(unit, partition(rows, bits))
