"""Rows of a Parquet file that name records of archives. Needs pyarrow."""

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mr_reuse.errors import UserError
from mr_reuse.storage import mapped

BATCH = 1 << 16  # rows


def read_rows(
    name: str, find_columns: Callable[[list[str]], list[int] | None]
) -> Iterator[tuple[int, str, Any, Any]]:
    """Yield the rows, numbered from 1, each with archive, offset and length.

    `find_columns` returns the places of these columns in a list of names.
    """
    try:
        file = pq.ParquetFile(pa.BufferReader(pa.py_buffer(mapped.map_bytes(name))))
        columns = file.schema_arrow.names
        wanted = [columns[place] for place in find_columns(columns) or ()]
        if not wanted:
            raise UserError(
                f'{name}: a Parquet file without the columns warc_filename, '
                'warc_record_offset, warc_record_length; select these'
            )
        number = 0
        for batch in file.iter_batches(BATCH, columns=wanted):
            cells = [batch.column(column).to_pylist() for column in wanted]
            for archive, *place in zip(*cells, strict=True):
                number += 1
                yield number, str(archive or ''), *place
    except (pa.ArrowException, OSError) as error:
        reason = ' '.join(str(error).split())[:200]
        raise UserError(f'{name}: this Parquet file is damaged: {reason}') from None
