"""Write `origins.tsv`, the table of pairs that share labels, in bounded memory.

ShareLabels writes digests for neighborhoods. Their names are joined by sorting.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from mr_reuse.archives import dates
from mr_reuse.chunks import ratios
from mr_reuse.chunks.chunk_tables import ORIGINS
from mr_reuse.chunks.facts import Facts
from mr_reuse.messages import to_text
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.partitions import NAME_WIDTH, name_digest
from mr_reuse.tables import table_files

Origin = ORIGINS.row

MIN_SHARE = 0.25  # of the labels, and of the chunks, of a site: shared with another
HEX = 2 * NAME_WIDTH  # hexadecimal digits of a digest
NAME, ROW = b'0', b'1'  # after a digest: a name sorts before the rows that have it


def write(
    name: str,
    pairs: Iterable[tuple[bytes, bytes]],
    prefixes: Callable[[], Iterable[tuple[bytes, int]]],
    facts: Facts,
) -> None:
    """Write the table from the lines of ShareLabels: first digest, and the rest.

    `prefixes` returns all prefixes of the level, each with the number of its chunks
    that are no labels. It is called twice, once for each of the two digests of a line.
    """
    by_other = (value[:HEX] + ROW + bad + value[HEX:] for bad, value in pairs)
    by_bad = (
        row[:HEX] + ROW + sorting.add_key(other.split(b'\t')[0], row[HEX:])
        for other, row in join_names(by_other, (name_line(*p) for p in prefixes()))
    )
    rows = (
        table_row(*bad.split(b'\t'), row, facts)
        for bad, row in join_names(by_bad, (name_line(*p) for p in prefixes()))
    )
    table_files.write_table(name, ORIGINS.header, sorting.sort_rows(rows))


def name_line(prefix: bytes, unlabeled: int) -> bytes:
    """Return the line of a name: its digest, the prefix, and its other chunks."""
    return b'%b%b%b\t%d' % (name_digest(prefix).hex().encode(), NAME, prefix, unlabeled)


def join_names(
    rows: Iterable[bytes], names: Iterable[bytes]
) -> Iterator[tuple[bytes, bytes]]:
    """Replace the digest at the beginning of rows: yield its name, and the rest.

    >>> a, b = b'a' * 32, b'b' * 32
    >>> names = [a + NAME + b'A', b + NAME + b'B']
    >>> list(join_names([b + ROW + b'x', a + ROW + b'y'], names))
    [(b'A', b'y'), (b'B', b'x')]
    """
    name = b''
    for line in sorting.sort_lines(chain(names, rows)):
        if line[HEX : HEX + 1] == NAME:
            name = line[HEX + 1 :]
        else:
            yield name, line[HEX + 1 :]


def table_row(
    bad: bytes, unlabeled: bytes, row: bytes, facts: Facts
) -> tuple[bytes, bytes]:
    """Make a row of the table, after its sort key: most shared labels first.

    >>> shared = b'b/\\x00 2 4 20200102030405 100000000000000 1 0 0'
    >>> cells = table_row(b'a/', b'4', shared, Facts(['b']))[1].split(b'\\t')
    >>> cells[:6]
    [b'a/', b'b/', b'2', b'0.500000000', b'2020-01-02T03:04:05Z', b'']
    >>> cells[6:]
    [b'1', b'0', b'0', b'0.250000000', b'source there']
    """
    other, text = sorting.split_key(row)
    labels, all_labels, first, other_first, *orders = map(int, text.split())
    cells = [
        str(labels),
        ratios.format_ratio(ratios.divide(labels, all_labels)),
        dates.format_date(first),
        dates.format_date(other_first),
        *map(str, orders),
        ratios.format_ratio(ratios.divide(labels, all_labels + int(unlabeled))),
        facts.relation(to_text(bad), to_text(other)),
    ]
    key = b'%b\1%b%b' % (bad, sorting.descending(labels), other)
    return key, b'\t'.join([bad, other, *map(str.encode, cells)])


def is_close(row: Origin) -> bool:
    """Test whether a site shares enough of its labels, and of all its chunks.

    Without the second condition, a few chunks of a common template would tie sites
    that have no other labels.

    >>> row = Origin('b/', 'a/', 63, 1.0, '', '', 0, 0, 0, 63 / 2363, '')
    >>> is_close(row), is_close(row._replace(chunk_share=0.25))
    (False, True)
    """
    shares = [row.share] if row.chunk_share is None else [row.share, row.chunk_share]
    return all(share and share >= MIN_SHARE for share in shares)
