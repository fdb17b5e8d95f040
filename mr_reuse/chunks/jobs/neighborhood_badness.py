"""NeighborhoodBadness: count pages, chunks and labels of each neighborhood."""

import json
from collections import Counter

from mr_reuse.chunks import line_kinds
from mr_reuse.chunks.detect import matching, neighborhoods
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.messages import to_text
from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.partitions import unit_of


class NeighborhoodBadness(ChunkJob):
    """In: matches. Out: sums of the pages of each neighborhood, and of their ratios."""

    READS = (line_kinds.MATCHES,)

    def configure_args(self):
        super().configure_args()
        self.add_number_arg('--min-chunks', 1, 'Leave out pages with fewer chunks.')
        self.add_bits_arg()

    def mapper_init(self):
        options = self.options
        collector = neighborhoods.PageCollector(options.min_chunks, options.bits)
        self.collector = collector

    def mapper(self, key, value):
        """In: matches. Out: partition -> neighborhoods."""
        match = matching.read_match(key, value)
        if match.total is not None:
            url = to_text(match.url)
            yield from self.collector.add(url, match.bad, match.total)

    def mapper_final(self):
        """Out: the remaining neighborhoods, and the sums over all pages of the task."""
        yield from self.collector.finish()
        yield b'pages/', json.dumps(self.collector.stats).encode()

    def reducer_init(self):
        self.pages = Counter()

    def reducer(self, key, values):
        """In: the neighborhoods of a partition. Out: the sums of each neighborhood."""
        if unit_of(key) == 'pages':
            for value in values:
                self.pages.update(json.loads(value))
        else:
            yield from neighborhoods.sum_neighborhoods(values)

    def reducer_final(self):
        """Out: the sums over all pages, as the last line."""
        yield protocol.last_line({'pages': self.pages})


if __name__ == '__main__':
    NeighborhoodBadness.run()
