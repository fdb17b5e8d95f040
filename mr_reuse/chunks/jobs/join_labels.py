"""JoinLabels: join what is known of labels, for ReadPreviews."""

from mrjob.step import MRStep

from mr_reuse.chunks.chunk_tables import FILE_LABELS
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.tables import label_join
from mr_reuse.engine.table_job import SortingJob
from mr_reuse.shuffle import mapped_paths, protocol, ranges
from mr_reuse.shuffle.partitions import part_of, unit_of


class JoinLabels(SortingJob):
    """In: the output of FilterStopChunks and PlaceLabels. Out: `path:offset -> row`.

    The lines are in the order of archives and offsets within each partition. The rows
    of files go into the parts of their table.
    """

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--labels', help='Label file')
        self.add_file_arg('--paths', help='File of the driver: paths of archives')

    def steps(self):
        return [
            MRStep(
                mapper_init=self.init_numbers,
                mapper=self.number_labels,
                reducer_init=self.init_join,
                reducer=self.join_labels,
                reducer_final=self.finish_join,
            ),
            MRStep(
                mapper=self.forward,
                reducer_init=self.init_sort,
                reducer=self.sort_rows,
                reducer_final=self.finish_sort,
            ),
        ]

    def load_labels(self):
        return label_files.load(self.options.labels, is_trusted=True)

    def init_numbers(self):
        self.numbers = label_join.LabelNumbers(self.load_labels())

    def number_labels(self, key, value):
        """In: counts, hosts and examples. Out: partition of labels -> the same."""
        if key != protocol.LAST_KEY:
            yield from self.numbers.number_lines(key, value)

    def init_join(self):
        self.labels, self.collector = self.load_labels(), self.new_collector()
        self.paths = mapped_paths.read_paths(self.options.paths)

    def join_labels(self, key, values):
        """In: what is known of labels. Out: partition -> keyed rows."""
        for label in label_join.join_labels(part_of(key), values, self.labels):
            yield from self.collector.add(*label.to_keyed(self.paths))

    def finish_join(self):
        yield from self.collector.finish()

    def forward(self, key, value):
        yield key, value

    def init_sort(self):
        self.parts = self.new_part_writer()

    def sort_rows(self, key, values):
        """In: the rows of a partition. Out: those with a preview to read, in order."""
        rows = ranges.sort_values(values)
        if unit_of(key) == label_join.TO_READ:
            for row in rows:
                yield tuple(row.split(b'\t', 1))
        else:
            table = FILE_LABELS
            yield from self.parts.add(table, table.name, part_of(key), rows)

    def finish_sort(self):
        """Out: the parts that were written, as the last line."""
        yield protocol.last_line(self.parts.stats)


if __name__ == '__main__':
    JoinLabels.run()
