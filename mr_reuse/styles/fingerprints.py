"""Fingerprints of documents, in lines `print/0000` and in a file for tasks.

A row (`document_rows.py`) has m keys, and two numbers of 64 bits: digests of the host
and of the domain, or 0 without a host. In the file, the place of a row is the number of
its document. Rows of other documents are zeros, and nobody reads them.
"""

import os
import shutil
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.pages.documents.document_rows import RowReader
from mr_reuse.shuffle.partitions import partition_key
from mr_reuse.shuffle.ragged import runs_of
from mr_reuse.storage import mapped
from mr_reuse.text.noise.keys import key_type

UNIT = 'print'
KEY = partition_key(UNIT, 0)
SERVERS = 16  # bytes of the two digests


class Shape(NamedTuple):
    """The columns of a row."""

    m: int
    bits: int  # of a key

    @property
    def keys(self) -> int:
        """The bytes of the keys of a row.

        >>> Shape(128, 16).keys, Shape(128, 16).width
        (256, 272)
        """
        return self.m * key_type(self.bits).itemsize

    @property
    def width(self) -> int:
        """The bytes of a row."""
        return self.keys + SERVERS


class Fingerprints(NamedTuple):
    """The fingerprints of some documents."""

    numbers: np.ndarray  # of the documents
    keys: np.ndarray  # a row of m for each
    servers: np.ndarray  # a row of two for each: host and domain


class Common(NamedTuple):
    """Values on too many domains, which count as empty: dimensions and keys."""

    dimensions: np.ndarray
    keys: np.ndarray


def empty_of(keys: np.ndarray) -> int:
    """Return the key that says that a dimension is empty.

    >>> empty_of(np.zeros(1, np.uint16))
    65535
    """
    return int(np.iinfo(keys.dtype).max)


def split_rows(numbers: np.ndarray, rows: np.ndarray, shape: Shape) -> Fingerprints:
    """Make fingerprints of documents from their rows of bytes.

    >>> shape = Shape(3, 16)
    >>> found = split_rows(np.array([7]), np.zeros((1, shape.width), np.uint8), shape)
    >>> found.keys.shape, found.servers.shape
    ((1, 3), (1, 2))
    """
    keys = rows[:, : shape.keys].view(key_type(shape.bits))
    servers = np.ascontiguousarray(rows[:, shape.keys :]).view('<u8')
    return Fingerprints(numbers, keys, servers)


def leave_out_common(found: Fingerprints, common: Common) -> Fingerprints:
    """Empty the dimensions with a value that is on too many domains.

    >>> keys = np.array([[1, 2], [2, 1]], np.uint8)
    >>> common = Common(np.array([1]), np.array([2]))
    >>> leave_out_common(Fingerprints(keys, keys, keys), common).keys.tolist()
    [[1, 255], [2, 1]]
    """
    if not len(common.dimensions):
        return found
    keys = found.keys.copy()
    for where in runs_of(common.dimensions):
        column = keys[:, int(common.dimensions[where.start])]
        column[np.isin(column, common.keys[where])] = empty_of(keys)
    return found._replace(keys=keys)


def is_fingerprint_line(key: bytes) -> bool:
    """Test by its key whether a line is of fingerprints."""
    return key == KEY


class FingerprintReader:
    """Reads lines of fingerprints."""

    def __init__(self, rows: RowReader, shape: Shape, common: Common | None = None):
        self._rows, self._shape, self._common = rows, shape, common

    def read(self, value: bytes) -> Fingerprints:
        """Return the fingerprints of a line, with the numbers of their documents."""
        found = split_rows(*self._rows.read(value), self._shape)
        return leave_out_common(found, self._common) if self._common else found


def write_file(name: str, pieces: Iterable[Fingerprints], shape: Shape) -> int:
    """Write the file for tasks; return the number of its fingerprints."""
    count = 0
    with storage.open_scratch() as scratch:
        for found in pieces:
            keys = np.ascontiguousarray(found.keys).view(np.uint8)
            rows = np.concatenate([keys, found.servers.view(np.uint8)], axis=1)
            numbers = found.numbers.astype(np.int64)
            for where in runs_of(numbers - np.arange(len(numbers))):
                at = int(numbers[where.start]) * shape.width
                os.pwrite(scratch.fileno(), rows[where].tobytes(), at)
            count += len(numbers)
        with storage.write(name) as stream:
            shutil.copyfileobj(scratch, stream, 1 << 20)
    return count


class FingerprintFile:
    """The file for tasks, mapped into memory."""

    def __init__(self, name: str | None, shape: Shape):
        rows = mapped.map_rows(name, shape.width) if name else b''
        if not len(rows):
            rows = np.zeros((0, shape.width), np.uint8)
        self.keys = rows[:, : shape.keys].view(key_type(shape.bits))
        self._servers = rows[:, shape.keys :]

    def servers(self, numbers: np.ndarray) -> np.ndarray:
        """Return a row of two for each document: host and domain."""
        return self._servers[numbers].view('<u8')
