"""Lines for what the tables of labels lack: copies of other chunks, and moves."""

from collections.abc import Iterator

import numpy as np

from mr_reuse.chunks.compare import moves
from mr_reuse.chunks.labels import label_files
from mr_reuse.engine import step_output
from mr_reuse.engine.record import RunRecord, load_complete
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import packing, protocol
from mr_reuse.shuffle.digest_index import DigestIndex, sort_distinct
from mr_reuse.shuffle.partitions import unit_of

COLUMNS = {
    'counts': ['copies', 'threshold'],
    'pages': ['url_length', 'url'],
}


def read_lines(old: str, new: str) -> Iterator[bytes]:
    """Yield lines of hash, side and source, and cells: counts, then pages of moves."""
    records = load_complete(old), load_complete(new)
    labels = [label_files.load(run).chunks for run in (old, new)]
    sides = list(zip(('old', 'new'), records, strict=True))
    for (side, record), others in zip(sides, reversed(labels), strict=True):
        yield from count_lines(side, record, DigestIndex(others))
    moved = moves.find_moved(records, sort_distinct(np.concatenate(labels)))
    if len(moved):
        for side, record in sides:
            yield from page_lines(side, record, DigestIndex(moved))


def count_lines(side: str, record: RunRecord, labels: DigestIndex) -> Iterator[bytes]:
    """Yield the copies in a run of the labels of the other run."""
    threshold = record.discover.threshold
    parts = step_output.list_sound_parts(record.discover.counts)
    for key, value in protocol.read_parts(parts):
        if unit_of(key) == 'chunk':
            counts = packing.unpack(value)
            counts = counts.take(labels.find(counts.keys) >= 0)
            digests = (digest.tobytes().hex() for digest in counts.keys)
            copies = counts.columns[0].tolist()
            for digest, number in zip(digests, copies, strict=True):
                yield f'{digest}\t{side} counts\t{number}\t{threshold}'.encode()


def page_lines(side: str, record: RunRecord, moved: DigestIndex) -> Iterator[bytes]:
    """Yield the pages of labels that have moved; sorted, the best example is first."""
    for labels, pages, urls in moves.find_occurrences(record, moved):
        for label, page in zip(labels.tolist(), pages.tolist(), strict=True):
            digest, url = moved.keys[label].tobytes().hex(), urls[page]
            yield to_bytes(f'{digest}\t{side} pages\t{len(url):08}\t{url}')
