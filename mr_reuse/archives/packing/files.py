"""Read files that may be large, damaged, or changed by others in the meantime."""

import os
import stat
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO

from mr_reuse.archives.window import BLOCK

MAX_BODY = 1 << 30  # bytes, as a small file may inflate much
IN_MEMORY = 16 << 20  # bytes; a larger body is in a temporary file
# A link or a pipe may have taken the place of a file that was listed. A pipe would
# block.
FLAGS = os.O_NOFOLLOW | os.O_NONBLOCK


class Unreadable(Exception):
    """A file or folder that cannot be read. The message is the reason."""


@contextmanager
def reading() -> Iterator[None]:
    """Turn the errors of reading into Unreadable; those of writing stay as they are."""
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(getattr(error, 'strerror', None) or error) from error


def open_file(name: bytes) -> IO[bytes]:
    """Open a regular file. Raises Unreadable if it is none, or is too large."""
    with reading():
        file = open(os.open(name, os.O_RDONLY | FLAGS), 'rb')  # noqa: SIM115
    status = os.fstat(file.fileno())
    if stat.S_ISREG(status.st_mode) and status.st_size <= MAX_BODY:
        return file
    file.close()
    raise Unreadable(too_large() if stat.S_ISREG(status.st_mode) else 'not a file')


def too_large() -> str:
    """Return the reason for which a file is too large."""
    return f'larger than {MAX_BODY} bytes'


def read_blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Read a file to its end, even if it grows. Raises Unreadable."""
    size = 0
    while True:
        with reading():
            block = file.read(BLOCK)
        if not block:
            return
        size += len(block)
        if size > MAX_BODY:
            raise Unreadable(too_large())
        yield block


def copy_blocks(blocks: Iterable[bytes]) -> IO[bytes]:
    """Copy blocks to a temporary file, which is at its end.

    An archive has the digests of a body before the body. A file that changes while it
    is read twice would get wrong ones.
    """
    body = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115
    for block in blocks:
        body.write(block)
    return body
