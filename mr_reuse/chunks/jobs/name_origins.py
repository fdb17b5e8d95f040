"""NameOrigins: make the rows of `origins.tsv` of the output of two steps."""

from mrjob.step import MRStep

from mr_reuse import storage
from mr_reuse.chunks.chunk_tables import ORIGINS
from mr_reuse.chunks.facts import Facts
from mr_reuse.chunks.tables import origin_rows
from mr_reuse.engine.table_job import SortingJob
from mr_reuse.shuffle import protocol, ranges, sorting
from mr_reuse.shuffle.partitions import part_of, unit_of, unpack_texts


class NameOrigins(SortingJob):
    """In: the output of ShareLabels and NeighborhoodBadness.

    The first step joins the names of the other sites, the second one those of the bad
    sites, and the third one sorts the rows.
    """

    def configure_args(self):
        super().configure_args()
        text = 'Level of sites. Default: %(default)s'
        self.add_passthru_arg('--level', type=int, default=1, help=text)
        self.add_file_arg('--facts', help='File of the driver: facts of the user')

    def steps(self):
        return [
            MRStep(
                mapper_init=self.init_lines,
                mapper=self.divide,
                mapper_final=self.finish,
                reducer_init=self.init_lines,
                reducer=self.name_others,
                reducer_final=self.finish,
            ),
            MRStep(
                mapper=self.forward,
                reducer_init=self.init_rows,
                reducer=self.make_rows,
                reducer_final=self.finish,
            ),
            MRStep(
                mapper=self.forward,
                reducer_init=self.init_sort,
                reducer=self.sort_rows,
                reducer_final=self.finish_sort,
            ),
        ]

    def init_lines(self):
        self.lines = origin_rows.LineReader(self.options.level)
        self.collector = self.new_collector()

    def divide(self, key, value):
        """In: pairs and neighborhoods. Out: partition of digests -> both."""
        if key != protocol.LAST_KEY:
            for unit, keyed in self.lines.read(key, value):
                yield from self.collector.add(unit, keyed)

    def name_others(self, key, values):
        """In: names and pairs. Out: partition of bad sites -> pairs, names again."""
        if unit_of(key) == origin_rows.BAD:
            for value in values:
                yield key, value
            return
        for name, pair in origin_rows.join_names(self.sort(values)):
            keyed = origin_rows.key_named_pair(name, pair)
            yield from self.collector.add(origin_rows.BAD, keyed)

    def init_rows(self):
        self.facts = Facts.from_json(storage.read_text(self.options.facts))
        self.collector = self.new_collector()

    def make_rows(self, key, values):
        """In: names and pairs of a partition. Out: partition -> keyed rows."""
        for name, pair in origin_rows.join_names(self.sort(values)):
            keyed = origin_rows.make_row(name, pair, self.facts)
            yield from self.collector.add(ORIGINS.name, keyed)

    def sort(self, values):
        return sorting.sort_lines(text for v in values for text in unpack_texts(v))

    def finish(self):
        yield from self.collector.finish()

    def forward(self, key, value):
        yield key, value

    def init_sort(self):
        self.parts = self.new_part_writer()

    def sort_rows(self, key, values):
        """In: the rows of a partition. Out: nothing; it writes a part of the table."""
        rows = ranges.sort_values(values)
        yield from self.parts.add(ORIGINS, ORIGINS.name, part_of(key), rows)

    def finish_sort(self):
        """Out: the parts that were written, as the last line."""
        yield protocol.last_line(self.parts.stats)


if __name__ == '__main__':
    NameOrigins.run()
