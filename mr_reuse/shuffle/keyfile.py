"""Key files: sealed files (`sealed.py`) of sorted keys of the same width.

The header has the number of keys in each section, and fields of the format. The data is
section after section, each sorted and distinct. Equal keys and fields have equal bytes,
as a header has no time stamp.

Files of version 1 lack the digest. It is the SHA-256 of such a file, so what refers to
a file by its digest does not depend on the version.
"""

import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.shuffle import sealed
from mr_reuse.shuffle.digest_index import is_ascending
from mr_reuse.shuffle.sealed import DIGEST_SIZE, Seal, check_natural
from mr_reuse.storage import mapped

VERSION = b'2'
WITHOUT_DIGEST = sealed.FIRST_VERSION
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
    def seal(self) -> Seal:
        """What the files of the current version have in common."""
        return Seal(self.letters, VERSION, self.title)


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
    sealed.write(stream, format_.seal, header, (keys.tobytes() for keys in pieces))


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
    seal = format_.seal
    has_digest = bytes(data[:4]) != format_.letters + WITHOUT_DIGEST
    if has_digest:
        sealed.check_magic(name, data, seal)
    read = functools.partial(_read_header, format_=format_)
    (counts, width, meaning), start = sealed.read_header(name, data, seal, read)
    size = width * sum(counts)
    length = start + size + DIGEST_SIZE * has_digest
    sealed.check_length(name, data, seal, length)
    if has_digest and not is_trusted:
        sealed.check_digest(name, data, seal)
    keys = np.frombuffer(data, np.uint8, size, start)
    sections = _divide(keys.reshape(-1, width), counts)
    for section, part in zip(format_.sections, sections, strict=True):
        if not is_trusted and not is_ascending(part):
            raise UserError(
                f'{name}: this {format_.title} is damaged: its {section} are not in '
                'order'
            )
    if not (is_trusted or has_digest):
        _warn_of_old_version(name, format_)
    return meaning, sections


def read_digest(data: memoryview) -> str:
    """Return the digest of a sound key file, in hexadecimal."""
    if data[3:4] == WITHOUT_DIGEST:
        mapped.update_hash(hasher := hashlib.sha256(), data)
        return hasher.hexdigest()
    return bytes(data[-DIGEST_SIZE:]).hex()


@functools.cache  # a command may read a file several times
def _warn_of_old_version(name: str, format_: Format) -> None:
    warn(
        f'{name}: this {format_.title} is of an older version, so changed bytes go '
        f'unnoticed; {format_.remedy.format(name)}'
    )


def _read_header(fields: dict[str, Any], format_: Format) -> tuple[list[int], int, Any]:
    """Return the counts, the width and the meaning of a header."""
    counts = [check_natural(fields.pop(name)) for name in format_.sections]
    return counts, *format_.read_fields(fields)


def _divide(keys: np.ndarray, counts: Sequence[int]) -> list[np.ndarray]:
    ends = np.cumsum([0, *counts]).tolist()
    return [keys[a:b] for a, b in zip(ends, ends[1:], strict=False)]
