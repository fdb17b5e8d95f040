"""The rows of `origins.tsv`: names in place of the digests of neighborhoods.

ShareLabels writes digests. Their names are joined by sorting: first those of the other
sites, then those of the bad ones. The key of a line is a digest, and the kind of its
row.

other/PART    names, and pairs by the digest of the other site
bad/PART      names, and pairs by the digest of the bad site
origins/PART  rows of the table
"""

from collections.abc import Iterable, Iterator

from mr_reuse.archives import dates
from mr_reuse.chunks import ratios
from mr_reuse.chunks.detect.neighborhoods import read_neighborhood
from mr_reuse.chunks.facts import Facts
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.partitions import NAME_WIDTH, name_digest
from mr_reuse.shuffle.sorting import Keyed

OTHER, BAD = 'other', 'bad'  # units of lines
HEX = 2 * NAME_WIDTH  # hexadecimal digits of a digest
NAME, PAIR = b'0', b'1'  # kinds: a name sorts before the pairs that have it
DIGITS = 4  # of a digest, that decide its partition


def key_name(prefix: bytes, unlabeled: int) -> Keyed:
    """Return the line of a name: a prefix, and the number of its other chunks."""
    key = name_digest(prefix).hex().encode() + NAME
    return key, b'%b\t%d' % (prefix, unlabeled)


def key_pair(bad: bytes, value: bytes) -> Keyed:
    """Return the line of a pair by the other site, from a line of ShareLabels.

    >>> key_pair(b'b' * 32, b'a' * 32 + b' 7')
    (b'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1', b'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb 7')
    """
    return value[:HEX] + PAIR, bad + value[HEX:]


def key_named_pair(other: bytes, pair: bytes) -> Keyed:
    """Return the line of a pair by the bad site, with the name of the other site."""
    prefix, _, _ = other.partition(b'\t')
    return pair[:HEX] + PAIR, sorting.add_key(prefix, pair[HEX:])


def join_names(lines: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield each pair with the name of its digest, from sorted lines.

    >>> a, b = b'a' * 32, b'b' * 32
    >>> lines = [a + b'0\\0A\\t7', a + b'1\\0x', a + b'1\\0y', b + b'0\\0B\\t8']
    >>> list(join_names(lines))
    [(b'A\\t7', b'x'), (b'A\\t7', b'y')]
    """
    name = b''
    for line in lines:
        key, row = sorting.split_key(line)
        if key.endswith(NAME):
            name = row
        else:
            yield name, row


def make_row(name: bytes, pair: bytes, facts: Facts) -> Keyed:
    """Make a row of the table, after its sort key: most shared labels first.

    >>> shared = b'b/\\x00 2 4 20200102030405 100000000000000 1 0 0'
    >>> cells = make_row(b'a/\\t4', shared, Facts(['b']))[1].split(b'\\t')
    >>> cells[:6]
    [b'a/', b'b/', b'2', b'0.500000000', b'2020-01-02T03:04:05Z', b'']
    >>> cells[6:]
    [b'1', b'0', b'0', b'0.250000000', b'source there']
    """
    bad, unlabeled = name.split(b'\t')
    other, text = sorting.split_key(pair)
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
    key = key_site(bad) + sorting.descending(labels) + other
    return key, b'\t'.join([bad, other, *map(str.encode, cells)])


def key_site(bad: bytes) -> bytes:
    """Return the beginning of the sort key of the rows of a bad site."""
    return bad + b'\1'


class LineReader:
    """Reads the lines of ShareLabels and of NeighborhoodBadness, for a level."""

    def __init__(self, level: int):
        self._begin = b'%d\t' % level

    def read(self, key: bytes, value: bytes) -> Iterator[tuple[str, Keyed]]:
        """Yield the lines by name that a line leads to, each after its unit.

        >>> found = LineReader(1).read(b'a/', b'1\\t2\\t1\\t2\\t5\\t4')
        >>> [(unit, row) for unit, (_, row) in found]
        [('other', b'a/\\t3'), ('bad', b'a/\\t3')]
        >>> list(LineReader(1).read(b'a/b/', b'2\\t2\\t1\\t2\\t5\\t4'))
        []
        """
        if b'\t' not in value:
            yield OTHER, key_pair(key, value)
        elif value.startswith(self._begin):
            hood = read_neighborhood(key + b'\t' + value)
            keyed = key_name(to_bytes(hood.prefix), hood.total - hood.bad)
            yield OTHER, keyed
            yield BAD, keyed


def even_bounds(bits: int) -> list[bytes]:
    """Return the bounds of 2^BITS ranges of digests.

    >>> even_bounds(2)
    [b'4000', b'8000', b'c000']
    """
    numbers = range(1, 2**bits)
    return [b'%0*x' % (DIGITS, number << (4 * DIGITS - bits)) for number in numbers]
