"""Result tables: sorted in bounded memory, written whole or not at all."""

from collections.abc import Iterable, Iterator

from mr_reuse import storage
from mr_reuse.messages import to_text
from mr_reuse.storage import naming
from mr_reuse.tables.schema import SUFFIX

ROWS_A_PART = 10_000_000  # from so many rows on, a table is a folder of parts


def write(name: str, header: str, rows: Iterable[bytes]) -> int:
    """Write a table; the number of its rows.

    One of more than ten million rows becomes a folder with sorted parts.
    """
    rows = iter(rows)
    folder = storage.half_of(name)
    storage.remove(folder)
    try:
        storage.make_dir(folder)
        parts, count = [], 0
        while not parts or count == len(parts) * ROWS_A_PART:
            parts.append(naming.join(folder, f'part-{len(parts):05d}{SUFFIX}'))
            count += _write_part(parts[-1], header, rows)
        storage.move(parts[0] if len(parts) == 1 else folder, name)
    finally:
        storage.remove(folder)
    return count


def _write_part(name: str, header: str, rows: Iterator[bytes]) -> int:
    count = 0
    with storage.write(name) as stream:
        stream.write(header.encode() + b'\n')
        for row in rows:
            stream.write(row + b'\n')
            count += 1
            if count == ROWS_A_PART:
                break
    return count


def files_of(name: str) -> list[str]:
    """The files of a table, in order; mostly it is one itself."""
    if not storage.is_dir(name):
        return [name]
    return [naming.join(name, part) for part in storage.listing(name)]


def read(name: str) -> Iterator[list[str]]:
    """The rows of a table, which may be a folder, without the header."""
    for line in lines(name):
        yield to_text(line).rstrip('\n').split('\t')


def lines(name: str) -> Iterator[bytes]:
    """The same as bytes, each with its line feed."""
    for part in files_of(name):
        with storage.open_read(part) as stream:
            next(stream, None)
            yield from stream
