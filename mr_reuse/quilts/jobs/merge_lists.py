"""MergeLists: merge the equal lists of all grams to classes."""

from mr_reuse.pages.jobs.base import DocumentJob
from mr_reuse.quilts import lists
from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.partitions import part_of


class MergeLists(DocumentJob):
    """A partition has the lists with the same first bits of their hashes."""

    def configure_args(self):
        super().configure_args()
        self.add_bits_arg()

    def mapper_init(self):
        self.merger = lists.ListMerger(self.options.bits)

    def mapper(self, key, value):
        """In: lists with their grams. Out: partition -> lists, numbers of grams."""
        if key != protocol.LAST_KEY:
            yield from self.merger.add(lists.without_grams(lists.unpack(value)))

    def mapper_final(self):
        yield from self.merger.finish()

    def reducer_init(self):
        self.stats = {'classes': 0, 'documents': 0}

    def reducer(self, key, values):
        """In: the lists of a partition. Out: the same, merged."""
        merged, hashes = lists.merge(lists.join(map(lists.unpack, values)))
        self.stats['classes'] += len(merged.sizes)
        self.stats['documents'] += len(merged.documents)
        yield from lists.pack_lines(merged, hashes * 0 + part_of(key))

    def reducer_final(self):
        """Out: the numbers of classes, as the last line."""
        yield protocol.last_line({'classes': self.stats})


if __name__ == '__main__':
    MergeLists.run()
