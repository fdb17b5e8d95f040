"""The section of labels: those with the most copies, and those on the most hosts."""

import bisect
from collections.abc import Collection, Iterable
from itertools import islice
from typing import Any, NamedTuple

from mr_reuse.chunks.chunk_tables import FILE_LABELS, LABEL_COUNTS, LABELS
from mr_reuse.chunks.discover import label_texts
from mr_reuse.report.run import Run

Label = LABELS.row

MAX_CHUNKS, MAX_FILES = 20, 8  # rows of the tables

KnownLabels = dict[bytes, Label]  # by digest


class TopLabels(NamedTuple):
    """The first labels by copies and by hosts."""

    by_copies: list[Label]
    by_hosts: list[Label]  # only labels on several hosts


def read_top(rows: Iterable[Label]) -> TopLabels:
    """Take the first labels from rows in the order of copies.

    Of labels on as many hosts, the more copied is first. No label is on more hosts than
    it has copies, so the rows are read only as far as a label may be in the lists.

    >>> rows = [Label('', 9, copies, 0, hosts, '', '') for copies, hosts in
    ...         [(9, 1), (8, 2), *20 * [(7, 6)], (6, 2)]]
    >>> top = read_top(iter(rows))
    >>> [row.hosts for row in top.by_copies] == [1, 2, *18 * [6]]
    True
    >>> [row.hosts for row in top.by_hosts] == 20 * [6]
    True
    """
    top = TopLabels([], [])
    for row in rows:
        is_full = len(top.by_hosts) == MAX_CHUNKS
        if len(top.by_copies) < MAX_CHUNKS:
            top.by_copies.append(row)
        elif is_full and row.copies <= top.by_hosts[-1].hosts:
            break
        if row.hosts > 1:
            bisect.insort(top.by_hosts, row, key=lambda label: -label.hosts)
            del top.by_hosts[MAX_CHUNKS:]
    return top


def read(run: Run, wanted: Collection[bytes]) -> tuple[TopLabels, KnownLabels]:
    """Return the first labels of the table, and those with the wanted digests."""
    known: KnownLabels = {}
    missing = {digest.hex() for digest in wanted}
    if missing and run.has(LABEL_COUNTS):
        # The table may have millions of rows: stop when there is nothing to find. The
        # labels of many copies, which the report shows, are the first ones.
        for row in run.first_rows(LABEL_COUNTS):
            if row.hash in missing:
                missing.remove(row.hash)
                known[bytes.fromhex(row.hash)] = row
            if not missing:
                break
    return read_top(run.first_rows(LABELS) if run.has(LABELS) else ()), known


def section(run: Run, top: TopLabels) -> dict[str, Any] | None:
    """Return the data of the tables of labels."""
    if not run.is_discovered:
        return None
    files = run.rows(FILE_LABELS) if run.has(FILE_LABELS) else ()
    # A label may be in both lists.
    labels = {row.hash: row for rows in top for row in rows}
    texts = label_texts.read_hidden_texts(run.path, run.record, labels.values())
    return {
        'top': top.by_copies,
        'by_hosts': top.by_hosts,
        'rids': label_texts.find_rids(run.path, run.record, list(labels)),
        'texts': texts,
        'files': list(islice(files, MAX_FILES)),
    }
