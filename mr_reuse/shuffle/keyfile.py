"""Key files: sections of sorted keys of the same width, and a header.

    MAGIC    three letters and a digit, the version
    4 bytes  length of the header, little-endian
    header   JSON, ASCII: the number of keys in each section, and fields of the format
    keys     section after section, sorted and distinct

Equal keys and fields have equal bytes, as a header has no time stamp.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from mr_reuse.errors import UserError
from mr_reuse.shuffle.digest_index import is_ascending

START = 8  # bytes before the header
MAX_HEADER = 1 << 16  # bytes; a usual header has a few hundred
COPY = 1 << 20  # bytes to read at a time


class Format(NamedTuple):
    """A kind of key file."""

    magic: bytes
    title: str  # in messages: 'label file'
    sections: tuple[str, ...]
    # Turns the other fields of a header into the width of the keys, and a value that
    # `parse` returns.
    read_fields: Callable[[dict[str, Any]], tuple[int, Any]]


def write(
    stream: BinaryIO,
    format_: Format,
    fields: Mapping[str, Any],
    counts: Iterable[int],
    pieces: Iterable[np.ndarray],
) -> None:
    """Write a key file.

    `counts` are the numbers of keys in the sections. `pieces` are the keys of all
    sections, in their order.
    """
    header = dict(fields) | dict(zip(format_.sections, counts, strict=True))
    text = json.dumps(header, sort_keys=True).encode('ascii')
    stream.write(format_.magic + len(text).to_bytes(4, 'little') + text)
    for keys in pieces:
        stream.write(keys.tobytes())


def count_aside(
    sections: Iterable[Iterable[np.ndarray]], aside: BinaryIO
) -> tuple[list[int], Iterator[np.ndarray]]:
    """Count the keys of sections; return the counts, and an iterator over the keys.

    The header precedes the keys and has the counts, so the keys are written to the
    temporary file `aside` first.
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
    """Parse a key file, which may be mapped into memory.

    Returns the result of `read_fields`, and the keys of each section. Raises
    `UserError` if the file is damaged. With `checked`, the order of the keys is not
    verified, which would read all of them.
    """
    _check_magic(name, bytes(data[: len(format_.magic)]), format_)
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
    length = START + size + width * sum(counts)
    if len(data) != length:
        problem = 'cut' if len(data) < length else 'too long'
        raise UserError(
            f'{name}: this {format_.title} is {problem}: {len(data):,} bytes, '
            f'{length:,} by its header'
        )
    keys = np.frombuffer(data, np.uint8, offset=START + size).reshape(-1, width)
    sections = _divide(keys, counts)
    for section, part in zip(format_.sections, sections, strict=True):
        if not checked and not is_ascending(part):
            raise UserError(
                f'{name}: this {format_.title} is damaged: its {section} are not in '
                'order'
            )
    return meaning, sections


def _check_magic(name: str, magic: bytes, format_: Format) -> None:
    title, expected = format_.title, format_.magic
    if magic == expected:
        return
    if magic[:3] == expected[:3] and magic[3:].isdigit():
        raise UserError(
            f'{name}: a {title} of another version ({magic.decode()}); this '
            f'program reads {expected.decode()}'
        )
    raise UserError(
        f'{name}: not a {title} (it does not begin with {expected.decode()})'
    )


def _read_header(text: bytes, format_: Format) -> tuple[list[int], int, Any]:
    """Return the counts, the width and the meaning of a header.

    A damaged header raises any of the errors that `parse` catches.
    """
    fields = json.loads(text)
    counts = [check_natural(fields.pop(name)) for name in format_.sections]
    return counts, *format_.read_fields(fields)


def check_natural(value: Any) -> int:
    """Check that a field is an integer of at least 0; raise `ValueError` otherwise.

    >>> check_natural(0), check_natural(12)
    (0, 12)
    """
    if type(value) is not int or value < 0:
        raise ValueError
    return value


def _divide(keys: np.ndarray, counts: Sequence[int]) -> list[np.ndarray]:
    ends = np.cumsum([0, *counts]).tolist()
    return [keys[a:b] for a, b in zip(ends, ends[1:], strict=False)]
