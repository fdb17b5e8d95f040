"""Count the copies of each chunk and each file, and the pages that have it."""

import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mr_reuse import kernel
from mr_reuse.chunks.page_lines import (
    FILE_HASH,
    SIZE,
    Batch,
    split_fields,
)
from mr_reuse.shuffle import packing, spilling
from mr_reuse.shuffle.packing import MAX, SUM, Rows
from mr_reuse.shuffle.partitions import pack_lines
from mr_reuse.shuffle.protocol import Line

COLUMNS = (SUM, SUM, MAX)  # copies, pages, length
BATCH_ROWS = 200_000  # rows of long pages to count together
BATCH_FILES = 50_000  # files to count together


def count_chunks(rows: Rows, owners: np.ndarray) -> Rows:
    """Sum rows of (digest; length, copies) to rows of (digest; copies, pages, length).

    `owners` has the index of the line of each row. A line is one page, even if it has
    several rows with the digest.

    >>> rows = packing.make_rows(b'aabb' b'aa', 2, [5, 6, 5], [1, 1, 1])
    >>> counts = count_chunks(rows, np.array([0, 0, 0], np.uint64))
    >>> [c.tolist() for c in counts.columns]
    [[2, 1], [1, 1], [5, 6]]
    """
    order, groups = packing.order_and_groups(rows.keys)
    if not len(order):
        return Rows(rows.keys, (*rows.columns, rows.columns[0]))
    length, copies = rows.columns
    # The pages of a digest are its distinct pairs of digest and line.
    numbers = packing.number_groups(groups, len(order))
    pairs = packing.join_halves(numbers, owners[order])
    pairs.sort()
    numbers, _ = packing.split_halves(pairs[packing.group_starts(pairs)])
    pages = np.bincount(numbers.astype(np.intp))
    first = order[groups]
    copies = np.add.reduceat(copies[order], groups)
    return Rows(rows.keys[first], (copies, pages.astype(np.uint64), length[first]))


def count_files(files: Sequence[tuple[bytes, int]], width: int) -> Rows:
    """Count files by their hashes and sizes: (digest; copies, pages, length).

    >>> [c.tolist() for c in count_files([(b'6161', 9), (b'6161', 9)], 2).columns]
    [[2], [2], [9]]
    """
    digests = bytes.fromhex(b''.join(file_hash for file_hash, _ in files).decode())
    ones = np.ones(len(files), np.uint64)
    sizes = [size for _, size in files]
    return packing.merge(packing.make_rows(digests, width, ones, ones, sizes), COLUMNS)


class ShortPageCounter:
    """Counts short pages in C: their chunks and their files. Nearly all are short."""

    def __init__(self, width: int):
        self._width = width
        new_counter = kernel.load().Counter
        self._counters = {
            unit: new_counter(width, secrets.randbits(64)) for unit in ('chunk', 'file')
        }
        self.is_full = False

    def add(self, value: bytes) -> bool:
        """Count the line of a short page; return False for any other line."""
        chunks, files = self._counters.values()
        rows = chunks.add_line(value, files)
        self.is_full = rows is not None and rows >= spilling.BOUND
        return rows is not None

    def drain(self, bits: int) -> Iterator[Line]:
        """Empty the counters; yield the lines of each partition."""
        self.is_full = False
        for unit, counter in self._counters.items():
            yield from pack_lines(unit, self._take(counter, bits))

    def _take(self, counter: Any, bits: int) -> Iterator[tuple[int, Rows]]:
        sizes, digests, *buffers = counter.take(bits)
        columns = [np.frombuffer(buffer, np.uint64) for buffer in buffers]
        rows = packing.make_rows(digests, self._width, *columns)
        end = 0
        for part, size in enumerate(np.frombuffer(sizes, np.uint32).tolist()):
            start, end = end, end + size
            if size:
                yield part, rows.take(slice(start, end))


class ChunkCounter:
    """A `Collector` of page lines and of counts: sums the counts of each digest."""

    def __init__(self, width: int, bits: int, combine: bool = True):
        self._width, self._bits = width, bits
        # Without combining, bounds of 1 send the digests of each page at once.
        self._short = ShortPageCounter(width) if kernel.load() and combine else None
        self._batch = Batch(width, BATCH_ROWS if combine else 1)
        self._files: list[tuple[bytes, int]] = []  # hash and size
        bound = spilling.BOUND if combine else 1
        self._tables = {
            unit: spilling.MergeTable(COLUMNS, bound=bound)
            for unit in ('chunk', 'file')
        }

    def add_page(self, key: bytes, value: bytes) -> Iterator[Line]:
        """Count a page line."""
        if self._short and self._short.add(value):
            if self._short.is_full:
                yield from self._flush_short()
            return
        fields = split_fields(key, value)
        if fields[FILE_HASH]:
            self._files.append((fields[FILE_HASH], int(fields[SIZE])))
        if len(self._files) >= BATCH_FILES:
            yield from self._flush_files()
        if self._batch.add(key, value):
            yield from self._flush_batch()

    def add_counts(self, unit: str, rows: Rows) -> Iterator[Line]:
        """Add the counts of an older run."""
        if self._tables[unit].add(rows):
            yield from self._drain(unit)

    def _flush_short(self) -> Iterator[Line]:
        if self._short:
            yield from self._short.drain(self._bits)

    def _flush_batch(self) -> Iterator[Line]:
        rows, owners, _ = self._batch.take()
        yield from self.add_counts('chunk', count_chunks(rows, owners))

    def _flush_files(self) -> Iterator[Line]:
        yield from self.add_counts('file', count_files(self._files, self._width))
        self._files = []

    def _drain(self, unit: str) -> Iterator[Line]:
        yield from spilling.drain_lines(self._tables[unit], unit, self._bits)

    def finish(self) -> Iterator[Line]:
        """Yield the remaining counts."""
        yield from self._flush_short()
        yield from self._flush_batch()
        yield from self._flush_files()
        for unit in self._tables:
            yield from self._drain(unit)


def count_frequencies(copies: np.ndarray) -> Counter[int]:
    """Count digests by number of copies.

    >>> sorted(count_frequencies(np.array([1, 1, 7])).items())
    [(1, 2), (7, 1)]
    """
    numbers, digests = np.unique(copies, return_counts=True)
    return Counter(dict(zip(numbers.tolist(), digests.tolist(), strict=True)))
