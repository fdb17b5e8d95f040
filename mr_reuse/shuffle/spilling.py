"""Merge rows by key in bounded memory; spill to disk above a bound."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO

import numpy as np

from mr_reuse.shuffle.packing import (
    Merge,
    Rows,
    group_starts,
    join,
    merge,
    partition,
)
from mr_reuse.shuffle.partitions import pack_lines
from mr_reuse.shuffle.protocol import Line

BOUND = 1_000_000  # rows of a table in memory
BLOCK = 8192  # rows of a file that are read together
MAX_RUNS = 32  # files to merge at a time; a process may open some hundred


class MergeTable:
    """A table of rows by key, with merged numbers, in bounded memory.

    `spill` opens a new file. With it, rows above the bound are written to files as
    sorted runs, and merged at the end. Without it, the caller has to drain the table
    when `add` returns True.
    """

    def __init__(
        self,
        merges: Sequence[Merge],
        spill: Callable[[], IO[bytes]] | None = None,
        bound: int = BOUND,
    ):
        self._merges, self._spill, self._bound = tuple(merges), spill, bound
        self._parts: list[Rows] = []
        self._rows = 0
        self._merged = False
        self._runs: list[list[_SortedRun]] = []  # the shortest runs first

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
            self._spill_parts()
        return True

    def _compact(self) -> None:
        if self._parts and not self._merged:
            self._parts = [merge(join(self._parts), self._merges)]
        self._merged = True
        self._rows = sum(len(part.keys) for part in self._parts)

    def _spill_parts(self) -> None:
        """Move the merged rows from memory to a file."""
        parts, self._parts, self._rows = self._parts, [], 0
        self._add_run(parts)

    def _add_run(self, pieces: Iterable[Rows], level: int = 0) -> None:
        """Write sorted rows to a file. Many short files are merged to a longer one."""
        if level == len(self._runs):
            self._runs.append([])
        runs = self._runs[level]
        runs.append(_SortedRun(self._spill(), pieces))
        if len(runs) == MAX_RUNS:
            self._runs[level] = []
            self._add_run(_merge_runs(runs, self._merges), level + 1)

    def drain(self) -> Iterator[Rows]:
        """Yield all rows in the order of keys, in pieces, and empty the table."""
        self._compact()
        if self._runs and self._parts:
            self._spill_parts()
        parts, runs = self._parts, [run for level in self._runs for run in level]
        self._parts, self._rows, self._runs = [], 0, []
        yield from _merge_runs(runs, self._merges) if runs else parts


class _SortedRun:
    """Sorted rows in a file, in blocks that are read one after another."""

    def __init__(self, file: IO[bytes], pieces: Iterable[Rows]):
        self._file = file
        self._counts: list[int] = []  # of the rows of each block
        for rows in pieces:
            self._width = rows.keys.shape[1]
            self._types = [column.dtype for column in rows.columns]
            for start in range(0, len(rows.keys), BLOCK):
                block = rows.take(slice(start, start + BLOCK))
                for column in (block.keys, *block.columns):
                    file.write(column.tobytes())
                self._counts.append(len(block.keys))
        file.seek(0)
        self._next = 0  # number of the next block

    def read(self) -> Rows | None:
        """Return the next block; None at the end."""
        if self._next == len(self._counts):
            return None
        count = self._counts[self._next]
        self._next += 1
        keys = np.frombuffer(self._file.read(count * self._width), np.uint8)
        columns = tuple(
            np.frombuffer(self._file.read(count * kind.itemsize), kind)
            for kind in self._types
        )
        return Rows(keys.reshape(-1, self._width), columns)


def _merge_runs(runs: Sequence[_SortedRun], merges: Sequence[Merge]) -> Iterator[Rows]:
    """Yield the merged rows of runs in order, in pieces of some blocks.

    A piece goes up to the end of the block that ends first. All rows before that end
    are in memory then, however many have the same beginning.
    """
    current = [(run, block) for run in runs if (block := run.read())]
    while current:
        end = min(block.keys[-1].tobytes() for _, block in current)
        counts = [_count_up_to(block.keys, end) for _, block in current]
        pairs = list(zip(current, counts, strict=True))
        yield merge(join([block.take(slice(n)) for (_, block), n in pairs]), merges)
        rests = (
            (run, block.take(slice(n, None)) if n < len(block.keys) else run.read())
            for (run, block), n in pairs
        )
        current = [(run, rest) for run, rest in rests if rest]


def _count_up_to(keys: np.ndarray, end: bytes) -> int:
    """Count the sorted keys that are not after a key."""
    return bisect_right(range(len(keys)), end, key=lambda n: keys[n].tobytes())


class Groups:
    """Divides pieces of sorted rows anew, so that no group of rows is divided.

    The keys of a group have the same first `width` bytes. `shorten` drops rows that
    nobody needs from a group that is not complete yet. It bounds the memory of a group.

    >>> from mr_reuse.shuffle.packing import make_rows
    >>> groups = Groups(1, shorten=lambda rows: rows.take(slice(2)))
    >>> for keys in (b'a1a2b1', b'b2b3', b'b4c1'):
    ...     print([rows.keys.tobytes() for rows in groups.add(make_rows(keys, 2))])
    [b'a1a2']
    []
    [b'b1b2b4']
    >>> [rows.keys.tobytes() for rows in groups.finish()]
    [b'c1']
    """

    def __init__(self, width: int, shorten: Callable[[Rows], Rows]):
        self._width, self._shorten = width, shorten
        self._last: list[Rows] = []  # the rows of the last group

    def add(self, piece: Rows) -> Iterator[Rows]:
        """Add the next piece; yield the groups that are complete, if there are any."""
        if not len(piece.keys):
            return
        rows = join([*self._last, piece])
        start = int(group_starts(rows.keys[:, : self._width])[-1])
        self._last = [self._shorten(rows.take(slice(start, None)))]
        if start:
            yield rows.take(slice(start))

    def finish(self) -> Iterator[Rows]:
        """Yield the last group, if there are any rows."""
        last, self._last = self._last, []
        yield from last

    def divide(self, pieces: Iterable[Rows]) -> Iterator[Rows]:
        """Divide all pieces."""
        for piece in pieces:
            yield from self.add(piece)
        yield from self.finish()


def drain_lines(table: MergeTable, unit: str, bits: int) -> Iterator[Line]:
    """Empty a table; yield its rows as lines of the partitions of their keys."""
    for rows in table.drain():
        yield from pack_lines(unit, partition(rows, bits))
