"""The pages to cover, with their vectors: lines, and a file for tasks.

vector/0000    SEGMENTS;BASE64   their vectors, as in `vectors.py`
popular/0000   COLUMNS           their popular shingles: pages, positions
"""

from collections.abc import Iterable, Iterator
from typing import IO, NamedTuple

import numpy as np

from mr_reuse.pages.documents import document_rows, numbering, segments
from mr_reuse.pages.documents.segments import Segment
from mr_reuse.phrases import vectors
from mr_reuse.phrases.popular import POPULAR
from mr_reuse.phrases.vectors import POSITIONS, Vectors
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import partition_key, unit_of
from mr_reuse.shuffle.protocol import Line


class Covered(NamedTuple):
    """The pages to cover, in the order of their numbers."""

    vectors: Vectors
    popular: np.ndarray  # a row for each, with 1 for each popular position

    def take(self, rows: slice) -> 'Covered':
        """Return some of the pages."""
        return Covered(self.vectors.take(rows), self.popular[rows])

    def write(self, stream: IO[bytes]) -> None:
        """Write the file for tasks.

        >>> import io
        >>> zeros = np.zeros((1, POSITIONS + 2), np.uint64)
        >>> one = Vectors(np.array([7]), zeros[:, :POSITIONS], zeros[:, POSITIONS:])
        >>> file = io.BytesIO()
        >>> Covered(one, zeros[:, :POSITIONS]).write(file)
        >>> Covered.read(memoryview(file.getvalue())).vectors.numbers.tolist()
        [7]
        """
        for column in (*self.vectors, self.popular):
            stream.write(column.astype('<u8').tobytes())

    @classmethod
    def read(cls, data: memoryview) -> 'Covered':
        """Read the file."""
        widths = 1, POSITIONS, vectors.COLUMNS - POSITIONS, POSITIONS
        rows = np.frombuffer(data, '<u8')
        count = len(rows) // sum(widths)
        columns = np.split(rows, np.cumsum(widths)[:-1] * count)
        numbers, phrases, servers, popular = (
            column.reshape(count, width)
            for column, width in zip(columns, widths, strict=True)
        )
        return cls(Vectors(numbers[:, 0], phrases, servers), popular)


class CoveredPicker:
    """Picks the lines of the pages to cover, of which these are the numbers."""

    def __init__(self, wanted: np.ndarray):
        self._wanted = wanted

    def pick_vectors(self, found: Vectors) -> Iterator[Line]:
        """Yield the line of the vectors of wanted pages."""
        rows = np.flatnonzero(numbering.are_among(found.numbers, self._wanted))
        if len(rows):
            kept = found.take(rows)
            covered = [Segment(str(number), 1) for number in kept.numbers.tolist()]
            data = np.concatenate([kept.phrases, kept.servers], axis=1).tobytes()
            yield vectors.KEY, document_rows.pack_rows(data, covered)

    def pick_popular(self, value: bytes) -> Iterator[Line]:
        """Yield the line of the popular shingles of wanted pages."""
        documents, positions = ragged.unpack_columns(value)
        rows = np.flatnonzero(numbering.are_among(documents, self._wanted))
        if len(rows):
            key = partition_key(POPULAR, 0)
            yield key, ragged.pack_columns([documents[rows], positions[rows]])


def gather(lines: Iterable[Line], wanted: np.ndarray) -> Covered:
    """Put the lines of the pages to cover together."""
    count = len(wanted)
    phrases = np.zeros((count, POSITIONS), np.uint64)
    servers = np.zeros((count, vectors.COLUMNS - POSITIONS), np.uint64)
    popular = np.zeros((count, POSITIONS), np.uint64)
    for key, value in lines:
        if vectors.is_vector_line(key):
            rows, covered = document_rows.unpack_rows(value, vectors.WIDTH)
            found = vectors.split_rows(segments.numbers_of(covered), rows)
            at = np.searchsorted(wanted, found.numbers)
            phrases[at], servers[at] = found.phrases, found.servers
        elif unit_of(key) == POPULAR:
            documents, positions = ragged.unpack_columns(value)
            at = np.searchsorted(wanted, documents.astype(np.uint64))
            popular[at, positions] = 1
    return Covered(Vectors(wanted, phrases, servers), popular)
