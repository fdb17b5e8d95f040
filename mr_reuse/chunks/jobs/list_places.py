"""ListPlaces: list the pages of each label, in the order of the table."""

from mr_reuse.chunks.chunk_tables import PLACES
from mr_reuse.chunks.detect import matching, places
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.labels import label_files
from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.partitions import part_of


class ListPlaces(ChunkJob):
    """The mappers send pages to the partitions of their labels; the reducers sort.

    They write the parts of a large table, and lines with the rows of a small one.
    """

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--labels')
        self.add_bits_arg()
        self.add_parts_args()

    def load_labels(self):
        return label_files.load(self.options.labels, is_trusted=True)

    def mapper_init(self):
        chunks = len(self.load_labels().chunks)
        self.collector = places.PlaceCollector(chunks, self.options.bits)

    def mapper(self, key, value):
        """In: matches. Out: partition of labels -> pages with their labels."""
        yield from self.collector.add(matching.read_match(key, value))

    def mapper_final(self):
        yield from self.collector.finish()

    def reducer_init(self):
        self.labels = self.load_labels()
        self.parts = self.new_part_writer()

    def reducer(self, key, values):
        """In: the pages of a partition. Out: its rows, by hash and rid."""
        rows = places.list_places(values, self.labels)
        yield from self.parts.add(PLACES, places.UNIT, part_of(key), rows)

    def reducer_final(self):
        """Out: the parts of a large table, as the last line."""
        if stats := self.parts.stats:
            yield protocol.last_line(stats)


if __name__ == '__main__':
    ListPlaces.run()
