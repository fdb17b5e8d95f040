"""Text files: plain or gzipped lines, and JSON."""

import codecs
import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from mr_reuse import storage
from mr_reuse.errors import UserError

GZIP = b'\x1f\x8b\x08'
MAX_OBJECT = 8 << 20  # bytes of a JSON object that is read as a whole
PIECE = 1 << 16  # characters of a list that are in memory, at least
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


def read_json_list(name: str, key: str) -> Iterator[Any]:
    """Read a JSON object of which a value is a list, with this key.

    Yields the object without the list, then the values of the list. A long list has to
    be the last value; it is not read as a whole. Raises KeyError if there is no such
    object, ValueError if a long one is damaged.
    """
    if storage.size(name) <= MAX_OBJECT:
        data = read_json(name)
        values = data.pop(key)
        yield data
        yield from values
        return
    with storage.open_read(name) as stream:
        pieces = codecs.getreader('utf-8')(stream)
        head, start, text = pieces.read(MAX_OBJECT).partition(f', "{key}": [')
        if not start:
            raise KeyError(key)
        yield json.loads(head + '}')
        yield from _read_values(text, pieces)


def _read_values(text: str, pieces: codecs.StreamReader) -> Iterator[Any]:
    """Yield the values of a list that begins with a text and continues in a file."""
    decode, at, is_whole = json.JSONDecoder().raw_decode, 0, False
    while True:
        if len(text) - at < PIECE and not is_whole:
            more = pieces.read(MAX_OBJECT)
            text, at, is_whole = text[at:] + more, 0, not more
        if text.startswith(']', at):
            return
        at += 2 * text.startswith(', ', at)
        try:
            value, at = decode(text, at)
        except ValueError:
            if is_whole:
                raise
            text += (more := pieces.read(MAX_OBJECT))
            is_whole = not more
            continue
        yield value


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
