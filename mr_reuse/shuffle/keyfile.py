"""Key files: sorted keys of one width in sections, and a header that describes them.

    MAGIC    three letters and a digit, the version
    4 bytes  length of the header, little-endian
    header   JSON, ASCII: the number of keys in each section, and fields of the format
    keys     section after section, sorted, each once

The same keys and fields are the same bytes; a header has no time stamp.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from mr_reuse.errors import UserError
from mr_reuse.shuffle.digest_index import ascend

START = 8  # bytes before the header
MAX_HEADER = 1 << 16  # bytes; a header has a few hundred
COPY = 1 << 20  # bytes


class Format(NamedTuple):
    """A kind of key file."""

    magic: bytes
    title: str  # in messages: 'label file'
    sections: tuple[str, ...]
    # Makes of the other fields of a header the width of the keys, and what they mean.
    read_fields: Callable[[dict[str, Any]], tuple[int, Any]]


def write(
    stream: BinaryIO,
    format_: Format,
    fields: Mapping[str, Any],
    counts: Iterable[int],
    pieces: Iterable[np.ndarray],
) -> None:
    """Write a key file.

    `counts` are the numbers of keys in the sections; `pieces` are the keys of all
    sections, one after another.
    """
    header = dict(fields) | dict(zip(format_.sections, counts, strict=True))
    text = json.dumps(header, sort_keys=True).encode('ascii')
    stream.write(format_.magic + len(text).to_bytes(4, 'little') + text)
    for keys in pieces:
        stream.write(keys.tobytes())


def count_aside(
    sections: Iterable[Iterable[np.ndarray]], aside: BinaryIO
) -> tuple[list[int], Iterator[np.ndarray]]:
    """Count keys that come in pieces; returns the counts of sections, and the keys.

    The header of a file needs the counts, so the keys wait in a file aside.
    """
    counts = []
    for pieces in sections:
        counts.append(0)
        for keys in pieces:
            aside.write(keys.tobytes())
            counts[-1] += len(keys)
    aside.seek(0)
    return counts, (
        np.frombuffer(data, np.uint8) for data in iter(lambda: aside.read(COPY), b'')
    )


def parse(
    name: str, data: memoryview, format_: Format, checked: bool = False
) -> tuple[Any, list[np.ndarray]]:
    """Read a key file, which may be mapped into memory; refuse it if it is damaged.

    Returns what `read_fields` made of the header, and the keys of each section. With
    `checked`, the order of the keys is taken for granted: to check it, all are read.
    """
    _must_be_of(name, bytes(data[: len(format_.magic)]), format_)
    size = int.from_bytes(data[4:START], 'little')
    text = bytes(data[START : START + min(size, MAX_HEADER)])
    try:
        counts, width, meaning = _read_header(text, format_)
    except UserError as error:
        raise UserError(f'{name}: not for this version: {error}') from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(
            f'{name}: the header of this {format_.title} is damaged'
        ) from None
    whole = START + size + width * sum(counts)
    if len(data) != whole:
        what = 'cut' if len(data) < whole else 'too long'
        raise UserError(
            f'{name}: this {format_.title} is {what}: {len(data):,} bytes, {whole:,} '
            'by its header'
        )
    keys = np.frombuffer(data, np.uint8, offset=START + size).reshape(-1, width)
    sections = _divide(keys, counts)
    for section, part in zip(format_.sections, sections, strict=True):
        if not checked and not ascend(part):
            raise UserError(
                f'{name}: this {format_.title} is damaged: its {section} are not in '
                'order'
            )
    return meaning, sections


def _must_be_of(name: str, magic: bytes, format_: Format) -> None:
    title, ours = format_.title, format_.magic
    if magic == ours:
        return
    if magic[:3] == ours[:3] and magic[3:].isdigit():
        raise UserError(
            f'{name}: a {title} of another version ({magic.decode()}); this '
            f'program reads {ours.decode()}'
        )
    raise UserError(f'{name}: not a {title} (it does not begin with {ours.decode()})')


def _read_header(text: bytes, format_: Format) -> tuple[list[int], int, Any]:
    """The counts, the width and the meaning; an error of some kind if it is odd."""
    fields = json.loads(text)
    counts = [natural(fields.pop(name)) for name in format_.sections]
    return counts, *format_.read_fields(fields)


def natural(value: Any) -> int:
    """Check that a field is a number without a sign.

    >>> natural(0), natural(12)
    (0, 12)
    """
    if type(value) is not int or value < 0:
        raise ValueError
    return value


def _divide(keys: np.ndarray, counts: Sequence[int]) -> list[np.ndarray]:
    ends = np.cumsum([0, *counts]).tolist()
    return [keys[a:b] for a, b in zip(ends, ends[1:], strict=False)]
