"""Write the tables of labels from the output of jobs."""

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mr_reuse.chunks.chunk_steps import PLACES
from mr_reuse.chunks.chunk_tables import FREQUENCY
from mr_reuse.chunks.discover import examples
from mr_reuse.chunks.discover.label_counts import Ascending, Counts, LabelHosts
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.tables.label_rows import key_by_copies
from mr_reuse.engine import step_output
from mr_reuse.engine.record import RunRecord
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import ordered_parts, protocol, sorting
from mr_reuse.shuffle.partitions import part_of, unit_of
from mr_reuse.tables import table_files


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
