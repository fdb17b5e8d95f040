"""PlaceLabels: the hosts and the best example of each label."""

from mr_reuse import mapping, packing, places, records, storage
from mr_reuse.jobs.base import LineJob
from mr_reuse.packing import MAX


class PlaceLabels(LineJob):
    """A second pass over the pages, against the finished label file."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--labels')

    def mapper_init(self):
        self.places = places.Places(mapping.labels(self.options.labels))

    def mapper(self, key, value):
        """In: page lines. Out: part -> pairs of label and host, or examples."""
        if records.is_page(key):
            yield from self.places.add(key, value)

    def mapper_final(self):
        yield from self.places.finish()

    def reducer(self, key, values):
        """Out: label -> number of hosts, to be summed over parts; the best example."""
        if records.unit_of(key) == 'hosts':
            yield from self.count_hosts(key, values)
            return
        best = {}
        for value in values:
            for label, found in places.unpack_examples(value):
                best[label] = min(found, best.get(label, found))
        yield from places.pack_examples(best)

    def count_hosts(self, key, values):
        pairs = packing.Table([MAX], storage.scratch, places.HOST_BITS)
        for value in values:
            pairs.add(packing.unpack(value))
        for rows in pairs.drain():
            for line in packing.lines([places.host_counts(rows.columns[0])]):
                yield key, line


if __name__ == '__main__':
    PlaceLabels.run()
