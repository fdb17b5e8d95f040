"""Stop lists and other lists of hashes, as people keep them: one a line."""

import gzip
from collections.abc import Iterable

import numpy as np

from mr_reuse import archives, labelfile, storage
from mr_reuse.errors import UserError
from mr_reuse.hashing import Chunker


def load(name: str, chunker: Chunker) -> np.ndarray:
    """The digests of a list: of the first word of each line, or of a label file."""
    _must_exist(name)
    if storage.starts_with(name, labelfile.MAGIC):
        labels = storage.labels(name)
        labelfile.must_match(name, labels, chunker)
        return labelfile.distinct(np.concatenate([labels.chunks, labels.stop]))
    found = bytearray()
    for number, line in enumerate(archives.read_lines(name), 1):
        word = line.split(None, 1)[:1]
        if not word or word[0].startswith(b'#') or word[0] == b'hash':
            continue
        digest = _digest(word[0])
        if len(digest) != chunker.width:
            raise UserError(
                f'{name}, line {number}: {word[0][:50]!r} is no {chunker.hash} hash'
            )
        found += digest
    keys = np.frombuffer(bytes(found), np.uint8).reshape(-1, chunker.width)
    return labelfile.distinct(keys)


def _must_exist(name: str) -> None:
    if not storage.exists(name) or storage.is_dir(name):
        raise UserError(f'{name}: no such file')


def _digest(word: bytes) -> bytes:
    try:
        return bytes.fromhex(word.decode('ascii'))
    except ValueError:
        return b''


def write_gzip(name: str, lines: Iterable[bytes]) -> str:
    """Lines in a gzipped file, which every runner gives to just one task."""
    with storage.write(name) as stream, gzip.open(stream, 'wb', 1) as packed:
        packed.writelines(line + b'\n' for line in lines)
    return name
