"""Export formats: the reader of tables that all formats share, JSON Lines and CSV."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, warn
from mr_reuse.tables import run_tables, table_files

BLOCK = 4 << 20  # bytes of rows in memory; a block ends with a complete row
# Positions where a spreadsheet would evaluate a formula: the start of a cell, and after
# a semicolon or a line break. There another cell begins, with or without quotes, for a
# spreadsheet in a language with decimal commas, which separates cells by semicolons.
FORMULA = re.compile(r'(^|[;\t\r\n])(?=["\s]*[=+\-@＝＋－＠])')  # noqa: RUF001


class Block(NamedTuple):
    """Complete rows of a table, and their position in its files."""

    file: str
    line: int  # line number of the first row
    data: bytes

    def rows(self, types: list[type], convert: 'Convert') -> Iterator[Any]:
        """Yield each row, converted. Raises UserError for a damaged row."""
        lines = self.data.removesuffix(b'\n').split(b'\n')
        for number, row in enumerate(lines, self.line):
            try:
                yield convert(types, row.decode().split('\t'))
            except ValueError as error:
                raise damaged_row(self.file, number, error) from None


class Table(NamedTuple):
    """A table of a run, to be exported."""

    name: str
    path: str  # a file or a folder
    columns: list[str]
    on_read: Callable[[int], Any]  # called with the bytes of each block

    @property
    def types(self) -> list[type]:
        """The type of each column: `str`, `int` or `float`."""
        return [run_tables.column_type(self.name, column) for column in self.columns]

    def blocks(self) -> Iterator[Block]:
        """Yield all rows in blocks of bounded size."""
        for file in table_files.list_files(self.path):
            with storage.open_read(file) as stream:
                if read_header(stream) != self.columns:
                    raise UserError(f'{file}: other columns than in {self.path}')
                line = 2
                while data := stream.read(BLOCK):
                    data += stream.readline()
                    self.on_read(len(data))
                    rows = self._drop_incomplete(file, data)
                    if rows:
                        yield Block(file, line, rows)
                        line += rows.count(b'\n')

    def _drop_incomplete(self, file: str, data: bytes) -> bytes:
        """Drop incomplete rows of an append-only table; a power failure may leave some.

        In other tables they are damage.
        """
        table = run_tables.TABLES.get(self.name)
        if not (table and table.is_append_only):
            return data
        tabs = len(self.columns) - 1
        rows = [row for row in data.split(b'\n') if row]
        complete = [row for row in rows if row.count(b'\t') == tabs]
        if dropped := len(rows) - len(complete):
            count = format_count(dropped, 'incomplete line')
            warn(f'{file}: {count} left out')
        return b''.join(row + b'\n' for row in complete)

    def rows(self, convert: 'Convert') -> Iterator[Any]:
        """Yield each row, converted. Raises UserError for a damaged row."""
        types = self.types
        for block in self.blocks():
            yield from block.rows(types, convert)


# Makes a row of an export from the types of the columns and the cells of a row. Raises
# ValueError if they do not fit.
Convert = Callable[[list[type], list[str]], Any]


def read_header(stream: BinaryIO) -> list[str]:
    """Read the first line of a table: the names of its columns."""
    return stream.readline().decode('utf-8', 'replace').rstrip('\n').split('\t')


def damaged_row(file: str, line: int, error: ValueError) -> UserError:
    """Make the error for a damaged row."""
    why = 'not UTF-8' if isinstance(error, UnicodeDecodeError) else error
    return UserError(f'{file}, line {line}: this row is damaged: {why}')


def parse_cells(types: list[type], cells: list[str]) -> list[Any]:
    """Parse the cells of a row. An empty cell becomes None.

    >>> parse_cells([str, int, float], ['a', '7', '0.500000000'])
    ['a', 7, 0.5]
    >>> parse_cells([str, int, float], ['a', '0', ''])
    ['a', 0, None]
    """
    pairs = zip(types, check_cells(types, cells), strict=True)
    try:
        return [type_(cell) if cell else None for type_, cell in pairs]
    except ValueError as error:
        cell = str(error).rpartition(': ')[2]
        raise ValueError(f'{cell} is no number') from None


def guard_cells(types: list[type], cells: list[str]) -> list[str]:
    """Guard the cells of a row against evaluation by a spreadsheet.

    >>> guard_cells([str, int], ['=cmd()', '7'])
    ["'=cmd()", '7']
    """
    return list(map(guard_cell, check_cells(types, cells)))


def guard_cell(cell: str) -> str:
    """Insert an apostrophe before each formula that a spreadsheet would evaluate.

    >>> guard_cell('@SUM(1)'), guard_cell('a;=1'), guard_cell('a=1; b')
    ("'@SUM(1)", "a;'=1", 'a=1; b')
    >>> print(guard_cell('a; "=1"'))
    a;' "=1"
    """
    # A quick test that nearly all cells pass. Line breaks and tabs are not printable.
    if cell[:1].isalnum() and ';' not in cell and cell.isprintable():
        return cell
    return FORMULA.sub(r"\1'", cell)


def check_cells(types: list[type], cells: list[str]) -> list[str]:
    """Return the cells of a row if there is one for each column, else ValueError."""
    if len(cells) != len(types):
        raise ValueError(f'{len(cells)} cells instead of {len(types)}')
    return cells


def write_jsonl(stream: BinaryIO, table: Table) -> int:
    """Write a JSON object for each row. Return the number of rows."""
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode

    def encode_row(types: list[type], cells: list[str]) -> bytes:
        values = zip(table.columns, parse_cells(types, cells), strict=True)
        return f'{encode(dict(values))}\n'.encode()

    return sum(1 for row in table.rows(encode_row) if stream.write(row))


def write_csv(stream: BinaryIO, table: Table) -> int:
    """Write a header and the rows in the format of RFC 4180. Return their number."""
    text = io.TextIOWrapper(stream, 'utf-8', newline='', write_through=True)
    writer = csv.writer(text)
    writer.writerow(table.columns)
    count = sum(1 for row in table.rows(guard_cells) if writer.writerow(row))
    text.detach()  # so that the caller can still use the stream
    return count
