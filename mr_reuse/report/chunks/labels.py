"""The section of labels: the first rows of `labels.tsv` and `file_labels.tsv`."""

from collections.abc import Collection
from itertools import islice
from typing import Any

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.chunk_tables import FILE_LABELS, LABEL_COUNTS, LABELS
from mr_reuse.chunks.discover import label_tables
from mr_reuse.chunks.labels import label_files
from mr_reuse.errors import UserError
from mr_reuse.report.run import Run
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.storage import naming

Label = LABELS.row

MAX_CHUNKS, MAX_FILES = 20, 8  # rows of the two tables

KnownLabels = dict[bytes, Label]  # by digest


def read(run: Run, wanted: Collection[bytes]) -> tuple[list[Label], KnownLabels]:
    """Return the first labels of the table, and those with the wanted digests."""
    top = list(islice(run.rows(LABELS), MAX_CHUNKS)) if run.has(LABELS) else []
    known: KnownLabels = {}
    missing = {digest.hex() for digest in wanted}
    if missing and run.has(LABEL_COUNTS):
        # The table may have millions of rows: stop when there is nothing to find.
        for row in run.rows(LABEL_COUNTS):
            if row.hash in missing:
                missing.remove(row.hash)
                known[bytes.fromhex(row.hash)] = row
            if not missing:
                break
    return top, known


def rids(run: Run, labels: list[Label]) -> dict[str, str]:
    """Find the rids of the examples of labels, by their hashes; {} on any error."""
    name = naming.join(run.path, 'labels.mrl')
    if not (labels and storage.exists(name)):
        return {}
    try:
        label_file = label_files.load(name)
        width = label_file.recipe.width
        keys = bytes.fromhex(''.join(label.hash for label in labels))
        numbers = DigestIndex(label_file.chunks).find(
            packing.make_rows(keys, width).keys
        )
        hashes = {
            int(number): label.hash
            for number, label in zip(np.asarray(numbers), labels, strict=True)
        }
        examples = label_tables.find_examples(run.record, hashes)
        return {hashes[label]: rid for label, (*_, rid) in examples.items()}
    except (OSError, UserError, ValueError, IndexError):
        # The label file or the tables were removed or rebuilt. The rids are extra.
        return {}


def section(run: Run, top: list[Label]) -> dict[str, Any] | None:
    """Return the data of the tables of labels."""
    if not run.is_discovered:
        return None
    files = run.rows(FILE_LABELS) if run.has(FILE_LABELS) else ()
    return {'top': top, 'rids': rids(run, top), 'files': list(islice(files, MAX_FILES))}
