"""Find the labels that have moved: no host that had one has it now, another host does.

The page lines of both runs are read, as tables have no list of the hosts of a label.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks import choosing
from mr_reuse.chunks.discover import examples
from mr_reuse.chunks.page_lines import URL, Batch, select_owners
from mr_reuse.engine import step_output
from mr_reuse.engine.record import RunRecord
from mr_reuse.messages import to_text
from mr_reuse.shuffle import protocol, spilling
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import MAX, Rows


class Occurrences(NamedTuple):
    """Pages of a batch with labels: indexes of labels, and of the URL of each."""

    labels: np.ndarray
    pages: np.ndarray
    urls: list[str]


def find_moved(records: tuple[RunRecord, RunRecord], keys: np.ndarray) -> np.ndarray:
    """Return the labels that have moved from the first run to the second.

    `keys` has the sorted digests of the labels of both runs.
    """
    index = DigestIndex(keys)
    # The columns are the label, and 1 if the pair is in the old run, in the new run.
    pairs = spilling.MergeTable([MAX, MAX, MAX], storage.open_scratch)
    for side, record in enumerate(records):
        for occurrences in find_occurrences(record, index):
            pairs.add(_pair_with_hosts(occurrences, side))
    hosts = np.zeros((3, len(keys)), np.uint32)  # in the old run, the new run, both
    for rows in pairs.drain():
        labels, old, new = (column.astype(np.intp) for column in rows.columns)
        for numbers, is_in in zip(hosts, (old, new, old & new), strict=True):
            np.add.at(numbers, labels, is_in.astype(np.uint32))
    return keys[(hosts[0] > 0) & (hosts[1] > 0) & (hosts[2] == 0)]


def _pair_with_hosts(occurrences: Occurrences, side: int) -> Rows:
    """Return the pairs of labels and hosts of a run: the first (0), or the second."""
    keys, (labels,) = examples.pair_with_hosts(*occurrences)
    sides = [np.full(len(labels), side == number, np.uint64) for number in (0, 1)]
    return Rows(keys, (labels, *sides))


def find_occurrences(record: RunRecord, index: DigestIndex) -> Iterator[Occurrences]:
    """Yield the pages of a run that have digests of an index, many at a time."""
    batch, skipped = Batch(index.keys.shape[1]), choosing.load_skipped(record)
    for folder in record.pages:
        for key, value in protocol.read_parts(step_output.list_sound_parts(folder)):
            if not skipped.is_skipped(key) and batch.add(key, value):
                yield _find_in_batch(batch, index)
    yield _find_in_batch(batch, index)


def _find_in_batch(batch: Batch, index: DigestIndex) -> Occurrences:
    rows, owners, lines = batch.take()
    labels = index.find(rows.keys)
    owners = owners[labels >= 0].astype(np.intp)
    # Only the URLs of pages with labels are decoded.
    labeled, pages = select_owners(lines, owners)
    urls = [to_text(fields[URL]) for _, fields in labeled]
    return Occurrences(labels[labels >= 0], pages, urls)
