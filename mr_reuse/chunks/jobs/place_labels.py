"""PlaceLabels: the hosts and the best example of each label."""

from mr_reuse import storage
from mr_reuse.chunks.discover import examples
from mr_reuse.engine.job import LineJob
from mr_reuse.shuffle import packing, protocol
from mr_reuse.shuffle.packing import MAX
from mr_reuse.storage import mapped


class PlaceLabels(LineJob):
    """A second pass over the pages, against the finished label file."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--labels')

    def mapper_init(self):
        self.places = examples.Places(mapped.labels(self.options.labels))

    def mapper(self, key, value):
        """In: page lines. Out: part -> pairs of label and host, or examples."""
        if protocol.is_page(key):
            yield from self.places.add(key, value)

    def mapper_final(self):
        yield from self.places.finish()

    def reducer(self, key, values):
        """Out: label -> number of hosts, to be summed over parts; the best example."""
        if protocol.unit_of(key) == 'hosts':
            yield from self.count_hosts(key, values)
            return
        best = {}
        for value in values:
            for label, found in examples.unpack_examples(value):
                best[label] = min(found, best.get(label, found))
        yield from examples.pack_examples(best)

    def count_hosts(self, key, values):
        pairs = packing.Table([MAX], storage.scratch, examples.HOST_BITS)
        for value in values:
            pairs.add(packing.unpack(value))
        for rows in pairs.drain():
            for line in packing.lines([examples.host_counts(rows.columns[0])]):
                yield key, line


if __name__ == '__main__':
    PlaceLabels.run()
