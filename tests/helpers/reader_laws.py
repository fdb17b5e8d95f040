"""What holds for the reading of any bytes, and archives for which it might not.

`make fuzz-reader` searches for bytes for which it does not hold.
"""

import gzip
import random
import re
import zlib
from pathlib import Path

import pytest
import zstandard
from damaged_reading import body_of, read, shrink, twice

from mr_reuse import kernel
from mr_reuse.archives import ordinary, reader
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.containers import members

MAX_PLAIN = 1 << 20  # bytes of an archive that are packed again
MAGICS = (b'\x1f\x8b\x08', b'\x28\xb5\x2f\xfd', b'\x2a\x4d\x18')
WORDS = (
    b'WARC/1.0\r\n',
    b'\r\n\r\n',
    b'\n ',
    b'Content-Length: 9\r\n',
    b'Content-Length: 99999999999\r\n',
    b'WARC-Type: response\r\n',
    b'http://x.org/ 192.0.2.1 20200102030405 text/html 9\n',
    b'HTTP/1.1 200 OK\r\n\r\n',
    b'Content-Encoding: gzip\r\n',
    b'Transfer-Encoding: chunked\r\n',
    b'1\r\na\r\n',
    b'\x1f\x8b\x08\x00',
    b'\x28\xb5\x2f\xfd',
    b'\x5d\x2a\x4d\x18\x04\x00\x00\x00',
)


def check(path: Path) -> None:
    """Read an archive in several ways, and assert that all of them agree."""
    found, stats = first = read(path)
    assert not twice(found), 'an offset occurs twice'
    data = path.read_bytes()
    if not any(magic in data for magic in MAGICS):
        lost = sum(size for _, size in stats.damage.values())
        bodies = sum(len(body) for _, _, body, _ in found)
        assert lost + bodies <= len(data), 'more was lost or read than was there'
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(kernel.PURE, '1')
        patch.setattr(members, 'find', bytes.find)
        agree(read(path), first)
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch, 16 << 20, 97)
        agree(read(path), first)
        shrink(patch, 8, 97)
        patch.setattr(ordinary, 'MAX_RECORD', 1 << 20)
        again, _ = read(path)
        # Large members and records that are damaged may cost others than small ones.
        assert again == found or stats.damage
    bodies = {offset: body for offset, _, body, _ in found}
    again = reader.items_at_offsets(str(path), list(bodies))
    refound = {offset: body_of(item) for offset, item in again}
    # Damage in front of a record may be what lets it look like one.
    assert refound == bodies or (stats.damage and refound.items() <= bodies.items())


def agree(
    again: tuple[list[tuple], ArchiveStats], first: tuple[list[tuple], ArchiveStats]
) -> None:
    assert again[0] == first[0]
    assert vars(again[1]) == vars(first[1])


def mutate(data: bytes, seed: int, max_size: int = MAX_PLAIN) -> bytes:
    """Change an archive in a few places, most often inside its compression."""
    dice = random.Random(seed)
    if dice.random() < 0.7:
        plain = unpack(data)
        for _ in range(dice.choice([0, 1, 1, 2, 4])):
            plain = hit(plain, dice)
        data = pack(plain, dice)
    if dice.random() < 0.5:
        data = hit(data, dice)
    return data[:max_size]


def hit(data: bytes, dice: random.Random) -> bytes:
    """Change one place."""
    at = dice.randrange(len(data) + 1)
    few = dice.choice([1, 1, 2, 9, 100, 1000])
    return dice.choice(
        [
            data[:at] + data[at + few :],
            data[:at] + dice.choice(WORDS) + data[at:],
            data[:at] + dice.choice(WORDS) + data[at + few :],
            data[:at] + dice.randbytes(few) + data[at + few :],
            data[:at] + data[at - few : at] * 2 + data[at:],
            data[:at] + bytes(few) + data[at:],
            data[: at + few] + data[at:],
            data[:at],
        ]
    )


def unpack(data: bytes) -> bytes:
    """Inflate all members or frames that can be inflated; b'' of what cannot."""
    plain = b''
    if data.startswith(b'\x28\xb5'):
        inflater = zstandard.ZstdDecompressor(max_window_size=MAX_PLAIN)
        frames = inflater.stream_reader(data, read_across_frames=True)
        try:
            return frames.read(MAX_PLAIN)
        except zstandard.ZstdError:
            return plain
    while data.startswith(b'\x1f\x8b') and len(plain) < MAX_PLAIN:
        inflater = zlib.decompressobj(31)
        try:
            plain += inflater.decompress(data, MAX_PLAIN)
        except zlib.error:
            break
        data = inflater.unused_data
    return plain or data


def pack(plain: bytes, dice: random.Random) -> bytes:
    """Pack an archive by record, as a whole or in pieces, or leave it plain."""
    parts = [plain]
    size = dice.choice([1, 60, 300, 5000])
    if (cut := dice.randrange(4)) == 0:
        end = min(len(plain), 99 * size)
        parts = [plain[at : at + size] for at in range(0, end, size)]
    elif cut < 3:
        parts = re.split(rb'(?=WARC/)', plain)
    packers = {
        'gzip': lambda part: gzip.compress(part, dice.choice([0, 6]), mtime=0),
        'zstd': zstandard.ZstdCompressor(write_checksum=dice.random() < 0.5).compress,
        'plain': bytes,
    }
    packer = packers[dice.choice(['gzip', 'gzip', 'zstd', 'plain'])]
    return b''.join(map(packer, parts))
