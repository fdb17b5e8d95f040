"""FindRevisits: find the keys under which revisits look for their targets."""

from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.revisits import keys
from mr_reuse.shuffle import protocol


class FindRevisits(ChunkJob):
    """A line holds a column of digests of keys."""

    def configure_args(self):
        super().configure_args()
        self.add_bits_arg()

    def mapper_init(self):
        self.keys = keys.KeyCounter('key', self.options.bits)

    def mapper(self, key, value):
        """In: page lines. Out: partition -> digests of keys, revisits."""
        return self.keys.add(key, value) if key != protocol.LAST_KEY else ()

    def mapper_final(self):
        yield from self.keys.finish()

    def reducer(self, key, values):
        """In: the keys of a partition. Out: the same, sorted, each once."""
        yield from keys.sort_keys(key, values)


if __name__ == '__main__':
    FindRevisits.run()
