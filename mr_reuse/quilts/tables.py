"""Write the tables of quilts from the output of the jobs."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from mr_reuse.engine import step_output
from mr_reuse.engine.chain import Done
from mr_reuse.engine.rundir import RunDir
from mr_reuse.quilts.checks import reports
from mr_reuse.quilts.quilt_tables import (
    QUILT_SHARES,
    QUILT_SITES,
    QUILT_SOURCES,
    QUILTS,
)
from mr_reuse.shuffle import ordered_parts, sorting
from mr_reuse.tables import table_files
from mr_reuse.tables.schema import Table


class Written(NamedTuple):
    """How many rows were written."""

    quilts: int
    sources: int


def write_tables(
    run: RunDir, checked: Done, percents: Mapping[str, int], refuted: set[bytes]
) -> Written:
    """Write all tables.

    `checked` is the step that has compared words, `percents` the numbers of documents
    by their patch fractions, and `refuted` the rids of pages that are no quilts.
    """
    parts = step_output.list_sound_parts(checked.output)

    def write(table: Table, unit: str) -> int:
        rows = read_keyed(parts, unit)
        kept = (row for row in rows if rid_of(row[1]) not in refuted)
        return write_sorted(run, table, kept)

    written = Written(
        write(QUILTS, reports.QUILTS), write(QUILT_SOURCES, reports.SOURCES)
    )
    texts = ordered_parts.read_in_order(parts, reports.SITES)
    kept = (text for text in texts if rid_of(text) not in refuted)
    write_sorted(run, QUILT_SITES, sum_sites(kept))
    counts = sorted((int(percent), pages) for percent, pages in percents.items())
    rows = (b'%d\t%d' % row for row in counts)
    table_files.write_table(run.join(QUILT_SHARES.file), QUILT_SHARES.header, rows)
    return written


def rid_of(row: bytes) -> bytes:
    """Return the rid at the beginning of a row."""
    return row.partition(b'\t')[0]


def write_sorted(run: RunDir, table: Table, keyed: Iterable[sorting.Keyed]) -> int:
    """Sort the rows of a table by their keys, and write it."""
    rows = sorting.sort_rows(keyed)
    return table_files.write_table(run.join(table.file), table.header, rows)


def read_keyed(parts: list[str], unit: str) -> Iterator[sorting.Keyed]:
    """Yield the keyed rows of a unit."""
    return map(sorting.split_key, ordered_parts.read_in_order(parts, unit))


def sum_sites(texts: Iterable[bytes]) -> Iterator[sorting.Keyed]:
    """Sum the texts of pairs of hosts, behind a rid; yield keyed rows.

    >>> texts = [b'r\\ta.org\\tb.org\\t7', b'r\\ta.org\\ta.org\\t1',
    ...          b's\\ta.org\\tb.org\\t2']
    >>> list(sorting.sort_rows(sum_sites(texts)))
    [b'a.org\\tb.org\\t2\\t9', b'a.org\\ta.org\\t1\\t1']
    """
    lines = sorting.sort_lines(text.partition(b'\t')[2] for text in texts)
    for pair, group in groupby(lines, lambda line: line.rpartition(b'\t')[0]):
        numbers = [int(line.rpartition(b'\t')[2]) for line in group]
        host, _, other = pair.partition(b'\t')
        key = sorting.descending(sum(numbers)) + host + b'\1' + other
        yield key, b'%b\t%d\t%d' % (pair, len(numbers), sum(numbers))
