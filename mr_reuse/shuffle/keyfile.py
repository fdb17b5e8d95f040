"""Key files: sections of sorted keys of the same width, and a header.

    MAGIC     three letters and a digit, the version
    4 bytes   length of the header, little-endian
    header    JSON, ASCII: the number of keys in each section, and fields of the format
    keys      section after section, sorted and distinct
    32 bytes  SHA-256 of everything before, with the digit 1

Equal keys and fields have equal bytes, as a header has no time stamp. The digest is at
the end, so a file is written in one pass. Files of version 1 lack it. It is the SHA-256
of such a file, so what refers to a file by its digest does not depend on the version.
"""

import functools
import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.shuffle.digest_index import is_ascending
from mr_reuse.storage import mapped

VERSION, WITHOUT_DIGEST = b'2', b'1'  # versions that can be read
START = 8  # bytes before the header
DIGEST_SIZE = hashlib.sha256().digest_size
MAX_HEADER = 1 << 16  # bytes; a usual header has a few hundred
COPY = 1 << 20  # bytes to read at a time


class Format(NamedTuple):
    """A kind of key file."""

    letters: bytes  # of the magic
    title: str  # in messages: 'label file'
    remedy: str  # for a file without a digest; '{}' stands for its name
    sections: tuple[str, ...]
    # Turns the other fields of a header into the width of the keys, and a value that
    # `parse` returns.
    read_fields: Callable[[dict[str, Any]], tuple[int, Any]]

    @property
    def magic(self) -> bytes:
        """The first bytes of a file of the current version."""
        return self.letters + VERSION


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
    head = len(text).to_bytes(4, 'little') + text
    digest = hashlib.sha256(format_.letters + WITHOUT_DIGEST)
    stream.write(format_.magic)
    for data in itertools.chain([head], (keys.tobytes() for keys in pieces)):
        digest.update(data)
        stream.write(data)
    stream.write(digest.digest())


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
    name: str, data: memoryview, format_: Format, is_trusted: bool = False
) -> tuple[Any, list[np.ndarray]]:
    """Parse a key file, which may be mapped into memory.

    Returns the result of `read_fields`, and the keys of each section. Raises
    `UserError` if the file is damaged. The digest and the order of the keys of a
    trusted file are not verified, as that reads all of it.
    """
    title = format_.title
    digest_size = DIGEST_SIZE if _has_digest(name, data, format_) else 0
    size = int.from_bytes(data[4:START], 'little')
    text = bytes(data[START : START + min(size, MAX_HEADER)])
    try:
        counts, width, meaning = _read_header(text, format_)
    except UserError as error:
        raise UserError(f'{name}: not for this version: {error}') from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f'{name}: the header of this {title} is damaged') from None
    end = START + size + width * sum(counts)
    length = end + digest_size
    if len(data) != length:
        problem = 'cut' if len(data) < length else 'too long'
        raise UserError(
            f'{name}: this {title} is {problem}: {len(data):,} bytes, '
            f'{length:,} by its header'
        )
    if not (is_trusted or _is_sound(data, end)):
        raise UserError(
            f'{name}: this {title} is damaged: its bytes have changed since it was '
            'written; make it again'
        )
    keys = np.frombuffer(data, np.uint8, end - START - size, START + size)
    sections = _divide(keys.reshape(-1, width), counts)
    for section, part in zip(format_.sections, sections, strict=True):
        if not is_trusted and not is_ascending(part):
            raise UserError(
                f'{name}: this {title} is damaged: its {section} are not in order'
            )
    if not (is_trusted or digest_size):
        _warn_of_old_version(name, format_)
    return meaning, sections


def read_digest(data: memoryview) -> str:
    """Return the digest of a sound key file, in hexadecimal."""
    if data[3:4] == WITHOUT_DIGEST:
        mapped.update_hash(hasher := hashlib.sha256(), data)
        return hasher.hexdigest()
    return bytes(data[-DIGEST_SIZE:]).hex()


def _has_digest(name: str, data: memoryview, format_: Format) -> bool:
    """Check the magic. Return whether files of this version end with a digest."""
    title, magic = format_.title, bytes(data[: len(format_.magic)])
    if magic == format_.magic:
        return True
    if magic == format_.letters + WITHOUT_DIGEST:
        return False
    if magic[:3] == format_.letters and magic[3:].isdigit():
        raise UserError(
            f'{name}: a {title} of another version ({magic.decode()}); this '
            f'program reads {format_.magic.decode()}'
        )
    raise UserError(
        f'{name}: not a {title} (it does not begin with {format_.magic.decode()})'
    )


def _is_sound(data: memoryview, end: int) -> bool:
    """Verify the digest of the bytes before `end`, if there is one behind them."""
    if end == len(data):
        return True
    digest = hashlib.sha256(bytes(data[:3]) + WITHOUT_DIGEST)
    mapped.update_hash(digest, data[4:end])
    return digest.digest() == data[end:]


@functools.cache  # a command may read a file several times
def _warn_of_old_version(name: str, format_: Format) -> None:
    warn(
        f'{name}: this {format_.title} is of an older version, so changed bytes go '
        f'unnoticed; {format_.remedy.format(name)}'
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
