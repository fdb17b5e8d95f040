"""Numbers of documents, in the order of their rids.

An archive is read by one task, from its beginning to its end. Its documents are one or
more batches. A document is known by its batch and its ordinal in it, until the driver
has the batches of all tasks and gives each a base. The number of a document is the base
of its batch and its ordinal. The driver sorts the batches on disk, and writes a file
for tasks: name and base of each batch, by their names.
"""

import hashlib
import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import IO, Any, NamedTuple

import numpy as np

from mr_reuse.archives import rids
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import sorting

KEY = 'batches'  # of the statistics of a task
NAME_BYTES = 8
BASE = struct.Struct('=QQ')  # name and base of a batch, in the file for tasks


class Batch(NamedTuple):
    """Consecutive documents of an archive."""

    first: str  # rid
    last: str
    count: int


def name_batch(first: str) -> str:
    """Name a batch by the rid of its first document, in hexadecimal digits.

    >>> name_batch('a.warc.gz:0')
    '08df7401362e79b3'
    """
    digest = hashlib.blake2b(to_bytes(first), digest_size=NAME_BYTES)
    return digest.hexdigest()


class BatchWriter:
    """Puts the documents of a task into batches."""

    def __init__(self) -> None:
        self._batches: list[Batch] = []  # without the last one
        self._name = self._archive = self._first = self._last = ''
        self._offsets = 0, 0
        self._count = 0

    def add(self, rid: str) -> tuple[str, int]:
        """Add a document; return the name of its batch, and its ordinal in it.

        >>> writer = BatchWriter()
        >>> [writer.add(rid)[1] for rid in ('a:0', 'a:9', 'a:10', 'b:0', 'b:0+7')]
        [0, 1, 2, 0, 1]
        """
        archive, offset = rids.split_rid(rid)
        offsets = rids.offsets_of(offset)
        if archive != self._archive or offsets <= self._offsets or not self._count:
            self._batches += self._last_batch()
            self._first, self._name, self._count = rid, name_batch(rid), 0
            self._archive = archive
        self._last, self._offsets = rid, offsets
        self._count += 1
        return self._name, self._count - 1

    def _last_batch(self) -> list[Batch]:
        return [Batch(self._first, self._last, self._count)] if self._count else []

    def as_stats(self) -> dict[str, Any]:
        """Return the batches, for the statistics of the task."""
        batches = [*self._batches, *self._last_batch()]
        return {KEY: [list(batch) for batch in batches]}


class Numbering(NamedTuple):
    """The numbers of all documents of a run."""

    file: str  # for tasks
    total: int


def number_batches(stats: Iterable[dict[str, Any]], stream: IO[bytes]) -> int:
    """Number the batches of all tasks, in the order of rids, and write their bases.

    Return the number of all documents.

    >>> from io import BytesIO
    >>> stream = BytesIO()
    >>> one, two = [['b:0', 'b:9', 2]], [['a:9', 'a:9', 1], ['a:10', '', 3]]
    >>> number_batches([{KEY: one}, {KEY: two}], stream)
    6
    >>> numbers = Numbers(stream.getvalue())
    >>> [numbers.base(name_batch(rid)) for rid in ('a:9', 'a:10', 'b:0')]
    [0, 1, 4]
    """
    total = 0

    def number() -> Iterator[bytes]:
        nonlocal total
        for row in sorting.sort_rows(_rows_of(stats)):
            name, count = row.split()
            yield b'%b %d' % (name, total)
            total += int(count)

    for line in sorting.sort_lines(number()):
        name, base = line.split()
        stream.write(BASE.pack(int(name, 16), int(base)))
    return total


def _rows_of(stats: Iterable[dict[str, Any]]) -> Iterator[sorting.Keyed]:
    """Yield name and count of each batch, with a key for the order of rids."""
    for task in stats:
        for batch in task.get(KEY, ()):
            first, _, count = Batch(*batch)
            row = f'{name_batch(first)} {count}'
            yield rids.sort_key(to_bytes(first)), to_bytes(row)


def drop_batches(tasks: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the statistics of tasks without their batches, which may be many.

    >>> list(drop_batches([{KEY: [], 'grams': {}}]))
    [{'grams': {}}]
    """
    return ({key: task[key] for key in task if key != KEY} for task in tasks)


class Numbers:
    """The bases of batches, from the file for tasks.

    >>> numbers = Numbers(BASE.pack(8, 40) + BASE.pack(9, 0))
    >>> numbers.base('8'), numbers.base('9'), numbers.place(41)
    (40, 0, ('0000000000000008', 1))
    """

    def __init__(self, data: bytes | memoryview):
        words = memoryview(data).cast('B').cast('Q')
        self._names, self._bases = words[0::2], words[1::2]
        self._known: dict[str, int] = {}

    def base(self, batch: str) -> int:
        """Return the base of a batch."""
        if batch not in self._known:
            if len(self._known) > 1000:
                self._known = {}
            name = int(batch, 16)
            index = bisect_left(self._names, name)
            if index == len(self._names) or self._names[index] != name:
                raise ValueError(f'no batch of documents has the name {batch}')
            self._known[batch] = self._bases[index]
        return self._known[batch]

    def place(self, number: int) -> tuple[str, int]:
        """Return batch and ordinal of a document. It looks at the bases of all."""
        bases = np.asarray(self._bases).astype(np.int64)
        at = int(np.where(bases <= number, bases, -1).argmax())
        return f'{self._names[at]:016x}', number - self._bases[at]


def width_of(total: int) -> int:
    """Return the number of bits of the numbers of so many documents.

    >>> width_of(0), width_of(256)
    (1, 8)
    """
    return max(1, (total - 1).bit_length())


def to_digest(number: int, bits: int) -> bytes:
    """Make a digest of a number: in the order of the numbers, from its first bit on.

    >>> to_digest(3, 2).hex()
    'c0000000000000000000000000000000'
    """
    return (number << (128 - bits)).to_bytes(16, 'big')


def name_to_digest(name: bytes, bits: int) -> bytes:
    """Make the digest of a number in decimal digits."""
    return to_digest(int(name), bits)


def from_digests(pieces: Iterable[np.ndarray], bits: int) -> Iterator[np.ndarray]:
    """Yield the numbers of which digests were made, in pieces."""
    for keys in pieces:
        upper = np.ascontiguousarray(keys[:, :8]).view('>u8').ravel().astype(np.uint64)
        yield upper >> np.uint64(64 - bits)


def write_numbers(stream: IO[bytes], pieces: Iterable[np.ndarray]) -> None:
    """Write ascending numbers to a file for tasks."""
    for numbers in pieces:
        stream.write(numbers.astype(np.uint64).tobytes())


def are_among(numbers: np.ndarray, ascending: np.ndarray) -> np.ndarray:
    """Return a mask of the numbers that are among others, which ascend.

    >>> are_among(np.array([5, 1, 9]), np.array([1, 5])).tolist()
    [True, True, False]
    """
    if not len(ascending):
        return np.zeros(len(numbers), bool)
    at = np.searchsorted(ascending, numbers)
    at[at == len(ascending)] = 0
    return ascending[at] == numbers


def is_among(number: int, ascending: np.ndarray) -> bool:
    """Test whether a number is among others, which ascend.

    >>> is_among(5, np.array([1, 5])), is_among(9, np.array([1, 5]))
    (True, False)
    """
    # For a number of another type, numpy would copy all of the others.
    at = int(ascending.searchsorted(ascending.dtype.type(number)))
    return at < len(ascending) and int(ascending[at]) == number
