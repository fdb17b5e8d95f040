"""The schema of result tables: columns, their types and meaning, order, and origin.

Each system declares its tables in its `__init__`. The files that belong to a run, the
types of exports, the documentation of columns and the list of what becomes stale all
follow from them.
"""

import functools
from collections import namedtuple
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

SUFFIX = '.tsv'
EXPORTS = ('parquet', 'jsonl', 'csv')  # formats of `export`, and endings of the copies


class Kind(NamedTuple):
    """The kind of the cells of a column: its name, Python type and parser.

    `parse` raises ValueError for a cell that no command can have written.
    """

    name: str
    type: type
    parse: Callable[[str], Any]


def _digest(cell: str) -> str:
    bytes.fromhex(cell)
    return cell


def _count(cell: str) -> int:
    if not cell.isdecimal():
        raise ValueError(cell)
    return int(cell)


def _positive(cell: str) -> int:
    if not _count(cell):
        raise ValueError(cell)
    return int(cell)


def _ratio(cell: str) -> float | None:
    if cell and not 0 <= float(cell) <= 1:
        raise ValueError(cell)
    return float(cell) if cell else None


def _unit(cell: str) -> str:
    if cell not in ('chunk', 'file'):
        raise ValueError(cell)
    return cell


TEXT = Kind('text', str, str)
DATE = Kind('date', str, str)
HASH = Kind('hash', str, _digest)
UNIT = Kind('unit', str, _unit)
COUNT = Kind('count', int, _count)
POSITIVE = Kind('count', int, _positive)
RATIO = Kind('ratio', float, _ratio)


class Column(NamedTuple):
    """A column of a table."""

    name: str
    kind: Kind
    about: str


@dataclass(frozen=True)
class Table:
    """A table of a run."""

    name: str
    about: str
    written_by: str  # the command that writes it
    order: str  # order of the rows, for the documentation
    columns: tuple[Column, ...]
    # Columns by which the rows are sorted, each with True if it is descending. Empty if
    # the order depends on options, or on more than the columns.
    sorted_by: tuple[tuple[str, bool], ...] = ()
    # Tables from which this one is derived. When one of them changes, it is stale.
    derived_from: tuple[str, ...] = ()
    is_quick: bool = False  # to rebuild: it is removed when stale, others are kept
    # Words of the command that rebuilds it, '' for the name of the run. Empty for the
    # command that writes it.
    rebuilt_by: tuple[str, ...] = ()
    # Cells of the last columns. Older runs lack some of them, or all.
    newer: tuple[str, ...] = ()
    is_append_only: bool = False  # a power failure may leave an incomplete line

    @property
    def file(self) -> str:
        """The name of the file."""
        return self.name + SUFFIX

    @property
    def header(self) -> str:
        """The first line of the file."""
        return '\t'.join(self.names)

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    @functools.cached_property
    def row(self) -> type:
        """A named tuple with a field for each column."""
        return namedtuple(self.name, self.names)

    def index(self, column: str) -> int:
        """Return the position of a column."""
        return self.names.index(column)

    def kind(self, column: str) -> Kind:
        """Return the kind of a column."""
        return self.columns[self.index(column)].kind

    def parse(self, cells: Sequence[str]) -> Any:
        """Parse the cells of a line. Raises ValueError if they are not valid."""
        missing = len(self.columns) - len(cells)
        if 0 < missing <= len(self.newer):
            cells = [*cells, *self.newer[-missing:]]
        pairs = zip(self.columns, cells, strict=True)
        return self.row(*(column.kind.parse(cell) for column, cell in pairs))
