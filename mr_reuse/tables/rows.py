"""Typed rows of the tables of a run. A cell is read by the name of its column."""

from collections.abc import Iterator
from typing import Any

from mr_reuse.errors import UserError
from mr_reuse.storage import naming
from mr_reuse.tables import table_files
from mr_reuse.tables.schema import Table


def read_rows(run: str, table: Table) -> Iterator[Any]:
    """Yield the rows of a table in file order; a table may be a folder of parts.

    Raises UserError at the first line that `table.written_by` cannot have written.
    """
    path = naming.join(run, table.file)
    for line, cells in enumerate(table_files.read_cells(path), 2):
        try:
            row = table.parse(cells)
        except ValueError:
            raise UserError(
                f'{path}: line {line:,} is damaged; run discover or detect again'
            ) from None
        yield row
