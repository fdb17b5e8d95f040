"""PlaceLabels: count the hosts of each label, and choose its best example."""

from mr_reuse import storage
from mr_reuse.chunks.discover import examples
from mr_reuse.chunks.discover.counting import COLUMNS
from mr_reuse.chunks.discover.examples import ExampleCollector
from mr_reuse.chunks.discover.found_labels import FoundCollector
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.labels import label_files
from mr_reuse.shuffle import packing, protocol, spilling
from mr_reuse.shuffle.packing import MAX
from mr_reuse.shuffle.partitions import unit_of


class PlaceLabels(ChunkJob):
    """A second pass over the pages, against the finished label file.

    With `--count` it counts the labels of chunks too, and leaves out those of files.
    """

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--labels')
        self.add_passthru_arg('--count', type=int, default=0)
        self.add_skipped_arg()
        self.add_bits_arg()

    def mapper_init(self):
        labels = label_files.load(self.options.labels, is_trusted=True)
        collector = FoundCollector if self.options.count else ExampleCollector
        self.captures = self.skipped()
        self.collector = collector(labels, self.options.bits)

    def mapper(self, key, value):
        """In: page lines. Out: partition -> pairs of label and host, or examples."""
        if key != protocol.LAST_KEY and not self.captures.is_skipped(key):
            yield from self.collector.add(key, value)

    def mapper_final(self):
        yield from self.collector.finish()

    def reducer(self, key, values):
        """In: a partition. Out: numbers of hosts, sums of counts, or the best examples.

        The pairs of a label are in all partitions; the driver sums their numbers.
        """
        unit = unit_of(key)
        if unit == 'hosts':
            yield from self.count_hosts(key, values)
        elif unit == 'counts':
            yield from self.sum_counts(key, values)
        else:
            yield from examples.choose_examples(values)

    def sum_counts(self, key, values):
        for line in packing.pack_lines(self.merge(values, COLUMNS)):
            yield key, line

    def count_hosts(self, key, values):
        for rows in self.merge(values, [MAX]):
            for line in packing.pack_lines([examples.count_hosts(rows.columns[0])]):
                yield key, line

    def merge(self, values, merges):
        table = spilling.MergeTable(merges, storage.open_scratch)
        for value in values:
            table.add(packing.unpack(value))
        return table.drain()


if __name__ == '__main__':
    PlaceLabels.run()
