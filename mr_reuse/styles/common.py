"""Values on many domains: each dimension with such a value counts as empty.

value/PART    WIDTHS:COLUMNS  in the shuffle: hash, dimension, key, domain
common/PART   WIDTHS:COLUMNS  dimensions and keys on too many domains
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from mr_reuse import storage
from mr_reuse.shuffle import packing, partitions
from mr_reuse.shuffle.packing import Rows, make_rows
from mr_reuse.shuffle.partitions import part_of
from mr_reuse.shuffle.protocol import Line, read_parts
from mr_reuse.shuffle.spilling import MergeTable, drain_lines
from mr_reuse.storage import mapped
from mr_reuse.styles.fingerprints import Common, Fingerprints, empty_of
from mr_reuse.text.gram_hash import mix

VALUE, COMMON = 'value', 'common'  # units
WORDS = 4  # of 64 bits in a key: hash, dimension, key, domain
OF_VALUE = 24  # bytes of a key that say which value it is


def domains_of(found: Fingerprints) -> np.ndarray:
    """Return the domain of each document; one without a host has a domain of its own.

    >>> servers = np.array([[1, 5], [0, 0], [0, 0]], np.uint64)
    >>> numbers = np.array([1, 2, 3], np.uint64)
    >>> len(set(domains_of(Fingerprints(numbers, servers, servers)).tolist()))
    3
    """
    domains = found.servers[:, 1].astype(np.uint64)
    own = mix(found.numbers.astype(np.uint64) + np.uint64(1))
    return np.where(domains == 0, own, domains)


def count_domains(pieces: Iterable[Fingerprints]) -> int:
    """Count the domains of all documents with a fingerprint."""
    table = MergeTable((), storage.open_scratch)
    for found in pieces:
        keys = domains_of(found).astype('>u8').view(np.uint8).reshape(-1, 8)
        table.add(Rows(keys, ()))
    return sum(len(rows.keys) for rows in table.drain())


def least_common(share: Fraction, domains: int) -> int:
    """Return the least number of domains that is more than a share of them.

    >>> least_common(Fraction(1, 2), 4), least_common(Fraction(1, 2), 5)
    (3, 3)
    """
    limit = share * domains
    return limit.numerator // limit.denominator + 1


class ValueCollector:
    """A `Collector` of fingerprints: the values that each domain has."""

    def __init__(self, bits: int):
        self._bits = bits
        self._table = MergeTable(())

    def add(self, found: Fingerprints) -> Iterator[Line]:
        """Add the fingerprints of some documents."""
        rows, dimensions = np.nonzero(found.keys != empty_of(found.keys))
        keys = found.keys[rows, dimensions].astype(np.uint64)
        dimensions = dimensions.astype(np.uint64)
        hashes = mix(keys + (dimensions << np.uint64(57)))
        columns = hashes, dimensions, keys, domains_of(found)[rows]
        words = np.stack(columns, axis=1).astype('>u8')
        if self._table.add(Rows(words.view(np.uint8), ())):
            yield from self.finish()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the values in memory."""
        return drain_lines(self._table, VALUE, self._bits)


class CommonFinder:
    """A reducer of the lines of `ValueCollector`: writes values on many domains."""

    def __init__(self, least: int):
        self._least = least

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the values of a partition that are on at least `least` domains."""
        table = MergeTable((), storage.open_scratch)
        for value in values:
            table.add(packing.unpack(value))
        found = b''.join(find_common(table.drain(), self._least))
        if found:
            rows = make_rows(found, OF_VALUE)
            yield from partitions.pack_lines(COMMON, [(part_of(key), rows)])


def find_common(pieces: Iterable[Rows], least: int) -> Iterator[bytes]:
    """Yield the values with at least so many rows, given sorted and distinct rows.

    >>> words = np.array([[1, 0, 5, 7], [1, 0, 5, 8], [2, 0, 6, 7]], '>u8')
    >>> rows = Rows(words.view(np.uint8), ())
    >>> found = b''.join(find_common([rows.take(slice(1)), rows.take(slice(1, 3))], 2))
    >>> np.frombuffer(found, '>u8').tolist()
    [1, 0, 5]
    """
    last, count = b'', 0
    for rows in pieces:
        values = rows.keys[:, :OF_VALUE]
        starts = packing.group_starts(values)
        sizes = np.diff(starts, append=len(values))
        if len(starts) and values[0].tobytes() == last:
            count += int(sizes[0])
            starts, sizes = starts[1:], sizes[1:]
        if len(starts):
            if count >= least:
                yield last
            yield values[starts[:-1][sizes[:-1] >= least]].tobytes()
            last, count = values[starts[-1]].tobytes(), int(sizes[-1])
    if count >= least:
        yield last


def read_common(parts: Iterable[str]) -> Common:
    """Read the values on too many domains from part files, by their dimensions."""
    words = np.zeros((0, OF_VALUE // 8), np.uint64)
    for _, value in read_parts(parts):
        found = np.ascontiguousarray(packing.unpack(value).keys)
        words = np.concatenate([words, found.view('>u8').astype(np.uint64)])
    order = np.lexsort((words[:, 2], words[:, 1]))
    return Common(*(np.ascontiguousarray(words[order, n]) for n in (1, 2)))


def write_values(name: str, values: Common) -> None:
    """Write the file for tasks, of values in the order of dimensions."""
    with storage.write(name) as stream:
        for column in values:
            stream.write(column.astype(np.uint64).tobytes())


def map_common(name: str | None) -> Common | None:
    """Map the file into memory; None without a name."""
    if not name:
        return None
    return Common(*np.split(np.frombuffer(mapped.map_bytes(name), np.uint64), 2))
