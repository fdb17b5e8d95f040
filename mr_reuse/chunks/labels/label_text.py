"""Format labels as text: as lines of hexadecimal digits, as JSON, in summaries."""

import binascii
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from mr_reuse.chunks.discover import label_rule
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.engine.record import RunRecord
from mr_reuse.messages import format_count
from mr_reuse.shuffle.digest_sets import slice_arrays

KINDS = ('chunk', 'file', 'stop')


def header(labels: Labels) -> dict[str, Any]:
    """Return the fields of the header: the recipe, and the numbers of labels."""
    counts = zip(label_files.SECTIONS, map(len, labels[2:]), strict=True)
    return {**labels.recipe._asdict(), 'min_len': labels.min_len, **dict(counts)}


def format_fields(name: str, fields: Mapping[str, Any]) -> str:
    """Format the name and the header of a label file, a field a line.

    >>> print(format_fields('x.mrl', {'hash': 'sha1', 'chunks': 1234}))
    x.mrl
      hash        sha1
      chunks      1,234
    """
    lines = [
        f'  {key:<10}  {value:,}' if isinstance(value, int) else f'  {key:<10}  {value}'
        for key, value in fields.items()
    ]
    return '\n'.join([name, *lines])


def format_built(name: str, record: RunRecord, counts: list[int]) -> str:
    """Format the summary of `labels build`."""
    chunks, files, _ = counts
    stats, rate = record.discover.labels['chunk'], record.options.get('stop_bloom')
    lines = [
        f'{name}: {format_count(chunks, "chunk")} and {format_count(files, "file")}, '
        f'of {format_count(record.read["counts"].get("pages", 0), "page")}',
        f'left out: {format_count(stats.get("short", 0), "short chunk")} and '
        f'{stats.get("stop", 0):,} on the stop list',
        *([label_rule.describe_bloom(rate, stats)] if rate else []),
    ]
    return '\n'.join(lines) + '\n'


def format_counts(name: str, counts: Iterable[int]) -> str:
    """Format the numbers of digests in a label file as a line.

    >>> format_counts('x.mrl', [1234, 5, 6])
    'x.mrl: 1,234 chunks, 5 files, 6 stop chunks'
    """
    nouns = 'chunk', 'file', 'stop chunk'
    parts = map(format_count, counts, nouns)
    return f'{name}: {", ".join(parts)}'


def count_labels(labels: Labels, kinds: Iterable[str]) -> int:
    """Count the labels of the selected kinds."""
    return sum(len(keys) for *_, keys in _sections(labels, kinds))


def format_text(labels: Labels, kinds: Iterable[str], plain: bool) -> Iterator[bytes]:
    """Yield the lines of labels, many at a time."""
    for kind, _, keys in _sections(labels, kinds):
        before = b'' if plain else f'{kind}\t'.encode()
        for (part,) in slice_arrays([keys]):
            yield hex_lines(part, before)


def format_json(labels: Labels, kinds: Iterable[str]) -> Iterator[bytes]:
    """Yield the text of a JSON object of labels, many lines at a time."""
    head = labels.recipe._asdict() | {'min_len': labels.min_len}
    yield json.dumps(head)[:-1].encode()
    for _, section, keys in _sections(labels, kinds):
        yield f',\n"{section}": ['.encode()
        for (part,) in slice_arrays([keys[:-1]]):  # the last has no comma after it
            yield hex_lines(part, b'\n"', b'",')
        yield hex_lines(keys[-1:], b'\n"', b'"') + b']'
    yield b'}\n'


def _sections(
    labels: Labels, kinds: Iterable[str]
) -> Iterator[tuple[str, str, np.ndarray]]:
    named = zip(KINDS, label_files.SECTIONS, labels[2:], strict=True)
    return (section for section in named if section[0] in kinds)


def hex_lines(keys: np.ndarray, before: bytes = b'', after: bytes = b'\n') -> bytes:
    """Format digests as hexadecimal digits, with text before and after each.

    >>> hex_lines(np.array([[1, 255], [2, 0]], np.uint8), b'chunk ')
    b'chunk 01ff\\nchunk 0200\\n'
    """
    count, width = keys.shape
    digits = np.frombuffer(binascii.hexlify(keys.tobytes()), np.uint8)
    head, tail = (np.frombuffer(edge, np.uint8) for edge in (before, after))
    parts = [np.tile(head, (count, 1)), digits.reshape(count, 2 * width)]
    return np.hstack([*parts, np.tile(tail, (count, 1))]).tobytes()
