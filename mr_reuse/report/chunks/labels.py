"""The section of labels: the first rows of `labels.tsv` and `file_labels.tsv`."""

from collections.abc import Collection
from itertools import islice
from typing import Any

from mr_reuse.chunks.chunk_tables import FILE_LABELS, LABEL_COUNTS, LABELS
from mr_reuse.chunks.discover import label_texts
from mr_reuse.report.run import Run

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


def section(run: Run, top: list[Label]) -> dict[str, Any] | None:
    """Return the data of the tables of labels."""
    if not run.is_discovered:
        return None
    files = run.rows(FILE_LABELS) if run.has(FILE_LABELS) else ()
    return {
        'top': top,
        'rids': label_texts.find_rids(run.path, run.record, [row.hash for row in top]),
        'texts': label_texts.read_hidden_texts(run.path, run.record, top),
        'files': list(islice(files, MAX_FILES)),
    }
