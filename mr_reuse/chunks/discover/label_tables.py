"""Write the tables of labels from the output of jobs."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.chunks.chunk_steps import PLACES
from mr_reuse.chunks.chunk_tables import FREQUENCY, LABELS
from mr_reuse.chunks.discover import examples
from mr_reuse.chunks.discover.label_counts import Ascending, Counts, LabelHosts
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.engine import step_output
from mr_reuse.engine.record import RunRecord
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import ordered_parts, protocol, sorting
from mr_reuse.shuffle.partitions import unit_of
from mr_reuse.tables import table_files

MAX_HEX = 64  # hexadecimal digits of the longest digest


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


def read_examples(parts: Iterable[str]) -> Iterator[tuple[int, examples.Example]]:
    """Yield labels and examples, in no order."""
    for key, value in protocol.read_parts(parts):
        if unit_of(key) == 'example':
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
    for label, example in read_examples(parts):
        if label in missing:
            by_label[label] = example
            missing.remove(label)
            if not missing:
                break
    return by_label


class FoundLabel(NamedTuple):
    """A label with its counts and an example."""

    digest: str  # hexadecimal
    copies: int
    pages: int
    length: int
    hosts: int
    example: examples.Example


class LabelTables:
    """The rows of `labels.tsv` and `file_labels.tsv`, with hosts and examples.

    `parts` are the part files of PlaceLabels. All are read in the order of labels.
    """

    def __init__(self, labels: Labels, counts: Counts, parts: list[str]):
        self._chunks, self._counts, self._parts = len(labels.chunks), counts, parts
        self._hosts = LabelHosts(parts)

    def chunk_rows(self) -> Iterator[tuple[str, bytes]]:
        """Yield the rows of `labels.tsv` without previews, with rids."""
        for digest, copies, pages, length, hosts, example in self._read('chunk'):
            row = f'{digest}\t{length}\t{copies}\t{pages}\t{hosts}\t{example.url}'
            yield example.rid, to_bytes(row)

    def file_rows(self) -> Iterator[bytes]:
        """Yield the rows of `file_labels.tsv`, most copied first."""
        return sorting.sort_rows(self._keyed_file_rows())

    def _keyed_file_rows(self) -> Iterator[sorting.Keyed]:
        for digest, copies, _, length, hosts, example in self._read('file'):
            row = f'{digest}\t{length}\t{copies}\t{hosts}\t{example.url}'
            yield key_by_copies(copies, to_bytes(row))

    def _read(self, unit: str) -> Iterator[FoundLabel]:
        """Yield the labels of chunks or of files that have an example."""
        counts = Ascending(self._read_counts(unit))
        hosts = Ascending(self._hosts.read_pairs())
        first = self._chunks if unit == 'file' else 0
        values = ordered_parts.read_values_in_order(self._parts, 'example')
        for label, example in itertools.chain.from_iterable(
            map(examples.unpack_examples, values)
        ):
            if (label >= self._chunks) == (unit == 'file'):
                numbers = counts.find(label - first)
                yield FoundLabel(*numbers, hosts.find(label) or 0, example)

    def _read_counts(self, unit: str) -> Iterator[tuple[int, Sequence[Any]]]:
        """Yield labels with digest, copies, pages and length."""
        for labels, rows in self._counts.read_numbered(unit):
            text, width = rows.keys.tobytes().hex(), 2 * rows.keys.shape[1]
            digests = (text[at : at + width] for at in range(0, len(text), width))
            columns = (column.tolist() for column in rows.columns)
            yield from zip(
                labels.tolist(), zip(digests, *columns, strict=True), strict=True
            )


def key_by_copies(copies: int, row: bytes) -> sorting.Keyed:
    """Return the sort key of a row, and the row: most copies first, then by hash.

    >>> key_by_copies(7, b'ff' + 19 * b'00')[0] < key_by_copies(6, 20 * b'00')[0]
    True
    """
    return sorting.descending(copies) + row[:MAX_HEX], row


def sort_chunk_rows(parts: Iterable[str]) -> Iterator[bytes]:
    """Yield the rows of `labels.tsv`, most copied first, from ReadPreviews."""
    return sorting.sort_rows(_keyed_chunk_rows(parts))


def _keyed_chunk_rows(parts: Iterable[str]) -> Iterator[sorting.Keyed]:
    column = LABELS.index('copies')
    for part in parts:
        with storage.open_read(part) as stream:
            for line in stream:
                row = line.rstrip(b'\n')
                copies = int(row.split(b'\t', column + 1)[column])
                yield key_by_copies(copies, row)
