"""The counts of labels, from the output of jobs, in the order of labels.

Labels are numbered in the order of their digests: first chunks, then files. What is
known of them is read in this order, so the number of labels takes no memory.
"""

import functools
import itertools
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.shuffle import packing, protocol, sorting
from mr_reuse.shuffle.packing import SUM, Rows
from mr_reuse.shuffle.partitions import unit_of
from mr_reuse.shuffle.spilling import MergeTable

UNITS = ('chunk', 'file')
BLOCK = 1 << 20  # bytes of numbers of hosts to read at a time
Numbered = tuple[np.ndarray, Rows]  # labels of a unit; digest, copies, pages, length


class Counts(Protocol):
    """The counts of labels."""

    def read_numbered(self, unit: str) -> Iterator[Numbered]:
        """Yield labels and their counts in order, many at a time."""


class Place(NamedTuple):
    """The place of a line of counts."""

    unit: str
    part: str  # file
    offset: int


class LabelCounts:
    """The labels with copies, pages and length, in digest order."""

    def __init__(self, parts: Iterable[str]):
        """Index the part files of FilterStopChunks."""
        self._parts = list(parts)
        self._index = storage.open_scratch()
        for line in sort_index(self._parts):
            self._index.write(line + b'\n')

    def keys(self, unit: str) -> Iterator[np.ndarray]:
        """Yield the digests of chunks or of files, in pieces."""
        return (rows.keys for rows in self._read_rows(unit))

    def read_numbered(self, unit: str) -> Iterator[Numbered]:
        """Yield the labels of a unit and their counts, in pieces."""
        number = 0
        for rows in self._read_rows(unit):
            yield np.arange(number, number + len(rows.keys)), rows
            number += len(rows.keys)

    def _read_places(self) -> Iterator[Place]:
        at = 0
        while line := self._read_index(at):
            yield parse_place(line, self._parts)
            at += len(line)

    def _read_index(self, at: int) -> bytes:
        self._index.seek(at)  # others may have read elsewhere
        return self._index.readline()

    def _read_rows(self, unit: str) -> Iterator[Rows]:
        for of_unit, part, offset in self._read_places():
            if of_unit == unit:
                with storage.open_read(part, offset) as stream:
                    _, value = stream.readline().rstrip().split(b'\t')
                yield packing.unpack(value)

    @functools.cached_property
    def _sums(self) -> dict[str, tuple[int, int]]:
        """The numbers of labels and of their pages by unit."""
        sums = {}
        for unit in UNITS:
            labels = pages = 0
            for rows in self._read_rows(unit):
                labels += len(rows.keys)
                pages += int(rows.columns[1].sum())
            sums[unit] = labels, pages
        return sums

    @property
    def occurrences(self) -> int:
        """The number of pairs of a page and a label on it, files included."""
        return sum(pages for _, pages in self._sums.values())

    def count(self, unit: str) -> int:
        """Return the number of labels of chunks or files."""
        return self._sums[unit][0]

    def write(self, name: str, recipe: Recipe, min_len: int, stop: np.ndarray) -> None:
        """Write the label file."""
        counts = [self.count('chunk'), self.count('file'), len(stop)]
        digests = itertools.chain(self.keys('chunk'), self.keys('file'), [stop])
        with storage.write(name) as stream:
            label_files.write(stream, (recipe, min_len), counts, digests)


def sort_index(parts: Iterable[str]) -> Iterator[bytes]:
    """Yield the index of the lines of counts in part files, in digest order.

    The lines of a partition may be in several files, as several tasks may read a part
    file.
    """
    return sorting.sort_lines(
        b'%b %b %010d %d' % (key, packing.first_key(value).hex().encode(), part, offset)
        for part, name in enumerate(parts)
        for key, value, offset in _read_lines(name)
    )


def parse_place(line: bytes, parts: list[str]) -> Place:
    """Parse the place of a line of counts from a line of the index.

    >>> parse_place(b'chunk/0003 ff00 0000000001 70', ['a', 'b'])
    Place(unit='chunk', part='b', offset=70)
    """
    key, _, part, offset = line.split(b' ')
    return Place(unit_of(key), parts[int(part)], int(offset))


def first_digest(line: bytes) -> bytes:
    """Parse the first digest of a line of counts from a line of the index."""
    return bytes.fromhex(line.split(b' ')[1].decode())


def _read_lines(part: str) -> Iterator[tuple[bytes, bytes, int]]:
    """Yield key, value and offset of each line of counts."""
    offset = 0
    with storage.open_read(part) as stream:
        for line in stream:
            key, _, value = line.partition(b'\t')
            if key.rstrip() != protocol.LAST_KEY and unit_of(key) in UNITS:
                yield key, value, offset
            offset += len(line)


class LabelHosts:
    """The number of hosts of each label, from the part files of PlaceLabels."""

    def __init__(self, parts: Iterable[str]):
        sums = MergeTable([SUM], storage.open_scratch)
        for key, value in protocol.read_parts(parts):
            if unit_of(key) == 'hosts':
                sums.add(packing.unpack(value))
        self._file = storage.open_scratch()
        for rows in sums.drain():
            labels = rows.keys.copy().view('>u8').ravel()
            pairs = np.stack([labels, *rows.columns], axis=1).astype(np.int64)
            self._file.write(pairs.tobytes())

    def read_pairs(self) -> Iterator[tuple[int, int]]:
        """Yield labels and numbers of hosts, in order; not while others read them."""
        self._file.seek(0)
        while data := self._file.read(BLOCK):
            yield from np.frombuffer(data, np.int64).reshape(-1, 2).tolist()


class Ascending:
    """Finds values by ascending numbers, in pairs of ascending numbers and values.

    >>> squares = Ascending((n, n * n) for n in (1, 3, 4))
    >>> [squares.find(n) for n in (0, 1, 2, 4, 4, 5)]
    [None, 1, None, 16, 16, None]
    """

    def __init__(self, pairs: Iterable[tuple[int, Any]]):
        self._pairs = iter(pairs)
        self._number, self._value = -1, None

    def find(self, number: int) -> Any:
        """Return the value of a number, None for a number without a value."""
        while self._number < number:
            self._number, self._value = next(self._pairs, (sys.maxsize, None))
        return self._value if self._number == number else None
