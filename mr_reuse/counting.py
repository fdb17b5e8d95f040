"""How often each chunk and each file occurs, and on how many pages."""

import secrets
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pybase64 as base64

from mr_reuse import compiled, packing
from mr_reuse.packing import BOUND, MAX, SUM, Rows
from mr_reuse.records import Batch, count_key, short_head

COLUMNS = (SUM, SUM, MAX)  # copies, pages, length
TARGET = 250_000  # rows that a part of the digests should hold
MAX_BITS = 16
FILES = 50_000  # that are counted together


def bits_for(rows: int) -> int:
    """Into how many parts, as bits, the digests of so many rows go.

    >>> bits_for(0), bits_for(1_000_000), bits_for(10**12)
    (2, 2, 16)
    """
    return min(MAX_BITS, max(2, (rows // TARGET).bit_length() - 1))


def count_chunks(rows: Rows, owners: np.ndarray) -> Rows:
    """From rows of (digest; length, copies) to (digest; copies, pages, length).

    `owners` says which line a row is of: a page counts once, however often it has
    the chunk.

    >>> rows = packing.rows_of(b'aabb' b'aa', 2, [5, 6, 5], [1, 1, 1])
    >>> found = count_chunks(rows, np.array([0, 0, 0], np.uint64))
    >>> [c.tolist() for c in found.columns]
    [[2, 1], [1, 1], [5, 6]]
    """
    order, groups = packing.order_and_groups(rows.keys)
    if not len(order):
        return Rows(rows.keys, (*rows.columns, rows.columns[0]))
    length, copies = rows.columns
    number = np.zeros(len(order), np.uint64)
    number[groups[1:]] = 1
    pairs = np.cumsum(number, dtype=np.uint64) << np.uint64(32) | owners[order]
    pairs.sort()
    distinct = np.ones(len(pairs), bool)
    distinct[1:] = pairs[1:] != pairs[:-1]
    pages = np.bincount((pairs[distinct] >> np.uint64(32)).astype(np.intp))
    first = order[groups]
    copies = np.add.reduceat(copies[order], groups)
    return Rows(rows.keys[first], (copies, pages.astype(np.uint64), length[first]))


def count_files(hashed: Sequence[tuple[bytes, int]], width: int) -> Rows:
    """Whole files, by their hashes and sizes: (digest; copies, pages, length).

    >>> [c.tolist() for c in count_files([(b'6161', 9), (b'6161', 9)], 2).columns]
    [[2], [2], [9]]
    """
    digests = bytes.fromhex(b''.join(digest for digest, _ in hashed).decode())
    ones = np.ones(len(hashed), np.uint64)
    sizes = [size for _, size in hashed]
    return packing.merge(packing.rows_of(digests, width, ones, ones, sizes), COLUMNS)


class PureChunks:
    """Counts the chunks of page lines, many lines at a time."""

    def __init__(self, width: int, rows: int):
        self._batch = Batch(width, rows)

    def add(self, key: bytes, value: bytes) -> bool:
        """Take a line in; whether there is enough to be taken out."""
        return self._batch.add(key, value)

    def take(self) -> Rows:
        """The counts of all lines since the last time."""
        rows, owners, _ = self._batch.take()
        return count_chunks(rows, owners)


class KernelChunks(PureChunks):
    """The same in C, but for the lines of long pages: they are few."""

    def __init__(self, width: int, rows: int):
        super().__init__(width, rows)
        self._width, self._head = width, short_head(width)
        self._counter = compiled.kernel().Counter(width, secrets.randbits(64))

    def add(self, key: bytes, value: bytes) -> bool:
        packed = value.rfind(b'\t') + 1
        if not value.startswith(self._head, packed):
            return super().add(key, value)
        payload = base64.b64decode(memoryview(value)[packed + len(self._head) :])
        return self._counter.add(payload) >= BOUND

    def take(self) -> Rows:
        digests, *numbers = self._counter.take()
        columns = [np.frombuffer(column, np.uint64) for column in numbers]
        short = packing.rows_of(digests, self._width, *columns)
        return packing.join([short, super().take()])


class Counting:
    """Counts page lines, and hands packed counts on by part."""

    def __init__(self, width: int, bits: int, combine: bool = True):
        self._width, self._bits = width, bits
        kind = KernelChunks if compiled.kernel() and combine else PureChunks
        self._chunks = kind(width, 200_000 if combine else 1)
        self._files: list[tuple[bytes, int]] = []
        self._tables = {
            unit: packing.Table(COLUMNS, bound=packing.BOUND if combine else 1)
            for unit in ('chunk', 'file')
        }

    def add_page(self, key: bytes, value: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Count a page line; gives what has to make room."""
        fields = value.split(b'\t', 6)
        if fields[5]:
            self._files.append((fields[5], int(fields[4])))
        if len(self._files) >= FILES:
            yield from self._flush_files()
        if self._chunks.add(key, value):
            yield from self._flush_chunks()

    def add_counts(self, unit: str, rows: Rows) -> Iterator[tuple[bytes, bytes]]:
        """Add counts that were made before."""
        if self._tables[unit].add(rows):
            yield from self._drain(unit)

    def _flush_chunks(self) -> Iterator[tuple[bytes, bytes]]:
        yield from self.add_counts('chunk', self._chunks.take())

    def _flush_files(self) -> Iterator[tuple[bytes, bytes]]:
        yield from self.add_counts('file', count_files(self._files, self._width))
        self._files = []

    def _drain(self, unit: str) -> Iterator[tuple[bytes, bytes]]:
        for part, line in packing.by_part(self._tables[unit], self._bits):
            yield count_key(unit, part), line

    def finish(self) -> Iterator[tuple[bytes, bytes]]:
        """All that is left."""
        yield from self._flush_chunks()
        yield from self._flush_files()
        for unit in self._tables:
            yield from self._drain(unit)


def frequency(copies: np.ndarray) -> Counter[int]:
    """How many digests occur how often.

    >>> sorted(frequency(np.array([1, 1, 7])).items())
    [(1, 2), (7, 1)]
    """
    values, objects = np.unique(copies, return_counts=True)
    return Counter(dict(zip(values.tolist(), objects.tolist(), strict=True)))
