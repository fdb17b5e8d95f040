"""Count the labels that occur in the pages of a run, with hosts and an example."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from mr_reuse.chunks.discover import counting
from mr_reuse.chunks.discover.examples import ExampleCollector
from mr_reuse.chunks.discover.label_counts import Numbered
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.labels.stop_chunks import StopChunks
from mr_reuse.chunks.page_lines import SplitLine
from mr_reuse.shuffle import ordered_parts, packing, spilling
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.protocol import Line


class FoundCollector(ExampleCollector):
    """A `Collector` of page lines: hosts, examples and counts of labeled chunks.

    Stop chunks are no labels. Files are not counted.
    """

    def __init__(self, labels: Labels, bits: int):
        super().__init__(labels, bits)
        self._stops = StopChunks(labels)
        self._counts = spilling.MergeTable(counting.COLUMNS)
        self._is_full = False

    def add(self, key: bytes, value: bytes) -> Iterator[Line]:
        """Add a page line."""
        yield from super().add(key, value)
        if self._is_full:
            yield from self._drain_counts()

    def finish(self) -> Iterator[Line]:
        """Yield the remaining pairs, examples and counts."""
        yield from super().finish()
        yield from self._drain_counts()

    def _find_labels(
        self, rows: Rows, owners: np.ndarray, lines: Sequence[SplitLine]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Count the labels of lines; return them, and the indexes of their lines."""
        labels = self._chunks.find(rows.keys)
        _, others = self._stops.masks(rows)
        found = (labels >= 0) & others
        columns = tuple(column[found] for column in rows.columns)
        counts = counting.count_chunks(Rows(rows.keys[found], columns), owners[found])
        self._is_full = self._counts.add(counts)
        return labels[found], owners[found].astype(np.intp)

    def _drain_counts(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._counts, 'counts', self._bits)
        self._is_full = False


class FoundCounts:
    """Copies, pages and length of the labels that occur."""

    def __init__(self, labels: Labels, parts: Iterable[str]):
        """Name the part files of PlaceLabels."""
        self._index, self._parts = DigestIndex(labels.chunks), list(parts)

    def read_numbered(self, _: str) -> Iterator[Numbered]:
        """Yield labels of chunks and their counts in order, many at a time."""
        for value in ordered_parts.read_values_in_order(self._parts, 'counts'):
            rows = packing.unpack(value)
            yield self._index.find(rows.keys), rows
