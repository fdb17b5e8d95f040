"""Text files: plain or gzipped lines, and JSON."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from mr_reuse import storage
from mr_reuse.errors import UserError

GZIP = b'\x1f\x8b\x08'
MAX_LINE = 4 << 20  # bytes; rows of tables hold URLs, which may be long


def read_lines(name: str) -> Iterator[bytes]:
    """Yield the lines of a text file, with their line feeds. It may be gzipped."""
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
            raise UserError(
                f'{name}: not a list: it has a line of more than {MAX_LINE:,} bytes'
            )
        yield line


def write_lines(name: str, lines: Iterable[bytes]) -> str:
    """Write lines into a file. Return its name."""
    with storage.write(name) as stream:
        stream.writelines(line + b'\n' for line in lines)
    return name


def write_gzip(name: str, lines: Iterable[bytes]) -> str:
    """Write lines into a gzipped file, which no runner splits. Return its name."""
    with storage.write(name) as stream, gzip.open(stream, 'wb', 1) as gzipped:
        gzipped.writelines(line + b'\n' for line in lines)
    return name


def format_json(value: dict[str, Any]) -> str:
    """Format a JSON object, in the same way each time."""
    return json.dumps(value, sort_keys=True)


def read_json(name: str) -> dict[str, Any]:
    """Read a JSON object. Return {} if the file is missing, damaged, or no object."""
    try:
        value = json.loads(storage.read_text(name))
    except (FileNotFoundError, NotADirectoryError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
