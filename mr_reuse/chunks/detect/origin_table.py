"""The table of who shares labels with whom, `origins.tsv`, in bounded memory.

ShareLabels knows neighborhoods by their hashes; names come in by sorting and merging.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from mr_reuse.archives import dates
from mr_reuse.chunks.detect import ratios
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.partitions import name_digest
from mr_reuse.tables import table_files
from mr_reuse.tables.run_tables import ORIGINS

HEX = 32  # digits of a hash
NAME, ROW = b'0', b'1'  # a name comes before the rows that it is for


def write(
    name: str,
    found: Iterable[tuple[bytes, bytes]],
    prefixes: Callable[[], Iterable[bytes]],
) -> None:
    """Write the table from the lines of ShareLabels; `prefixes()` are all there are."""
    by_other = (value[:HEX] + ROW + here + value[HEX:] for here, value in found)
    by_here = (
        row[:HEX] + ROW + sorting.add_key(other, row[HEX:])
        for other, row in with_names(by_other, map(named, prefixes()))
    )
    rows = (
        table_row(here, row)
        for here, row in with_names(by_here, map(named, prefixes()))
    )
    table_files.write_table(name, ORIGINS.header, sorting.sort_rows(rows))


def named(prefix: bytes) -> bytes:
    """A prefix behind its hash."""
    return name_digest(prefix).hex().encode() + NAME + prefix


def with_names(
    rows: Iterable[bytes], names: Iterable[bytes]
) -> Iterator[tuple[bytes, bytes]]:
    """Rows without the hash that they begin with, and the name that it stands for.

    >>> a, b = b'a' * 32, b'b' * 32
    >>> names = [a + NAME + b'A', b + NAME + b'B']
    >>> list(with_names([b + ROW + b'x', a + ROW + b'y'], names))
    [(b'A', b'y'), (b'B', b'x')]
    """
    name = b''
    for line in sorting.sort_lines(chain(names, rows)):
        if line[HEX : HEX + 1] == NAME:
            name = line[HEX + 1 :]
        else:
            yield name, line[HEX + 1 :]


def table_row(here: bytes, row: bytes) -> tuple[bytes, bytes]:
    """A row of the table, behind the key that sorts it: most shared labels first.

    >>> table_row(b'a/', b'b/\\x00 2 4 20200102030405 100000000000000 1 0')[1]
    b'a/\\tb/\\t2\\t0.500000000\\t2020-01-02T03:04:05Z\\t\\t1\\t0'
    """
    other, text = sorting.split_key(row)
    labels, of, first_here, first_there, *earlier = map(int, text.split())
    cells = [
        str(labels),
        ratios.shown(ratios.ratio(labels, of)),
        dates.format_date(first_here),
        dates.format_date(first_there),
        *map(str, earlier),
    ]
    key = b'%b\1%b%b' % (here, sorting.descending(labels), other)
    return key, b'\t'.join([here, other, *map(str.encode, cells)])
