"""The names of the sites of pairs, and the rows of their table: the last steps.

join/PART  of the digest of a site, one of three values:
           s, then the site with a number of chunks, as text
           c, then digest and a number of chunks
           p, then the key of a pair, a byte for one of its sides, and numbers
side/PART  of the order of the table, as text: the pair, its numbers, a site
row/PART   of the order of the table, as text: the rows of a small table
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import IO

import numpy as np

from mr_reuse.chunks import ratios
from mr_reuse.chunks.pairs import pair_keys
from mr_reuse.chunks.pairs.pair_keys import PAIR_COLUMNS
from mr_reuse.chunks.pairs.site_chunks import unpack_sites
from mr_reuse.shuffle import packing, partitions, sorting
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.partitions import name_digest
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


class Naming:
    """The sites and pairs of a partition, collected before they are joined."""

    def __init__(self, spill: Spill):
        self._counts: Counter[bytes] = Counter()  # chunks, by the digest of the site
        self._names: dict[bytes, bytes] = {}  # of sites, by their digests
        # By the key of the pair, and a byte for the side: 0 is left.
        self._sides = MergeTable(PAIR_COLUMNS[:3], spill)

    def add(self, value: bytes) -> None:
        """Add a value of the partition."""
        kind, value = value[:1], value[1:]
        if kind == SITE:
            for name, count in unpack_sites([value]):
                digest = name_digest(name)
                self._names[digest] = name
                self._counts[digest] += count
        elif kind == COUNT:
            rows = packing.unpack(value)
            counts = rows.columns[0].tolist()
            for digest, count in zip(_split_keys(rows.keys), counts, strict=True):
                self._counts[digest] += count
        elif kind == PAIR:
            self._sides.add(packing.unpack(value))
        else:
            raise ValueError(f'a line is damaged: no value of a site: {value[:40]!r}')

    def name_sides(self) -> Iterator[Line]:
        """Yield the sides of pairs, with the names of their sites and all numbers."""
        for rows in self._sides.drain():
            parts: dict[int, list[bytes]] = {}
            sites = _sites_of_sides(rows.keys)
            columns = zip(*(c.tolist() for c in rows.columns), strict=True)
            pairs = _split_keys(rows.keys[:, : pair_keys.PAIR_WIDTH])
            for pair, site, numbers in zip(pairs, sites, columns, strict=True):
                text = b'%b%b %d %d %d %d %b' % (
                    sorting.descending(numbers[1]),
                    pair.hex().encode(),
                    *numbers,
                    self._counts[site],
                    self._names[site],
                )
                parts.setdefault(order_part(numbers[1]), []).append(text)
            for part, texts in parts.items():
                for value in partitions.pack_texts(texts):
                    yield partitions.partition_key('side', part), value


def _sites_of_sides(keys: np.ndarray) -> Iterator[bytes]:
    """Yield the digest of the site of each side."""
    left, right = pair_keys.split_sites(keys[:, : pair_keys.PAIR_WIDTH])
    return _split_keys(np.where(keys[:, -1:], right, left))


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
