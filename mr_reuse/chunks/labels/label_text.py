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


def header_fields(labels: Labels) -> dict[str, Any]:
    """Return the fields of the header: the recipe, and the numbers of digests."""
    counts = zip(label_files.SECTIONS, map(len, labels.sections), strict=True)
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
    return sum(len(keys) for *_, keys in _select_sections(labels, kinds))


def format_text(labels: Labels, kinds: Iterable[str], plain: bool) -> Iterator[bytes]:
    """Yield the lines of labels, many at a time."""
    for kind, _, keys in _select_sections(labels, kinds):
        prefix = b'' if plain else f'{kind}\t'.encode()
        for [piece] in slice_arrays([keys]):
            yield format_lines(piece, prefix)


def format_json(labels: Labels, kinds: Iterable[str]) -> Iterator[bytes]:
    """Yield the text of a JSON object of labels, many lines at a time."""
    fields = labels.recipe._asdict() | {'min_len': labels.min_len}
    yield json.dumps(fields).removesuffix('}').encode()
    for _, section, keys in _select_sections(labels, kinds):
        yield f',\n"{section}": ['.encode()
        for [piece] in slice_arrays([keys[:-1]]):  # the last has no comma after it
            yield format_lines(piece, b'\n"', b'",')
        yield format_lines(keys[-1:], b'\n"', b'"') + b']'
    yield b'}\n'


def _select_sections(
    labels: Labels, kinds: Iterable[str]
) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield kind, name and digests of each section of these kinds."""
    sections = zip(
        label_files.KINDS, label_files.SECTIONS, labels.sections, strict=True
    )
    return (section for section in sections if section[0] in kinds)


def format_lines(keys: np.ndarray, prefix: bytes = b'', suffix: bytes = b'\n') -> bytes:
    """Format digests as hexadecimal digits, with text before and after each.

    >>> format_lines(np.array([[1, 255], [2, 0]], np.uint8), b'chunk ')
    b'chunk 01ff\\nchunk 0200\\n'
    """
    count, width = keys.shape
    digits = np.frombuffer(binascii.hexlify(keys.tobytes()), np.uint8)
    left, right = (
        np.tile(np.frombuffer(text, np.uint8), (count, 1)) for text in (prefix, suffix)
    )
    return np.hstack([left, digits.reshape(count, 2 * width), right]).tobytes()
