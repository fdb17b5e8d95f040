"""Tables as Parquet, for programs that read columns. Needs pyarrow."""

import io
from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from mr_reuse.tables import run_tables
from mr_reuse.tables.formats import Block, Table, damaged, typed

TYPES = {str: pa.string(), int: pa.int64(), float: pa.float64()}
GROUP_ROWS = 122_880  # a row group of DuckDB
GROUP_BYTES = 32 << 20  # so that memory is bounded, however long the rows are
Order = dict[str, bool]


def write_parquet(stream: BinaryIO, table: Table) -> int:
    """Write a table; how many rows.

    That it is sorted is said where it is so, since readers rely on it.
    """
    known = run_tables.TABLES.get(table.name)
    order = dict(known.sorted_by) if known else {}
    try:
        return _write(stream, table, order)
    except _Unsorted:
        stream.seek(0)
        stream.truncate()
        return _write(stream, table, {})


class _Unsorted(Exception):
    """A table is not in the order that it should have."""


def _write(stream: BinaryIO, table: Table, order: Order) -> int:
    arrow = schema_of(table)
    by = [(name, 'descending' if down else 'ascending') for name, down in order.items()]
    sorting = pq.SortingColumn.from_ordering(arrow, by) if by else None
    count, last = 0, arrow.empty_table()
    with pq.ParquetWriter(
        stream,
        arrow,
        compression='zstd',
        write_page_index=True,
        sorting_columns=sorting,
    ) as writer:
        for group in groups(table, arrow):
            if not ascends(pa.concat_tables([last, group]), order):
                raise _Unsorted
            writer.write_table(group, row_group_size=group.num_rows)
            count += group.num_rows
            last = group.slice(group.num_rows - 1)
    return count


def schema_of(table: Table) -> pa.Schema:
    """The columns of a table, with the types of what they hold."""
    kinds = zip(table.columns, table.kinds, strict=True)
    return pa.schema([(column, TYPES[kind]) for column, kind in kinds])


def groups(table: Table, arrow: pa.Schema) -> Iterator[pa.Table]:
    """The rows of a table in groups of as many rows, or of fewer that are long."""
    held = arrow.empty_table()
    for block in table.blocks():
        held = pa.concat_tables([held, parsed(block, table, arrow)])
        while held.num_rows >= GROUP_ROWS:
            yield held.slice(0, GROUP_ROWS).combine_chunks()
            held = held.slice(GROUP_ROWS)
        if held.nbytes > GROUP_BYTES:
            yield held.combine_chunks()
            held = arrow.empty_table()
    if held.num_rows:
        yield held.combine_chunks()


def parsed(block: Block, table: Table, arrow: pa.Schema) -> pa.Table:
    """Some rows as columns."""
    size = len(block.data) + 1
    if b'\n\n' in block.data or block.data.startswith(b'\n'):
        must_be_whole(block, table)  # pyarrow would take it for a row of empty cells
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
        must_be_whole(block, table)
        raise damaged(block.file, block.line, error) from None


def must_be_whole(block: Block, table: Table) -> None:
    """Tell what is wrong with a row, as for all formats."""
    for _ in block.rows(table.kinds, typed):
        pass


def ascends(rows: pa.Table, order: Order) -> bool:
    """Whether rows are sorted by some columns, the first one first.

    >>> rows = pa.table({'a': [1, 1, 2], 'b': [5, 5, 3]})
    >>> ascends(rows, {'a': False, 'b': True}), ascends(rows, {'b': False})
    (True, False)
    """
    if rows.num_rows < 2:
        return True
    one, next_ = rows.slice(0, rows.num_rows - 1), rows.slice(1)
    tied = pa.scalar(True)
    for name, down in order.items():
        low, high = (next_, one) if down else (one, next_)
        if pc.any(pc.and_(tied, pc.greater(low[name], high[name]))).as_py():
            return False
        tied = pc.and_(tied, pc.equal(low[name], high[name]))
    return True
