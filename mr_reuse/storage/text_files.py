"""Text files: lines, gzipped or not, and JSON."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from mr_reuse import storage
from mr_reuse.errors import UserError

GZIP = b'\x1f\x8b\x08'
MAX_LINE = 4 << 20  # in a list; a row of a table has a URL


def read_lines(name: str) -> Iterator[bytes]:
    """The lines of a text file, of all members of it if it is gzipped."""
    with storage.open_read(name) as stream:
        if stream.peek(3)[:3] != GZIP:
            yield from _lines(name, stream)
            return
        try:
            with gzip.open(stream) as text:
                yield from _lines(name, text)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UserError(f'{name}: this gzip file is damaged: {error}') from None


def _lines(name: str, stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(MAX_LINE):
        if len(line) == MAX_LINE:
            raise UserError(f'{name}: a line of more than {MAX_LINE:,} bytes: no list')
        yield line


def write_lines(name: str, lines: Iterable[bytes]) -> str:
    """Lines in a file."""
    with storage.write(name) as stream:
        stream.writelines(line + b'\n' for line in lines)
    return name


def write_gzip(name: str, lines: Iterable[bytes]) -> str:
    """Lines in a gzipped file, which every runner gives to just one task."""
    with storage.write(name) as stream, gzip.open(stream, 'wb', 1) as packed:
        packed.writelines(line + b'\n' for line in lines)
    return name


def read_json(name: str) -> dict[str, Any]:
    """A JSON file, empty if it is not there or damaged."""
    try:
        told = json.loads(storage.read_text(name))
    except (FileNotFoundError, NotADirectoryError, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
