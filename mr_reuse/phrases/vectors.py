"""Vectors: the 84 sampled phrases of each document, in lines `vector/0000`.

A row (`document_rows.py`) has 84 phrases, and the server of the document, as numbers.

The shingle of a document at a position is the least value that the function of the
position has on its phrases. These functions are bijections. A vector therefore has, in
place of the least value, the phrase with it: two documents have the same shingle at a
position if they have the same phrase there.
"""

from typing import NamedTuple

import numpy as np

from mr_reuse.pages.documents.document_rows import RowReader
from mr_reuse.pages.documents.servers import Server
from mr_reuse.shuffle.partitions import partition_key

POSITIONS = 84
COLUMNS = POSITIONS + len(Server._fields)
WIDTH = 8 * COLUMNS  # bytes of a row
UNIT = 'vector'
KEY = partition_key(UNIT, 0)


class Vectors(NamedTuple):
    """The vectors of some documents."""

    numbers: np.ndarray  # of the documents
    phrases: np.ndarray  # a row of 84 numbers for each
    servers: np.ndarray  # a row of two for each, the fields of `Server`

    def take(self, rows: np.ndarray | slice) -> 'Vectors':
        """Return the vectors of some rows."""
        return Vectors(*(column[rows] for column in self))


def split_rows(numbers: np.ndarray, rows: np.ndarray) -> Vectors:
    """Make vectors of documents from their rows of bytes.

    >>> vectors = split_rows(np.array([7, 8]), np.zeros((2, WIDTH), np.uint8))
    >>> vectors.phrases.shape, vectors.servers.shape
    ((2, 84), (2, 2))
    """
    words = rows.view('<u8')
    return Vectors(numbers, words[:, :POSITIONS], words[:, POSITIONS:])


def is_vector_line(key: bytes) -> bool:
    """Test by its key whether a line is of vectors."""
    return key == KEY


class VectorReader:
    """Reads lines of vectors."""

    def __init__(self, rows: RowReader):
        self._rows = rows

    def read(self, value: bytes) -> Vectors:
        """Return the vectors of a line, with the numbers of their documents."""
        return split_rows(*self._rows.read(value))
