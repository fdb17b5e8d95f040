"""Divide keys among the reducers of a step, and make lines of columns and of texts.

A partition is a part of the keys. A reducer reads one partition at a time. The key of a
shuffle line is `UNIT/PART`: the kind of its content, and the number of its partition in
hexadecimal digits. There are 2^BITS partitions. The first BITS bits of a digest are the
number of its partition. The number of partitions never changes a table.
"""

import hashlib
import zlib
from collections.abc import Iterable, Iterator

import pybase64 as base64

from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.protocol import Line

# A partition has at least so many rows, and at most twice as many, as long as MIN_BITS
# and MAX_BITS allow it. A reducer merges them in memory (`spilling.BOUND`).
ROWS_PER_PARTITION = 250_000
MIN_BITS = 6  # 64 partitions keep the reducers of a small cluster busy
MAX_BITS = 16  # `part_of_digest` reads two bytes of a digest
NAME_WIDTH = 16  # bytes of the digest of a name
MAX_LINE = 500_000  # bytes of texts in a line; in base64 they make 670,000


def bits_for(rows: int, least: int = MIN_BITS) -> int:
    """Choose the number of partitions, as bits, for about this many rows.

    >>> bits_for(0), bits_for(64_000_000), bits_for(10**9), bits_for(10**12)
    (6, 8, 11, 16)
    >>> bits_for(0, least=2), bits_for(1_000_000, least=2)
    (2, 2)
    """
    return min(MAX_BITS, max(least, (rows // ROWS_PER_PARTITION).bit_length() - 1))


def partition_key(unit: str, part: int) -> bytes:
    """Make the key of lines of a partition.

    >>> partition_key('chunk', 10)
    b'chunk/000a'
    """
    return b'%b/%04x' % (unit.encode(), part)


def start_of(unit: str) -> bytes:
    """Return the beginning of the keys of lines of a unit.

    >>> start_of('chunk'), partition_key('chunk', 10).startswith(start_of('chunk'))
    (b'chunk/', True)
    """
    return f'{unit}/'.encode()


def unit_of(key: bytes) -> str:
    """Return the kind of the content of lines with this key.

    >>> unit_of(b'file/0000')
    'file'
    """
    return key.partition(b'/')[0].decode()


def part_of(key: bytes) -> int:
    """Parse the number of the partition from a key.

    >>> part_of(b'chunk/000a')
    10
    """
    return int(key.partition(b'/')[2], 16)


def part_of_name(name: bytes, bits: int) -> int:
    """Assign a name, whose bytes are not random, to a partition.

    >>> part_of_name(b'a.org/', 6), part_of_name(b'b.org/', 6), part_of_name(b'x', 0)
    (46, 15, 0)
    """
    return zlib.crc32(name) >> (32 - bits)


def part_of_digest(digest: bytes, bits: int) -> int:
    """Assign a digest to a partition, as `packing.partition` does with whole columns.

    >>> part_of_digest(bytes([128, 64, 0]), 2), part_of_digest(bytes([128, 64, 0]), 10)
    (2, 513)
    """
    return int.from_bytes(digest[:2], 'big') >> (16 - bits)


def name_digest(name: str | bytes) -> bytes:
    """Make the digest that stands for a name in packed columns: a host, prefix or rid.

    >>> name_digest('').hex(), name_digest('a.org/') == name_digest(b'a.org/')
    ('cae66941d9efbd404e4d88758ea67670', True)
    """
    name = to_bytes(name) if isinstance(name, str) else name
    return hashlib.blake2b(name, digest_size=NAME_WIDTH).digest()


def pack_lines(unit: str, parts: Iterable[tuple[int, Rows]]) -> Iterator[Line]:
    """Pack the rows of partitions into lines of bounded length."""
    for part, rows in parts:
        for line in packing.pack_lines([rows]):
            yield partition_key(unit, part), line


def join_texts(texts: Iterable[bytes], separator: bytes = b'\t') -> Iterator[bytes]:
    """Join texts without the separator to as few values as the bound allows.

    A text above the bound is a value of its own.

    >>> list(join_texts([b'a', b'b']))
    [b'a\\tb']
    """
    buffer: list[bytes] = []
    size = 0
    for text in texts:
        if buffer and size + len(text) > MAX_LINE:
            yield separator.join(buffer)
            buffer, size = [], 0
        buffer.append(text)
        size += len(text) + 1
    if buffer:
        yield separator.join(buffer)


def split_texts(values: Iterable[bytes]) -> Iterator[bytes]:
    """Split the values of lines into the texts that `join_texts` joined.

    >>> list(split_texts([b'a\\tb', b'c']))
    [b'a', b'b', b'c']
    """
    return (text for value in values for text in value.split(b'\t'))


def pack_texts(texts: Iterable[bytes]) -> Iterator[bytes]:
    """Join texts that may have tabs, but no line feed, to values in base64.

    >>> [value] = pack_texts([b'a\\tb', b'c']); value
    b'YQliCmM='
    >>> unpack_texts(value)
    [b'a\\tb', b'c']
    """
    return map(base64.b64encode, join_texts(texts, b'\n'))


def unpack_texts(value: bytes) -> list[bytes]:
    """Split a value into the texts that `pack_texts` joined."""
    return base64.b64decode(value, validate=True).split(b'\n')


def lines_by_name(
    unit: str, texts: Iterable[tuple[bytes, bytes]], bits: int
) -> Iterator[Line]:
    """Make lines of texts for the partitions of their names, many texts in a line.

    >>> list(lines_by_name('in', [(b'a.org/', b'x'), (b'a.org/', b'y')], 6))
    [(b'in/002e', b'x\\ty')]
    """
    parts: dict[int, list[bytes]] = {}
    for name, text in texts:
        parts.setdefault(part_of_name(name, bits), []).append(text)
    for part, values in parts.items():
        for value in join_texts(values):
            yield partition_key(unit, part), value
