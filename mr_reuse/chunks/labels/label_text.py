"""Labels as text: lines of hexadecimal digits, or JSON; and what is told of them."""

import binascii
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from mr_reuse.chunks.discover import stop_chunks
from mr_reuse.chunks.labels import label_format
from mr_reuse.chunks.labels.label_format import Labels
from mr_reuse.engine.record import RunRecord
from mr_reuse.shuffle.digest_sets import slices

KINDS = ('chunk', 'file', 'stop')


def header(labels: Labels) -> dict[str, Any]:
    """What made some labels, and how many there are."""
    counts = zip(label_format.SECTIONS, map(len, labels[2:]), strict=True)
    return {**labels.recipe._asdict(), 'min_len': labels.min_len, **dict(counts)}


def listed(name: str, told: Mapping[str, Any]) -> str:
    """A label file and what is told of it, a line each.

    >>> print(listed('x.mrl', {'hash': 'sha1', 'chunks': 1234}))
    x.mrl
      hash        sha1
      chunks      1,234
    """
    lines = [
        f'  {key:<10}  {value:,}' if isinstance(value, int) else f'  {key:<10}  {value}'
        for key, value in told.items()
    ]
    return '\n'.join([name, *lines])


def built(name: str, record: RunRecord, counts: list[int]) -> str:
    """What was labeled, for people."""
    chunks, files, _ = counts
    left, rate = record.discover.labels['chunk'], record.options.get('stop_bloom')
    lines = [
        f'{name}: {chunks:,} chunks and {files:,} files, of '
        f'{record.read["counts"].get("pages", 0):,} pages',
        f'left out: {left.get("short", 0):,} short chunks and '
        f'{left.get("stop", 0):,} on the stop list',
        *([stop_chunks.bloom_line(rate, left)] if rate else []),
    ]
    return '\n'.join(lines) + '\n'


def counted(name: str, counts: Iterable[int]) -> str:
    """What was written into a label file, in a line.

    >>> counted('x.mrl', [1234, 5, 6])
    'x.mrl: 1,234 chunks, 5 files, 6 stop chunks'
    """
    names = 'chunks', 'files', 'stop chunks'
    parts = [f'{n:,} {unit}' for n, unit in zip(counts, names, strict=True)]
    return f'{name}: {", ".join(parts)}'


def number_of(labels: Labels, kinds: Iterable[str]) -> int:
    """How many labels of some kinds there are."""
    return sum(len(keys) for *_, keys in _sections(labels, kinds))


def as_text(labels: Labels, kinds: Iterable[str], plain: bool) -> Iterator[bytes]:
    """The lines of labels, many at a time."""
    for kind, _, keys in _sections(labels, kinds):
        before = b'' if plain else f'{kind}\t'.encode()
        for (some,) in slices([keys]):
            yield hex_lines(some, before)


def as_json(labels: Labels, kinds: Iterable[str]) -> Iterator[bytes]:
    """A JSON object of labels, many lines at a time."""
    head = labels.recipe._asdict() | {'min_len': labels.min_len}
    yield json.dumps(head)[:-1].encode()
    for _, section, keys in _sections(labels, kinds):
        yield f',\n"{section}": ['.encode()
        for (some,) in slices([keys[:-1]]):
            yield hex_lines(some, b'\n"', b'",')
        yield hex_lines(keys[-1:], b'\n"', b'"') + b']'
    yield b'}\n'


def _sections(
    labels: Labels, kinds: Iterable[str]
) -> Iterator[tuple[str, str, np.ndarray]]:
    named = zip(KINDS, label_format.SECTIONS, labels[2:], strict=True)
    return (section for section in named if section[0] in kinds)


def hex_lines(keys: np.ndarray, before: bytes = b'', after: bytes = b'\n') -> bytes:
    """Digests as hexadecimal digits, with something around each.

    >>> hex_lines(np.array([[1, 255], [2, 0]], np.uint8), b'chunk ')
    b'chunk 01ff\\nchunk 0200\\n'
    """
    count, width = keys.shape
    digits = np.frombuffer(binascii.hexlify(keys.tobytes()), np.uint8)
    head, tail = (np.frombuffer(edge, np.uint8) for edge in (before, after))
    parts = [np.tile(head, (count, 1)), digits.reshape(count, 2 * width)]
    return np.hstack([*parts, np.tile(tail, (count, 1))]).tobytes()
