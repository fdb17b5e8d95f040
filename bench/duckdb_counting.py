"""Cut by FastWARC and hashlib in two processes, counted by DuckDB in bounded memory.

    python bench/duckdb_counting.py THRESHOLD OUT ARCHIVE...

Each archive becomes a Parquet file of digests. DuckDB groups them, and spills what does
not fit into its memory.
"""

import hashlib
import multiprocessing
import os
import sys
import tempfile

from fastwarc.warc import ArchiveIterator
from handwritten import MIN_LENGTH, PAGES, PROCESSES, cut_page, is_text
from outputs import refuse_archive

MEMORY = '400MB'  # the bound of a task of mr_reuse
ROWS = 500_000  # of digests that are written at a time
COUNT = """
    SELECT kind, hex(digest), any_value(length), count(*) AS copies
    FROM read_parquet(?) GROUP BY kind, digest
    HAVING copies > ? AND any_value(length) > CASE WHEN kind = 'c' THEN ? ELSE 0 END
"""


def write_digests(job: tuple[str, str]) -> None:
    """Write the digests of an archive: of its chunks, and of its files."""
    import pyarrow as pa  # noqa: PLC0415 (not in the process that counts)
    from pyarrow import parquet  # noqa: PLC0415

    archive, target = job
    schema = pa.schema(
        [('kind', pa.string()), ('digest', pa.binary(20)), ('length', pa.uint32())]
    )
    with parquet.ParquetWriter(target, schema, compression='none') as writer:
        rows: list[tuple[str, bytes, int]] = []

        def flush() -> None:
            columns = list(zip(*rows, strict=True)) or [(), (), ()]
            arrays = map(pa.array, columns, schema.types)
            writer.write_table(pa.Table.from_arrays(list(arrays), schema=schema))
            rows.clear()

        with open(archive, 'rb') as file:
            for record in ArchiveIterator(file, record_types=PAGES):
                body = record.reader.read()
                if is_text(body):
                    rows.append(('f', hashlib.sha1(body).digest(), len(body)))
                    chunks = zip(*cut_page(body), strict=True)
                    rows.extend(('c', digest, length) for digest, length in chunks)
                if len(rows) >= ROWS:
                    flush()
        flush()


def main() -> None:
    threshold, out, *archives = sys.argv[1:]
    refuse_archive(out)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(out)) as folder:
        names = [f'{folder}/{number}.parquet' for number in range(len(archives))]
        with multiprocessing.get_context('spawn').Pool(PROCESSES) as pool:
            pool.map(write_digests, zip(archives, names, strict=True), chunksize=1)
        import duckdb  # noqa: PLC0415 (not in the processes that cut)

        settings = {
            'memory_limit': MEMORY,
            'threads': PROCESSES,
            'temp_directory': f'{folder}/spilled',
            'preserve_insertion_order': False,
        }
        with duckdb.connect(config=settings) as connection:
            values = [names, int(threshold), MIN_LENGTH]
            found = connection.execute(COUNT, values).fetchall()
    for kind, name in (('c', out), ('f', f'{out}.files')):
        with open(name, 'w') as file:
            for row_kind, digest, length, copies in found:
                if row_kind == kind:
                    file.write(f'{digest.lower()}\t{length}\t{copies}\n')


if __name__ == '__main__':
    main()
