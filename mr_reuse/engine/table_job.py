"""The base classes of jobs that sort the rows of tables."""

import json
from collections.abc import Sequence

from mr_reuse import storage
from mr_reuse.engine.job import LineJob
from mr_reuse.shuffle import protocol, ranges
from mr_reuse.shuffle.partitions import part_of, partition_key, unit_of
from mr_reuse.shuffle.ranges import RangeCollector
from mr_reuse.tables.row_makers import RowMaker

NUMBERS = 'numbers'  # unit of the lines with the numbers of makers


class SortingJob(LineJob):
    """A job that divides rows by the ranges of their keys."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--bounds', help='File of the driver: bounds of partitions')
        self.add_parts_args()

    def new_collector(self):
        """Return the collector of rows, with the bounds of the driver."""
        if not self.options.bounds:
            return RangeCollector({})
        texts = json.loads(storage.read_text(self.options.bounds))
        return RangeCollector(
            {
                unit: [bytes.fromhex(text) for text in bounds]
                for unit, bounds in texts.items()
            }
        )


class TableJob(SortingJob):
    """Sorts the rows of tables. A subclass makes the rows."""

    def make_makers(self) -> Sequence[RowMaker]:
        """Return the makers of the tables of the options."""
        raise NotImplementedError

    def mapper_init(self):
        self.makers = self.make_makers()
        self.collector = self.new_collector()

    def mapper(self, key, value):
        """In: lines of a step. Out: partition -> keyed rows."""
        if key != protocol.LAST_KEY:
            for maker in self.makers:
                for keyed in maker.add(key, value):
                    yield from self.collector.add(maker.table.name, keyed)

    def mapper_final(self):
        """Out: the remaining rows, and the numbers of the makers."""
        yield from self.collector.finish()
        for number, maker in enumerate(self.makers):
            if stats := maker.stats:
                text = json.dumps(stats, sort_keys=True).encode()
                yield partition_key(NUMBERS, number), text

    def reducer_init(self):
        self.makers = self.make_makers()
        self.tables = {maker.table.name: maker.table for maker in self.makers}
        self.parts = self.new_part_writer()

    def reducer(self, key, values):
        """In: the rows of a partition. Out: nothing; it writes a part of a table."""
        unit, part = unit_of(key), part_of(key)
        if unit == NUMBERS:
            for value in values:
                self.makers[part].merge(json.loads(value))
        else:
            rows = ranges.sort_values(values)
            yield from self.parts.add(self.tables[unit], unit, part, rows)

    def reducer_final(self):
        """Out: the parts that were written, and numbers, as the last line."""
        numbers = {maker.table.name: maker.stats for maker in self.makers}
        yield protocol.last_line(self.parts.stats | {NUMBERS: numbers})
