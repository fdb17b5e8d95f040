"""Tables for other programs: what all formats read, and JSON Lines and CSV."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.tables import run_tables, table_files

BLOCK = 4 << 20  # bytes of rows that are held; one row that is longer is held as well
# What a spreadsheet would work out: at the start of a cell, and behind a semicolon or a
# line break, where one with the comma for decimals begins a cell, in quotes or not.
FORMULA = re.compile(r'(^|[;\t\r\n])(?=["\s]*[=+\-@＝＋－＠])')  # noqa: RUF001


class Block(NamedTuple):
    """Some whole rows of a table, and where they stand."""

    file: str
    line: int  # the number of the first
    data: bytes

    def rows(self, kinds: list[type], made: 'Made') -> Iterator[Any]:
        """What is made of the cells of each row, which are of these kinds."""
        lines = self.data.removesuffix(b'\n').split(b'\n')
        for number, row in enumerate(lines, self.line):
            try:
                yield made(kinds, row.decode().split('\t'))
            except ValueError as error:
                raise damaged(self.file, number, error) from None


class Table(NamedTuple):
    """A table of a run: its name, the file or folder it is in, its columns."""

    name: str
    path: str
    columns: list[str]
    seen: Callable[[int], Any]  # is told how many bytes were read

    @property
    def kinds(self) -> list[type]:
        """What each column holds: `str`, `int` or `float`."""
        return [run_tables.column_type(self.name, column) for column in self.columns]

    def blocks(self) -> Iterator[Block]:
        """All rows, some at a time."""
        for file in table_files.files_of(self.path):
            with storage.open_read(file) as stream:
                if header_of(stream) != self.columns:
                    raise UserError(f'{file}: other columns than in {self.path}')
                line = 2
                while data := stream.read(BLOCK):
                    data += stream.readline()
                    self.seen(len(data))
                    whole = self._whole(file, data)
                    if whole:
                        yield Block(file, line, whole)
                        line += whole.count(b'\n')

    def _whole(self, file: str, data: bytes) -> bytes:
        """Rows without those that somebody's power failure has cut."""
        table = run_tables.TABLES.get(self.name)
        if not (table and table.only_added_to):
            return data
        tabs = len(self.columns) - 1
        rows = [row for row in data.split(b'\n') if row]
        whole = [row for row in rows if row.count(b'\t') == tabs]
        if less := len(rows) - len(whole):
            warn(f'{file}: {less:,} lines are not whole and were left out')
        return b''.join(row + b'\n' for row in whole)

    def rows(self, made: 'Made') -> Iterator[Any]:
        """What is made of the cells of each row."""
        kinds = self.kinds
        for block in self.blocks():
            yield from block.rows(kinds, made)


Made = Callable[[list[type], list[str]], Any]


def header_of(stream: BinaryIO) -> list[str]:
    """The names of the columns, which are the first line of a table."""
    return stream.readline().decode('utf-8', 'replace').rstrip('\n').split('\t')


def damaged(file: str, line: int, error: ValueError) -> UserError:
    """What is told of a row that cannot be one."""
    why = 'not UTF-8' if isinstance(error, UnicodeDecodeError) else error
    return UserError(f'{file}, line {line}: this row is damaged: {why}')


def typed(kinds: list[type], cells: list[str]) -> list[Any]:
    """The values of a row; of an empty cell, None.

    >>> typed([str, int, float], ['a', '7', '0.500000000'])
    ['a', 7, 0.5]
    >>> typed([str, int, float], ['a', '0', ''])
    ['a', 0, None]
    """
    pairs = zip(kinds, must_fit(kinds, cells), strict=True)
    try:
        return [kind(cell) if cell else None for kind, cell in pairs]
    except ValueError as error:
        cell = str(error).rpartition(': ')[2]
        raise ValueError(f'{cell} is no number') from None


def harmless(kinds: list[type], cells: list[str]) -> list[str]:
    """The cells of a row, without a formula for a spreadsheet that opens them.

    >>> harmless([str, int], ['=cmd()', '7'])
    ["'=cmd()", '7']
    """
    return list(map(guarded, must_fit(kinds, cells)))


def guarded(cell: str) -> str:
    """A cell with an apostrophe before what would be a formula.

    >>> guarded('@SUM(1)'), guarded('a;=1'), guarded('a; "=1"'), guarded('a=1; b')
    ("'@SUM(1)", "a;'=1", 'a;\\' "=1"', 'a=1; b')
    """
    if (
        cell[:1].isalnum() and ';' not in cell and cell.isprintable()
    ):  # nearly all, and seen quickly
        return cell
    return FORMULA.sub(r"\1'", cell)


def must_fit(kinds: list[type], cells: list[str]) -> list[str]:
    """The cells of a row, of which there are as many as columns."""
    if len(cells) != len(kinds):
        raise ValueError(f'{len(cells)} cells instead of {len(kinds)}')
    return cells


def write_jsonl(stream: BinaryIO, table: Table) -> int:
    """Write a JSON object for each row; how many."""
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode

    def line(kinds: list[type], cells: list[str]) -> bytes:
        values = zip(table.columns, typed(kinds, cells), strict=True)
        return f'{encode(dict(values))}\n'.encode()

    return sum(1 for row in table.rows(line) if stream.write(row))


def write_csv(stream: BinaryIO, table: Table) -> int:
    """Write a table as RFC 4180 says, the names of the columns first; its rows."""
    text = io.TextIOWrapper(stream, 'utf-8', newline='', write_through=True)
    writer = csv.writer(text)
    writer.writerow(table.columns)
    count = sum(1 for row in table.rows(harmless) if writer.writerow(row))
    text.detach()
    return count
