"""Files of result tables. A table appears completely or not at all."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.storage import naming
from mr_reuse.tables.schema import SUFFIX, Table

MAX_PART_ROWS = 10_000_000  # a table with this many rows is a folder of parts


def write_table(name: str, header: str, rows: Iterable[bytes]) -> int:
    """Write rows in the given order, and return their number.

    A table of at least ten million rows becomes a folder of parts, each with a header.
    """
    rows, first = iter(rows), None
    folder = storage.partial_name(name)
    storage.remove(folder)
    try:
        storage.make_dir(folder)
        parts, count = [], 0
        while not parts or (first := next(rows, None)) is not None:
            parts.append(naming.join(folder, f'part-{len(parts):05d}{SUFFIX}'))
            rest = rows if first is None else chain([first], rows)
            count += _write_part(parts[-1], header, islice(rest, MAX_PART_ROWS))
        storage.move(parts[0] if count < MAX_PART_ROWS else folder, name)
    finally:
        storage.remove(folder)
    return count


def _write_part(name: str, header: str, rows: Iterable[bytes]) -> int:
    count = 0
    with storage.write(name) as stream:
        stream.write(header.encode() + b'\n')
        for row in rows:
            stream.write(row + b'\n')
            count += 1
    return count


def list_files(name: str) -> list[str]:
    """Return the files of a table, in order: the parts of a folder, or the file."""
    if not storage.is_dir(name):
        return [name]
    return [naming.join(name, part) for part in storage.list_names(name)]


def read_cells(name: str) -> Iterator[list[str]]:
    """Yield the cells of each row of a table, without the header."""
    for line in read_lines(name):
        yield to_text(line).rstrip('\n').split('\t')


def read_lines(name: str) -> Iterator[bytes]:
    """Yield each row of a table as bytes with its line feed, without the header."""
    return read_files(list_files(name))


def read_files(names: Iterable[str]) -> Iterator[bytes]:
    """Yield each row of the files of a table as bytes, without their headers."""
    for name in names:
        with storage.open_read(name) as stream:
            next(stream, None)
            yield from stream


def read_rows(run: str, table: Table) -> Iterator[Any]:
    """Yield the rows of a table in file order; a table may be a folder of parts.

    Raises UserError at the first line that `table.written_by` cannot have written.
    """
    path = naming.join(run, table.file)
    for line, cells in enumerate(read_cells(path), 2):
        try:
            row = table.parse(cells)
        except ValueError:
            raise UserError(
                f'{path}: line {line:,} is damaged; run discover or detect again'
            ) from None
        yield row
