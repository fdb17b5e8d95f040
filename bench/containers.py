"""What it costs to read the same records in other containers, on one core.

    python bench/containers.py CORPUS [--archives 3] [-n 5]

The first archives of CORPUS are written again: in blocks of gzip that do not follow
records, as bgzip writes them, in a frame of Zstandard for each record, and in a WACZ,
as they are and deflated. Each form is read in turn. The table has the least CPU
seconds, and their ratio to those of gzip with a member for each record.
"""

import argparse
import hashlib
import json
import os
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import zstandard

from mr_reuse.archives import reader
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.sources import Source

BLOCK = 65_280  # bytes, as in bgzip
LEVEL = 10  # of Zstandard; archives are written once


def records(name: str) -> Iterator[bytes]:
    """The inflated members of an archive."""
    with open(name, 'rb') as file:
        data = file.read()
    while data:
        inflater = zlib.decompressobj(31)
        yield inflater.decompress(data)
        data = inflater.unused_data


def block(data: bytes) -> bytes:
    """A member with its own length in an extra field."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    body = packer.compress(data) + packer.flush()
    head = b'\x1f\x8b\x08\x04' + bytes(5) + b'\xff\x06\x00BC\x02\x00'
    size = (len(body) + 25).to_bytes(2, 'little')
    trailer = zlib.crc32(data).to_bytes(4, 'little') + len(data).to_bytes(4, 'little')
    return head + size + body + trailer


def write_wacz(name: str, wacz: str, method: int) -> str:
    """Write a WACZ with an archive and its hash; return the name of the archive."""
    with open(name, 'rb') as file:
        data = file.read()
    path = f'archive/{os.path.basename(name)}'
    digest = f'sha256:{hashlib.sha256(data).hexdigest()}'
    resource = {'path': path, 'hash': digest, 'bytes': len(data)}
    with zipfile.ZipFile(wacz, 'w', method) as package:
        package.writestr(path, data)
        package.writestr('datapackage.json', json.dumps({'resources': [resource]}))
    return f'{wacz}/{path}'


def write_again(name: str, folder: str) -> dict[str, str]:
    """Write an archive in the other containers; return the names of all."""
    stem = os.path.join(folder, os.path.basename(name).partition('.')[0])
    names = {
        'gzip, a member for each record': name,
        'gzip in blocks': f'{stem}-blocks.warc.gz',
        'Zstandard, a frame for each record': f'{stem}.warc.zst',
        'WACZ, stored': write_wacz(name, f'{stem}.wacz', zipfile.ZIP_STORED),
        'WACZ, deflated': write_wacz(name, f'{stem}-2.wacz', zipfile.ZIP_DEFLATED),
    }
    _, blocks, frames, *_ = names.values()
    packer = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
    rest = b''
    with open(blocks, 'wb') as in_blocks, open(frames, 'wb') as in_frames:
        for record in records(name):
            in_frames.write(packer.compress(record))
            rest += record
            while len(rest) >= BLOCK:
                in_blocks.write(block(rest[:BLOCK]))
                rest = rest[BLOCK:]
        in_blocks.write(block(rest) + block(b''))
    return names


def read(names: list[str]) -> tuple[float, int]:
    """Read all items; the CPU seconds and the bytes of the bodies."""
    begun, size = time.process_time(), 0
    for name in names:
        stats = ArchiveStats(name)
        for item in reader.read_source(Source('archive', name, name), stats):
            size += sum(map(len, item.blocks))
        assert not stats.damage and not stats.notes, stats.as_dict()
    return time.process_time() - begun, size


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('corpus', help='a folder of sound archives')
    parser.add_argument('--archives', type=int, default=3)
    parser.add_argument('-n', type=int, default=5, help='repetitions')
    options = parser.parse_args()
    archives = sorted(Path(options.corpus).glob('*.warc.gz'))[: options.archives]
    with tempfile.TemporaryDirectory() as folder:
        all_names = [write_again(str(name), folder) for name in archives]
        forms = {form: [names[form] for names in all_names] for form in all_names[0]}
        turns = [
            {form: read(names) for form, names in forms.items()}
            for _ in range(options.n)
        ]
    assert len({size for turn in turns for _, size in turn.values()}) == 1
    best = {form: min(turn[form][0] for turn in turns) for form in forms}
    usual = next(iter(best.values()))
    for form, seconds in best.items():
        print(f'{form:36} {seconds:6.3f} s {seconds / usual:6.2f}')


if __name__ == '__main__':
    main()
