"""CountDuplicates: count the copies of each chunk and each file in the corpus."""

from collections import Counter

from mr_reuse import storage
from mr_reuse.chunks import line_kinds, page_lines
from mr_reuse.chunks.discover import counting
from mr_reuse.chunks.discover.counting import COLUMNS, ChunkCounter
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.recipe import DIGEST_BYTES
from mr_reuse.shuffle import packing, protocol, spilling
from mr_reuse.shuffle.partitions import unit_of


class CountDuplicates(ChunkJob):
    """In: page lines, or counts to add. Out: copies, pages, length of each digest.

    A line holds a column of digests; a reducer merges the lines of a partition.
    """

    READS = (line_kinds.PAGES, line_kinds.COUNTS)

    def configure_args(self):
        super().configure_args()
        self.add_bits_arg(default=2)
        self.add_number_arg('--combine', 1, '0: do not add up within a task.')
        self.add_skipped_arg()

    def mapper_init(self):
        options = self.options
        width = DIGEST_BYTES[options.hash]
        self.captures = self.skipped()
        self.counter = ChunkCounter(width, options.bits, bool(options.combine))

    def mapper(self, key, value):
        """In: page lines, or the counts of an older run. Out: partition -> counts."""
        if page_lines.is_page_line(key):
            if not self.captures.is_skipped(key):
                yield from self.counter.add_page(key, value)
        elif key != protocol.LAST_KEY:
            rows = packing.unpack(value)
            yield from self.counter.add_counts(unit_of(key), rows)

    def mapper_final(self):
        yield from self.counter.finish()

    def reducer_init(self):
        self.frequencies = {'chunk': Counter(), 'file': Counter()}

    def reducer(self, key, values):
        """In: the counts of a partition. Out: their sums by digest, in digest order."""
        table = spilling.MergeTable(COLUMNS, storage.open_scratch)
        for value in values:
            table.add(packing.unpack(value))
        frequencies = self.frequencies[unit_of(key)]
        for rows in table.drain():
            frequencies.update(counting.count_frequencies(rows.columns[0]))
            for line in packing.pack_lines([rows]):
                yield key, line

    def reducer_final(self):
        """Out: the frequencies in the partitions of the task, as its last line."""
        yield protocol.last_line({'frequency': self.frequencies})


if __name__ == '__main__':
    CountDuplicates.run()
