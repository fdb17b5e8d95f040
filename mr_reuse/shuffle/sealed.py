"""Sealed files: a header, data, and a digest of all bytes before it.

    MAGIC     three letters and a digit, the version
    4 bytes   length of the header, little-endian
    header    JSON, ASCII
    data
    32 bytes  SHA-256 of everything before, with the digit 1

The digest is at the end, so a file is written in one pass.
"""

import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, BinaryIO, NamedTuple, TypeVar

from mr_reuse.errors import UserError
from mr_reuse.storage import mapped

FIRST_VERSION = b'1'
START = 8  # bytes before the header
DIGEST_SIZE = hashlib.sha256().digest_size
MAX_HEADER = 1 << 16  # bytes; a usual header has a few hundred
Header = TypeVar('Header')


class Seal(NamedTuple):
    """What the files of a kind have in common."""

    letters: bytes  # of the magic
    version: bytes
    title: str  # in messages: 'label file'

    @property
    def magic(self) -> bytes:
        """The first bytes of a file."""
        return self.letters + self.version


def write(
    stream: BinaryIO, seal: Seal, header: Mapping[str, Any], pieces: Iterable[Any]
) -> None:
    """Write a sealed file. The pieces of its data are bytes, or arrays of them."""
    text = json.dumps(header, sort_keys=True).encode('ascii')
    head = len(text).to_bytes(4, 'little') + text
    digest = hashlib.sha256(seal.letters + FIRST_VERSION)
    stream.write(seal.magic)
    for data in itertools.chain([head], pieces):
        digest.update(data)
        stream.write(data)
    stream.write(digest.digest())


def check_magic(name: str, data: memoryview, seal: Seal) -> None:
    """Refuse a file that is not of this kind, or of another version."""
    magic = bytes(data[: len(seal.magic)])
    if magic == seal.magic:
        return
    if magic[:3] == seal.letters and magic[3:].isdigit():
        raise UserError(
            f'{name}: a {seal.title} of another version ({magic.decode()}); this '
            f'program reads {seal.magic.decode()}'
        )
    raise UserError(
        f'{name}: not a {seal.title} (it does not begin with {seal.magic.decode()})'
    )


def read_header(
    name: str, data: memoryview, seal: Seal, read: Callable[[dict[str, Any]], Header]
) -> tuple[Header, int]:
    """Return what `read` makes of the header, and where the data begins.

    For a damaged header, `read` may raise any of the errors that are caught here. It
    raises UserError for a header that is sound, but not for this version.
    """
    size = int.from_bytes(data[4:START], 'little')
    text = bytes(data[START : START + min(size, MAX_HEADER)])
    try:
        return read(json.loads(text)), START + size
    except UserError as error:
        raise UserError(f'{name}: not for this version: {error}') from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f'{name}: the header of this {seal.title} is damaged') from None


def check_length(name: str, data: memoryview, seal: Seal, length: int) -> None:
    """Refuse a file of another length than its header says."""
    if len(data) != length:
        problem = 'cut' if len(data) < length else 'too long'
        raise UserError(
            f'{name}: this {seal.title} is {problem}: {len(data):,} bytes, '
            f'{length:,} by its header'
        )


def check_digest(name: str, data: memoryview, seal: Seal) -> None:
    """Refuse a file whose bytes have changed. This reads all of it."""
    digest = hashlib.sha256(seal.letters + FIRST_VERSION)
    mapped.update_hash(digest, data[len(seal.magic) : -DIGEST_SIZE])
    if digest.digest() != data[-DIGEST_SIZE:]:
        raise UserError(
            f'{name}: this {seal.title} is damaged: its bytes have changed since it '
            'was written; make it again'
        )


def check_natural(value: Any) -> int:
    """Check that a field is an integer of at least 0; raise `ValueError` otherwise.

    >>> check_natural(0), check_natural(12)
    (0, 12)
    """
    if type(value) is not int or value < 0:
        raise ValueError
    return value
