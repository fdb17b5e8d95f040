"""FillRevisits: add the chunks of their targets to the lines of revisits."""

from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.revisits import filling
from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.mapped_digests import MappedDigests
from mr_reuse.storage import mapped


class FillRevisits(ChunkJob):
    """Only the lines of targets and of revisits travel."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--targets')
        self.add_skipped_arg()
        self.add_bits_arg()

    def mapper_init(self):
        targets = MappedDigests(mapped.map_bytes(self.options.targets))
        args = targets, self.skipped(), self.options.bits
        self.collector = filling.FillCollector(*args)

    def mapper(self, key, value):
        """In: page lines. Out: partition -> lines of targets and of revisits."""
        return self.collector.add(key, value) if key != protocol.LAST_KEY else ()

    def mapper_final(self):
        yield from self.collector.finish()

    def reducer_init(self):
        self.lines = filling.FilledLines()

    def reducer(self, key, values):
        """In: the lines of a partition. Out: the page lines of revisits."""
        yield from self.lines.add(key, values)

    def reducer_final(self):
        """Out: the number of chunks, as the last line."""
        yield protocol.last_line({'revisits': self.lines.stats})


if __name__ == '__main__':
    FillRevisits.run()
