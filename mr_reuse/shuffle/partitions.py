"""Partitions of a step: parts of the keys, which a reducer reads one at a time.

The key of a shuffle line is `UNIT/PART`: the kind of its content, and the number of its
partition in hexadecimal digits. There are 2^BITS partitions. The first BITS bits of a
digest are the number of its partition. The number of partitions never changes a table.
"""

import hashlib
import zlib
from collections.abc import Iterable, Iterator

from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.protocol import Line

# At least; up to twice as many. A reducer merges them in memory (`spilling.BOUND`).
ROWS_PER_PARTITION = 250_000
MIN_BITS = 6  # 64 partitions keep the reducers of a small cluster busy
MAX_BITS = 16  # `part_of_digest` reads two bytes of a digest
NAME_WIDTH = 16  # bytes of the digest of a name


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
