"""Rows of a table that reducers write in order, in lines `UNIT/PART  ROWS`.

A reducer has all rows of its partition, and writes them sorted, packed as texts. The
numbers of the partitions ascend in the order of the table, so the table is the
partitions one after another. Reducers may have written them to any part files and in
any order: Spark does not sort keys, and a cluster has many reducers.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.partitions import (
    pack_texts,
    part_of,
    partition_key,
    unit_of,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line


class Stretch(NamedTuple):
    """Neighboring lines of a partition in a part file."""

    part: int
    file: int  # the number of the part file
    start: int  # offset of the first line
    end: int  # offset after the last line


def pack_rows(unit: str, part: int, rows: Iterable[bytes]) -> Iterator[Line]:
    """Make the lines of the sorted rows of a partition; a row has no line feed.

    >>> list(pack_rows('row', 10, [b'a\\tb', b'c']))
    [(b'row/000a', b'YQliCmM=')]
    """
    for value in pack_texts(rows):
        yield partition_key(unit, part), value


def read_in_order(parts: Iterable[str], unit: str) -> Iterator[bytes]:
    """Yield the rows of part files in the order of their partitions.

    Lines of other units are left out. Only the places of partitions are in memory, not
    their rows: all files are read once to find them, and once more in order.
    """
    for value in read_values_in_order(parts, unit):
        yield from unpack_texts(value)


def read_values_in_order(parts: Iterable[str], unit: str) -> Iterator[bytes]:
    """Yield the values of the lines of a unit in the order of their partitions."""
    names = list(parts)
    for stretch in sorted(find_stretches(names, unit)):
        yield from _read_values(names[stretch.file], stretch)


def find_stretches(names: Iterable[str], unit: str) -> Iterator[Stretch]:
    """Yield the stretches of the lines of a unit, file by file."""
    for number, name in enumerate(names):
        with storage.open_read(name) as stream:
            yield from index_stretches(number, stream, unit)


def index_stretches(file: int, lines: Iterable[bytes], unit: str) -> Iterator[Stretch]:
    """Yield the stretches of a part file.

    >>> lines = [b'row/0001\\tYQ==\\n', b'row/0001\\tYg==\\n', b'row/0000\\tYw==\\n']
    >>> for stretch in index_stretches(7, [*lines, b'@\\t{}\\n'], 'row'):
    ...     print(*stretch)
    1 7 0 28
    0 7 28 42
    """
    key_before, start, end = b'', 0, 0
    for line in lines:
        key, tab, _ = line.partition(b'\t')
        if not tab:
            raise ValueError(f'a line is damaged: it has no tab: {line[:40]!r}')
        if key != key_before:
            yield from _stretch(key_before, unit, file, start, end)
            key_before, start = key, end
        end += len(line)
    yield from _stretch(key_before, unit, file, start, end)


def _stretch(
    key: bytes, unit: str, file: int, start: int, end: int
) -> Iterator[Stretch]:
    if unit_of(key) == unit:
        yield Stretch(part_of(key), file, start, end)


def _read_values(name: str, stretch: Stretch) -> Iterator[bytes]:
    """Yield the values of a stretch. Raises OSError if the file has become shorter."""
    at = stretch.start
    with storage.open_read(name, at) as stream:
        while at < stretch.end:
            line = stream.readline()
            if not line:
                raise OSError(f'{name}: shorter than when it was indexed')
            at += len(line)
            [(_, value)] = protocol.read_lines([line])
            yield value
