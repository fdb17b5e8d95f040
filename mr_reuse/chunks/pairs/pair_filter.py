"""The bitmap of chunks with several copies: only these can be on two sites.

FilterStopChunks, which reads all counts, writes it in lines `copied/PART`.
"""

from collections.abc import Iterable, Iterator

import pybase64 as base64

from mr_reuse import storage
from mr_reuse.shuffle import bitmap, protocol
from mr_reuse.shuffle.bitmap import Bitmap, Block
from mr_reuse.shuffle.partitions import part_of, partition_key, unit_of
from mr_reuse.shuffle.protocol import Line

UNIT = 'copied'


def pack_bitmap(copied: Bitmap) -> Iterator[Line]:
    """Yield the lines of a bitmap, without empty blocks."""
    for number, block in copied.blocks():
        yield partition_key(UNIT, number), base64.b64encode(block)


def write_bitmap(name: str, bits: int, parts: Iterable[str]) -> None:
    """Write the union of the bitmaps in part files, as a file for tasks."""
    with storage.write(name) as stream:
        stream.write(bitmap.unite_blocks(bits, _read_blocks(parts)))


def _read_blocks(parts: Iterable[str]) -> Iterator[Block]:
    for key, value in protocol.read_parts(parts):
        if unit_of(key) == UNIT:
            yield part_of(key), base64.b64decode(value, validate=True)
