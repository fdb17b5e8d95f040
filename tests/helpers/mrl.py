"""Label files written and read as the format is described, by nothing of ours."""

import hashlib
import json
from pathlib import Path

HEAD = {
    'hash': 'sha1',
    'delimiters': 'p,div',
    'normalize': 'none',
    'compat': 'none',
    'min_len': 100,
}
SECTIONS = ['chunks', 'files', 'stop']


def sha1(text) -> str:
    return hashlib.sha1(str(text).encode()).hexdigest()


def some(*numbers) -> set[str]:
    """The hashes of some numbers."""
    return {sha1(n) for n in numbers}


def in_bytes(head: dict, hashes) -> bytes:
    """A label file with this header, whatever it says."""
    text = json.dumps(head, sort_keys=True).encode()
    size = len(text).to_bytes(4, 'little')
    return sealed(b'MRL2' + size + text + b''.join(map(bytes.fromhex, hashes)))


def sealed(data: bytes) -> bytes:
    """Data with its digest at the end, that of version 1."""
    return data + hashlib.sha256(old_version(data)).digest()


def old_version(data: bytes) -> bytes:
    """The same file as version 1 has it, but for the digest."""
    return data[:3] + b'1' + data[4:]


def write(path: Path, chunks=(), files=(), stop=(), **head) -> Path:
    """A label file as it should be."""
    sections = [sorted(set(s)) for s in (chunks, files, stop)]
    counts = dict(zip(SECTIONS, map(len, sections), strict=True))
    path.write_bytes(in_bytes(HEAD | counts | head, sum(sections, [])))
    return path


def read(path: Path) -> tuple[dict, list[set[str]]]:
    """The header and the three sets of a label file, which have to be sorted."""
    data = path.read_bytes()
    assert data[:4] == b'MRL2' and sealed(data[:-32]) == data
    at = 8 + int.from_bytes(data[4:8], 'little')
    head = json.loads(data[8:at])
    width = {'sha1': 20, 'sha256': 32}[head['hash']]
    sections = []
    for name in SECTIONS:
        end = at + width * head[name]
        found = [data[i : i + width].hex() for i in range(at, end, width)]
        assert found == sorted(set(found))
        sections.append(set(found))
        at = end
    assert at == len(data) - 32
    return head, sections
