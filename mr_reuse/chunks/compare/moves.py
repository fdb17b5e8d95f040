"""Find the labels that have moved: no host that had one has it now, another host does.

The page lines of both runs are read, as tables have no list of the hosts of a label.
"""

from collections.abc import Iterator
from itertools import compress
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.archives import urls
from mr_reuse.chunks.discover import examples
from mr_reuse.chunks.page_lines import URL, Batch
from mr_reuse.engine.record import RunRecord
from mr_reuse.messages import to_text
from mr_reuse.shuffle import packing, protocol, spilling
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import MAX, Rows
from mr_reuse.shuffle.partitions import NAME_WIDTH


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
        for found in find_occurrences(record, index):
            pairs.add(_pair_with_hosts(found, side))
    hosts = np.zeros((3, len(keys)), np.uint32)  # in the old run, the new run, both
    for rows in pairs.drain():
        labels, old, new = (column.astype(np.intp) for column in rows.columns)
        for numbers, is_in in zip(hosts, (old, new, old & new), strict=True):
            np.add.at(numbers, labels, is_in.astype(np.uint32))
    return keys[(hosts[0] > 0) & (hosts[1] > 0) & (hosts[2] == 0)]


def _pair_with_hosts(found: Occurrences, side: int) -> Rows:
    """Return the pairs of labels and hosts; a URL without a host has no pair."""
    names = [urls.url_host(url) for url in found.urls]
    has_host = np.array(list(map(bool, names)), bool)[found.pages]
    labels, pages = found.labels[has_host], found.pages[has_host]
    digests = b''.join(map(examples.host_digest, names))
    hosts = packing.make_rows(digests, NAME_WIDTH).keys[pages]
    sides = [np.full(len(labels), side == n, np.uint64) for n in (0, 1)]
    keys = examples.pair_keys(labels, hosts)
    return Rows(keys, (labels.astype(np.uint64), *sides))


def find_occurrences(record: RunRecord, index: DigestIndex) -> Iterator[Occurrences]:
    """Yield the pages of a run that have digests of an index, many at a time."""
    batch = Batch(index.keys.shape[1])
    for folder in record.pages:
        for key, value in protocol.read_parts(storage.list_part_names(folder)):
            if batch.add(key, value):
                yield _take(batch, index)
    yield _take(batch, index)


def _take(batch: Batch, index: DigestIndex) -> Occurrences:
    rows, owners, lines = batch.take()
    labels = index.find(rows.keys)
    owners = owners[labels >= 0].astype(np.intp)
    # Only the URLs of pages with labels are decoded.
    is_used = np.zeros(len(lines), bool)
    is_used[owners] = True
    used = [to_text(fields[URL]) for _, fields in compress(lines, is_used)]
    return Occurrences(labels[labels >= 0], (np.cumsum(is_used) - 1)[owners], used)
