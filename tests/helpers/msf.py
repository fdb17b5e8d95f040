"""Style files read and written as the format is described, by nothing of ours."""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

MAGIC = b'MSF1'


class Member(NamedTuple):
    style: int
    keys: list[int | None]
    rid: str
    url: str


def split(data: bytes) -> tuple[dict, bytes]:
    """The header, and all that follows but for the digest, which has to be right."""
    assert data[:4] == MAGIC and hashlib.sha256(data[:-32]).digest() == data[-32:]
    start = 8 + int.from_bytes(data[4:8], 'little')
    return json.loads(data[8:start]), data[start:-32]


def join(header: dict, body: bytes) -> bytes:
    """A style file with this header, whatever it says."""
    return with_head(json.dumps(header, sort_keys=True).encode(), body)


def with_head(text: bytes, body: bytes = b'') -> bytes:
    data = MAGIC + len(text).to_bytes(4, 'little') + text + body
    return data + hashlib.sha256(data).digest()


def read(path: Path) -> tuple[dict, list[Member], set[tuple[int, int]]]:
    """The header, the members, and the values that count as empty."""
    header, body = split(path.read_bytes())
    width = next(w for w in (1, 2, 4, 8) if header['key_bits'] <= 8 * w)
    empty, at = 2 ** (8 * width) - 1, 0

    def take(size: int) -> int:
        nonlocal at
        at += size
        return int.from_bytes(body[at - size : at], 'little')

    rows = []
    for _ in range(header['members']):
        keys = [take(width) for _ in range(header['m'])]
        rows.append(([None if k == empty else k for k in keys], take(8), take(8)))
    ignored = [(take(8), take(8)) for _ in range(header['ignored'])]
    names, start, members = body[at:], 0, []
    for keys, style, end in rows:
        rid, url = names[start:end].decode().split('\t')
        members.append(Member(style, keys, rid, url))
        start = end
    assert start == len(names) == header['names']
    assert sorted(set(ignored)) == ignored
    return header, members, set(ignored)
