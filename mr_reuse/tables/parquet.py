"""Export of tables as Parquet, for programs that read columns. Needs pyarrow."""

import io
from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from mr_reuse.tables import run_tables
from mr_reuse.tables.formats import Block, Table, damaged_row, parse_cells

TYPES = {str: pa.string(), int: pa.int64(), float: pa.float64()}
# A row group ends at the first of these limits.
GROUP_ROWS = 122_880  # the size of row groups that DuckDB writes
GROUP_BYTES = 32 << 20  # bounds memory if rows are long
Order = dict[str, bool]  # columns, most significant first; True for descending ones


def write_parquet(stream: BinaryIO, table: Table) -> int:
    """Write a table as Parquet. Return the number of rows.

    Readers rely on the order that the file declares. Therefore the file declares the
    order of the schema only if the rows have it.
    """
    known = run_tables.find_table(table.name)
    order = dict(known.sorted_by) if known else {}
    if not order.keys() <= {*table.columns}:
        order = {}  # a table that somebody has changed
    try:
        return _write(stream, table, order)
    except _Unsorted:
        stream.seek(0)
        stream.truncate()
        return _write(stream, table, {})


class _Unsorted(Exception):
    """The rows of a table are not in the order of its schema."""


def _write(stream: BinaryIO, table: Table, order: Order) -> int:
    """Write a table and declare an order. Raises _Unsorted if the rows lack it."""
    arrow = arrow_schema(table)
    by = [(name, 'descending' if down else 'ascending') for name, down in order.items()]
    sorting = pq.SortingColumn.from_ordering(arrow, by) if by else None
    count, last = 0, arrow.empty_table()  # the last row of the group before
    with pq.ParquetWriter(
        stream,
        arrow,
        compression='zstd',
        write_page_index=True,
        sorting_columns=sorting,
    ) as writer:
        for group in row_groups(table, arrow):
            if not is_sorted(pa.concat_tables([last, group]), order):
                raise _Unsorted
            writer.write_table(group, row_group_size=group.num_rows)
            count += group.num_rows
            last = group.slice(group.num_rows - 1)
    return count


def arrow_schema(table: Table) -> pa.Schema:
    """Build the Arrow schema of a table."""
    types = zip(table.columns, table.types, strict=True)
    return pa.schema([(column, TYPES[type_]) for column, type_ in types])


def row_groups(table: Table, arrow: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows of a table in row groups."""
    buffer = arrow.empty_table()
    for block in table.blocks():
        buffer = pa.concat_tables([buffer, parse_block(block, table, arrow)])
        while buffer.num_rows >= GROUP_ROWS:
            yield buffer.slice(0, GROUP_ROWS).combine_chunks()
            buffer = buffer.slice(GROUP_ROWS)
        if buffer.nbytes > GROUP_BYTES:
            yield buffer.combine_chunks()
            buffer = arrow.empty_table()
    if buffer.num_rows:
        yield buffer.combine_chunks()


def parse_block(block: Block, table: Table, arrow: pa.Schema) -> pa.Table:
    """Parse a block of rows into columns. Raises UserError for a damaged row."""
    size = len(block.data) + 1  # a single block: pyarrow refuses longer rows
    if b'\n\n' in block.data or block.data.startswith(b'\n'):
        check_rows(block, table)  # pyarrow would read an empty line as empty cells
    try:
        return pyarrow.csv.read_csv(
            io.BytesIO(block.data),
            pyarrow.csv.ReadOptions(
                use_threads=False, block_size=size, column_names=arrow.names
            ),
            pyarrow.csv.ParseOptions(
                delimiter='\t', quote_char=False, ignore_empty_lines=False
            ),
            pyarrow.csv.ConvertOptions(
                column_types=arrow, null_values=[''], strings_can_be_null=True
            ),
        )
    except pa.ArrowInvalid as error:
        check_rows(block, table)
        raise damaged_row(block.file, block.line, error) from None


def check_rows(block: Block, table: Table) -> None:
    """Raise the UserError of the first damaged row, the same as for other formats."""
    for _ in block.rows(table.types, parse_cells):
        pass


def is_sorted(rows: pa.Table, order: Order) -> bool:
    """Return whether rows are sorted by the columns of an order.

    >>> rows = pa.table({'a': [1, 1, 2], 'b': [5, 5, 3]})
    >>> is_sorted(rows, {'a': False, 'b': True}), is_sorted(rows, {'b': False})
    (True, False)
    """
    if rows.num_rows < 2:
        return True
    rows, next_rows = rows.slice(0, rows.num_rows - 1), rows.slice(1)
    tied = pa.scalar(True)  # pairs of rows that are equal in all columns so far
    for name, down in order.items():
        low, high = (next_rows, rows) if down else (rows, next_rows)
        if pc.any(pc.and_(tied, pc.greater(low[name], high[name]))).as_py():
            return False
        tied = pc.and_(tied, pc.equal(low[name], high[name]))
    return True
