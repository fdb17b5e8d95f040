"""Write label files and the tables of labels from the output of jobs."""

import functools
import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.chunk_steps import PLACES
from mr_reuse.chunks.chunk_tables import FREQUENCY
from mr_reuse.chunks.discover import counting, examples
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.chunks.tables.label_rows import key_by_copies
from mr_reuse.engine import step_output
from mr_reuse.engine.record import RunRecord
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import packing, protocol, sorting
from mr_reuse.shuffle.partitions import part_of, unit_of
from mr_reuse.tables import table_files

UNITS = ('chunk', 'file')


def sum_frequencies(stats: Iterable[Mapping[str, Any]]) -> dict[str, Counter[int]]:
    """Sum the frequencies of chunks and files in the last lines of tasks.

    >>> sum_frequencies([{'frequency': {'chunk': {'1': 5}}}, {}])['chunk']
    Counter({1: 5})
    """
    sums: dict[str, Counter[int]] = {'chunk': Counter(), 'file': Counter()}
    for task in stats:
        for unit, digests in task.get('frequency', {}).items():
            sums[unit].update({int(copies): n for copies, n in digests.items()})
    return sums


def write_frequency(name: str, frequencies: Mapping[str, Mapping[int, int]]) -> None:
    """Write `frequency.tsv`: numbers of chunks and files by number of copies."""
    rows = (
        f'{unit}\t{copies}\t{digests}'.encode()
        for unit in sorted(frequencies)
        for copies, digests in sorted(frequencies[unit].items())
    )
    table_files.write_table(name, FREQUENCY.header, rows)


class LabelCounts:
    """The labels with copies, pages and length, in digest order."""

    def __init__(self, parts: Iterable[str]):
        """Index the part files of FilterStopChunks."""
        self._lines = sorted(index_lines(parts))

    @functools.cached_property
    def columns(self) -> dict[str, list[np.ndarray]]:
        """Copies, pages and length of chunks and of files. The digests stay on disk."""
        return {unit: self._read_columns(unit) for unit in UNITS}

    def keys(self, unit: str) -> Iterator[np.ndarray]:
        """Yield the digests of chunks or of files, in pieces."""
        return (rows.keys for rows in self._read_rows(unit))

    def _read_rows(self, unit: str) -> Iterator[packing.Rows]:
        for key, _, part, offset in self._lines:
            if unit_of(key) == unit:
                with storage.open_read(part, offset) as stream:
                    _, value = stream.readline().rstrip().split(b'\t')
                yield packing.unpack(value)

    def _read_columns(self, unit: str) -> list[np.ndarray]:
        pieces = [
            [_narrow(column) for column in rows.columns]
            for rows in self._read_rows(unit)
        ]
        if not pieces:
            return [np.zeros(0, np.uint32)] * len(counting.COLUMNS)
        return [np.concatenate(column) for column in zip(*pieces, strict=True)]

    @property
    def occurrences(self) -> int:
        """The number of pairs of a page and a label on it, files included."""
        _, pages, _ = self.columns['chunk']
        captures, _, _ = self.columns['file']
        return int(pages.sum()) + int(captures.sum())

    def count(self, unit: str) -> int:
        """Return the number of labels of chunks or files."""
        return len(self.columns[unit][0])

    def write(self, name: str, recipe: Recipe, min_len: int, stop: np.ndarray) -> None:
        """Write the label file."""
        counts = [self.count('chunk'), self.count('file'), len(stop)]
        digests = itertools.chain(self.keys('chunk'), self.keys('file'), [stop])
        with storage.write(name) as stream:
            label_files.write(stream, (recipe, min_len), counts, digests)


def _narrow(column: np.ndarray) -> np.ndarray:
    # Numbers of 32 bits halve the memory, and nearly all columns fit into them.
    fits = int(column.max(initial=0)) < 1 << 32
    return column.astype(np.uint32) if fits else column


def index_lines(parts: Iterable[str]) -> Iterator[tuple[bytes, bytes, str, int]]:
    """Yield key, first digest, part file and offset of each line of counts.

    Sorted, they are in digest order. The lines of a partition may be in several files,
    as several tasks may read a part file.
    """
    for part in parts:
        offset = 0
        with storage.open_read(part) as stream:
            for line in stream:
                key, _, value = line.partition(b'\t')
                if key.rstrip() != protocol.LAST_KEY and unit_of(key) in UNITS:
                    yield key, packing.first_key(value), part, offset
                offset += len(line)


def sum_hosts(parts: Iterable[str], count: int) -> np.ndarray:
    """Sum the numbers of hosts of each label in the part files of PlaceLabels."""
    hosts = np.zeros(count, np.uint32)
    for key, value in protocol.read_parts(parts):
        if unit_of(key) == 'hosts':
            rows = packing.unpack(value)
            labels = rows.keys.copy().view('>u8').ravel().astype(np.intp)
            np.add.at(hosts, labels, rows.columns[0].astype(np.uint32))
    return hosts


def read_examples(
    parts: Iterable[str], wanted: Collection[int] | None = None
) -> Iterator[tuple[int, examples.Example]]:
    """Yield labels and examples, in no order; with `wanted`, from few lines only."""
    partitions = wanted and {n // examples.LABELS_PER_PARTITION for n in wanted}
    for key, value in protocol.read_parts(parts):
        if unit_of(key) == 'example' and (not wanted or part_of(key) in partitions):
            yield from examples.unpack_examples(value)


def find_examples(
    record: RunRecord, labels: Iterable[int]
) -> dict[int, examples.Example]:
    """Return the examples of labels of a run, by label.

    The result is empty if the run has no step of PlaceLabels.
    """
    step = record.steps.get(PLACES.folder)
    parts = step_output.list_sound_parts(step.output) if step else []
    missing, by_label = set(labels), {}
    for label, example in read_examples(parts, missing.copy()) if missing else ():
        if label in missing:
            by_label[label] = example
            missing.remove(label)
            if not missing:
                break
    return by_label


class LabelTables:
    """The rows of `labels.tsv` and `file_labels.tsv`, with hosts and examples.

    `parts` are the part files of PlaceLabels.
    """

    def __init__(self, labels: Labels, counts: LabelCounts, parts: list[str]):
        self._labels, self._counts, self._parts = labels, counts, parts
        self._chunks = len(labels.chunks)
        self._hosts = sum_hosts(parts, self._chunks + len(labels.files))

    def chunk_rows(self) -> Iterator[tuple[str, bytes]]:
        """Yield the rows of `labels.tsv` without previews, with rids, in no order."""
        copies, pages, length = self._counts.columns['chunk']
        for label, example in read_examples(self._parts):
            if label < self._chunks:
                row = (
                    f'{self._labels.chunks[label].tobytes().hex()}\t{length[label]}\t'
                    f'{copies[label]}\t{pages[label]}\t{self._hosts[label]}\t'
                    f'{example.url}'
                )
                yield example.rid, to_bytes(row)

    def file_rows(self) -> Iterator[bytes]:
        """Yield the rows of `file_labels.tsv`, most copied first."""
        return sorting.sort_rows(self._keyed_file_rows())

    def _keyed_file_rows(self) -> Iterator[sorting.Keyed]:
        copies, _, length = self._counts.columns['file']
        for label, example in read_examples(self._parts):
            file = label - self._chunks
            if file >= 0:
                row = (
                    f'{self._labels.files[file].tobytes().hex()}\t{length[file]}\t'
                    f'{copies[file]}\t{self._hosts[label]}\t{example.url}'
                )
                yield key_by_copies(int(copies[file]), to_bytes(row))
