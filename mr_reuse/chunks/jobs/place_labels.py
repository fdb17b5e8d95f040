"""PlaceLabels: count the hosts of each label, and choose its best example."""

from mr_reuse import storage
from mr_reuse.chunks.discover import examples
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.labels import label_files
from mr_reuse.shuffle import packing, protocol, spilling
from mr_reuse.shuffle.packing import MAX
from mr_reuse.shuffle.partitions import unit_of


class PlaceLabels(ChunkJob):
    """A second pass over the pages, against the finished label file."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--labels')
        self.add_bits_arg()

    def mapper_init(self):
        labels = label_files.load(self.options.labels)
        self.collector = examples.ExampleCollector(labels, self.options.bits)

    def mapper(self, key, value):
        """In: page lines. Out: partition -> pairs of label and host, or examples."""
        if key != protocol.LAST_KEY:
            yield from self.collector.add(key, value)

    def mapper_final(self):
        yield from self.collector.finish()

    def reducer(self, key, values):
        """In: a partition. Out: numbers of hosts of labels, or the best examples.

        The pairs of a label are in all partitions; the driver sums their numbers.
        """
        if unit_of(key) == 'hosts':
            yield from self.count_hosts(key, values)
        else:
            yield from self.choose_examples(values)

    def choose_examples(self, values):
        best = {}
        for value in values:
            for label, example in examples.unpack_examples(value):
                best[label] = min(example, best.get(label, example))
        yield from examples.pack_examples(best)

    def count_hosts(self, key, values):
        pairs = spilling.MergeTable([MAX], storage.open_scratch, self.options.bits)
        for value in values:
            pairs.add(packing.unpack(value))
        for rows in pairs.drain():
            for line in packing.pack_lines([examples.count_hosts(rows.columns[0])]):
                yield key, line


if __name__ == '__main__':
    PlaceLabels.run()
