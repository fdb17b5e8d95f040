"""The same on PySpark, all cores of this machine: FastWARC, a dict for each archive.

python bench/pyspark_fastwarc.py THRESHOLD OUT ARCHIVE...
"""

import operator
import os
import sys
from collections.abc import Iterator

HERE = os.path.dirname(os.path.abspath(__file__))


def tables_of(archives: Iterator[str]) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """Chunks and bodies of some archives, with copies and length."""
    sys.path.insert(0, HERE)
    from fastwarc.warc import ArchiveIterator
    from handwritten import PAGES, Tables

    tables = Tables()
    for name in archives:
        with open(name, 'rb') as file:
            for record in ArchiveIterator(file, record_types=PAGES):
                tables.add_page(record.reader.read())
    for kind, counts, lengths in (
        (b'c', tables.chunks, tables.chunk_lengths),
        (b'f', tables.files, tables.file_lengths),
    ):
        for digest, copies in counts.items():
            yield kind + digest, (copies, lengths[digest])


def add(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return operator.add(one[0], other[0]), one[1]


def main() -> None:
    from outputs import refuse_archive

    threshold, out, *archives = sys.argv[1:]
    refuse_archive(out)
    from pyspark.sql import SparkSession

    os.environ['PYSPARK_PYTHON'] = sys.executable
    least, builder = int(threshold), SparkSession.builder.master('local[*]')
    spark = builder.config('spark.ui.enabled', 'false').getOrCreate()
    names = spark.sparkContext.parallelize(archives, len(archives))
    counted = names.mapPartitions(tables_of).reduceByKey(add)
    found = counted.filter(lambda row: row[1][0] > least).collect()
    with open(out, 'w') as file:
        for digest, (copies, length) in found:
            if digest[:1] == b'c' and length > 100:
                file.write(f'{digest[1:].hex()}\t{length}\t{copies}\n')
    spark.stop()


if __name__ == '__main__':
    main()
