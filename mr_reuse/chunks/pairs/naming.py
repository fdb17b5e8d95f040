"""The names of the sites of pairs, and the rows of their table: the last steps.

join/PART  of the digest of a site, one of three values:
           s, then the site with a number of chunks, as text
           c, then digest and a number of chunks
           p, then the key of a pair, a byte for one of its sides, and numbers
side/PART  of the order of the table, as text: the pair, its numbers, a site
row/PART   of the order of the table, as text: the rows of a small table
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import IO

import numpy as np

from mr_reuse.chunks import ratios
from mr_reuse.chunks.pairs import pair_keys
from mr_reuse.chunks.pairs.pair_keys import PAIR_COLUMNS
from mr_reuse.chunks.pairs.site_chunks import BOUND, unpack_sites
from mr_reuse.shuffle import packing, partitions, sorting
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.partitions import NAME_WIDTH, name_digest
from mr_reuse.shuffle.protocol import Line
from mr_reuse.shuffle.spilling import MergeTable

MIN_CHUNKS = 10  # of a pair in the table
SITE, COUNT, PAIR = b's', b'c', b'p'
# Partitions of the table: 64 bit lengths of `bytes`, divided by the next bits.
NEXT_BITS = 3
LAST_PART = (64 << NEXT_BITS) - 1

Values = Iterable[bytes]
Spill = Callable[[], IO[bytes]]


def ask_for_names(pieces: Iterable[Rows], bits: int) -> Iterator[Line]:
    """Yield pairs that share enough chunks, in the partitions of both of their sites.

    The numbers are chunks, bytes, and the chunks that are first on the site.
    """
    for rows in pieces:
        pairs = rows.take(rows.columns[0] >= MIN_CHUNKS)
        chunks, sums, *firsts = pairs.columns
        sites = pair_keys.split_sites(pairs.keys)
        for side, (first, digests) in enumerate(zip(firsts, sites, strict=True)):
            marks = np.full((len(digests), 1), side, np.uint8)
            keys = np.concatenate([pairs.keys, marks], axis=1)
            order = np.argsort(packing.prefixes(digests))
            sides = Rows(keys, (chunks, sums, first)).take(order)
            for part, slice_ in packing.part_slices(digests[order], bits):
                for value in packing.pack_lines([sides.take(slice_)]):
                    yield partitions.partition_key('join', part), PAIR + value


def forward_sites(part: int, values: Values) -> Iterator[Line]:
    """Yield the sites of a partition for the join."""
    for value in values:
        yield partitions.partition_key('join', part), SITE + value


def forward_counts(part: int, pieces: Iterable[Rows]) -> Iterator[Line]:
    """Yield the numbers of chunks of the sites of a partition for the join."""
    for value in packing.pack_lines(pieces):
        yield partitions.partition_key('join', part), COUNT + value


def name_sides(values: Values, spill: Spill) -> Iterator[Line]:
    """Join the sites and the pairs of a partition.

    Yields the sides of pairs, with the names of their sites and all numbers.
    """
    # By the site, the pair, and a byte for the side.
    sides = MergeTable(PAIR_COLUMNS[:3], spill, bound=BOUND)
    # Sorting reads all values, so the table of sides is complete. Both are then in the
    # order of sites: a merge join.
    sites = _sum_sites(sorting.sort_lines(_separate_sites(values, sides)))
    digest, name, of_site = b'', b'', 0
    for rows in sides.drain():
        columns = zip(*(c.tolist() for c in rows.columns), strict=True)
        parts: dict[int, list[bytes]] = {}
        for key, numbers in zip(_split_keys(rows.keys), columns, strict=True):
            while digest != key[:NAME_WIDTH]:
                digest, name, of_site = next(sites)
            text = b'%b%b %d %d %d %d %b' % (
                sorting.descending(numbers[1]),
                key[NAME_WIDTH:-1].hex().encode(),
                *numbers,
                of_site,
                name,
            )
            parts.setdefault(order_part(numbers[1]), []).append(text)
        for part, texts in parts.items():
            for value in partitions.pack_texts(texts):
                yield partitions.partition_key('side', part), value


def _separate_sites(values: Values, sides: MergeTable) -> Iterator[bytes]:
    """Yield keyed lines of sites; add the sides of pairs to a table.

    A line is the digest of a site, then a number of chunks, and the name if it is
    known.
    """
    for value in values:
        kind, data = value[:1], value[1:]
        if kind == SITE:
            for name, count in unpack_sites([data]):
                yield _key_site(name_digest(name), b'%d %b' % (count, name))
        elif kind == COUNT:
            rows = packing.unpack(data)
            counts = rows.columns[0].tolist()
            for digest, count in zip(_split_keys(rows.keys), counts, strict=True):
                yield _key_site(digest, b'%d' % count)
        elif kind == PAIR:
            sides.add(_put_sites_first(packing.unpack(data)))
        else:
            raise ValueError(f'a line is damaged: no value of a site: {value[:40]!r}')


def _key_site(digest: bytes, text: bytes) -> bytes:
    return sorting.add_key(digest.hex().encode(), text)


def _sum_sites(lines: Iterable[bytes]) -> Iterator[tuple[bytes, bytes, int]]:
    """Yield digest, name, and number of chunks of each site, from sorted lines."""
    pairs = map(sorting.split_key, lines)
    for digest, of_site in itertools.groupby(pairs, key=lambda pair: pair[0]):
        site, total = b'', 0
        for _, text in of_site:
            count, _, name = text.partition(b' ')
            total += int(count)
            site = name or site
        yield bytes.fromhex(digest.decode()), site, total


def _put_sites_first(rows: Rows) -> Rows:
    """Put the digest of the site before the key of each side."""
    left, right = pair_keys.split_sites(rows.keys[:, : pair_keys.PAIR_WIDTH])
    sites = np.where(rows.keys[:, -1:], right, left)
    return Rows(np.concatenate([sites, rows.keys], axis=1), rows.columns)


def _split_keys(keys: np.ndarray) -> Iterator[bytes]:
    data, width = keys.tobytes(), keys.shape[1]
    return (data[at : at + width] for at in range(0, len(data), width))


def order_part(size: int) -> int:
    """Return the partition of the rows with this number of bytes.

    The partitions ascend while the numbers descend.

    >>> order_part(2**64 - 1), order_part(1000), order_part(999), order_part(0)
    (0, 432, 432, 511)
    """
    length = size.bit_length()
    following = (size << NEXT_BITS >> max(0, length - 1)) & ((1 << NEXT_BITS) - 1)
    return LAST_PART - (max(0, length - 1) << NEXT_BITS | following)


def make_rows(values: Values) -> Iterator[bytes]:
    """Yield the rows of a partition of the table, in order."""
    texts = itertools.chain.from_iterable(map(partitions.unpack_texts, values))
    return sorting.sort_rows(_join_sides(sorting.sort_lines(texts)))


def _join_sides(sides: Iterable[bytes]) -> Iterator[sorting.Keyed]:
    """Join the two sides of each pair to a row, with its sort key."""
    for pair, both in itertools.groupby(sides, key=lambda side: side.split(b' ')[0]):
        sides_by_name = sorted(tuple(reversed(side.split(b' ')[1:])) for side in both)
        yield make_row(pair[: sorting.DIGITS], *sides_by_name)


def make_row(
    key: bytes, a: tuple[bytes, ...], b: tuple[bytes, ...]
) -> tuple[bytes, bytes]:
    """Make a row of the table after its sort key; a side begins with its name.

    >>> a = (b'a.org', b'40', b'1', b'900', b'10')
    >>> b = (b'b', b'20', b'0', b'900', b'10')
    >>> make_row(b'9', a, b)[1]
    b'a.org\\tb\\t10\\t900\\t0.250000000\\t0.500000000\\t1\\t0'
    """

    (a_name, a_chunks, a_first, sums, chunks), (b_name, b_chunks, b_first, *_) = a, b
    shares = (
        ratios.format_ratio(ratios.divide(int(chunks), int(of_site))).encode()
        for of_site in (a_chunks, b_chunks)
    )
    return key, b'\t'.join([a_name, b_name, chunks, sums, *shares, a_first, b_first])
