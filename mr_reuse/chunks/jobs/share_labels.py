"""ShareLabels: count the labels that bad neighborhoods share with others."""

from mrjob.step import MRStep

from mr_reuse import storage
from mr_reuse.chunks.detect import matching, origins
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.shuffle import packing, spilling
from mr_reuse.shuffle.partitions import NAME_WIDTH
from mr_reuse.storage import mapped


class ShareLabels(ChunkJob):
    """The first step finds the holders of each label, the second adds up their pairs.

    A holder of a label is a neighborhood with a page that has it.
    """

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--bad')
        self.add_file_arg('--sources')
        self.add_passthru_arg('--level', type=int, default=1)
        self.add_passthru_arg('--chunks', type=int, default=0)
        self.add_passthru_arg('--common', type=int, default=origins.COMMON)
        self.add_bits_arg()

    def steps(self):
        pair_holders = MRStep(
            mapper_init=self.init_holders,
            mapper=self.collect_holders,
            mapper_final=self.finish_holders,
            reducer_init=self.init_pairs,
            reducer=self.pair_holders,
            reducer_final=self.finish_pairs,
        )
        return [
            pair_holders,
            MRStep(mapper=self.forward, reducer=self.choose_most_shared),
        ]

    def init_holders(self):
        options = self.options
        args = options.level, options.chunks, options.bits, options.common
        self.holders = origins.HolderCollector(*args)

    def collect_holders(self, key, value):
        """In: matches. Out: partition -> label and neighborhood; the first date."""
        yield from self.holders.add(matching.read_match(key, value))

    def finish_holders(self):
        yield from self.holders.finish()

    def init_pairs(self):
        bad = mapped.map_rows(self.options.bad, NAME_WIDTH)
        options = self.options
        self.pairs = origins.PairCollector(bad, options.bits, options.common)

    def pair_holders(self, key, values):
        """In: holders of labels. Out: partition -> pairs of holders of a label."""
        holders = origins.Holders(storage.open_scratch, self.options.common)
        for value in values:
            holders.add(packing.unpack(value))
        yield from self.pairs.add(holders)

    def finish_pairs(self):
        yield from self.pairs.finish()

    def forward(self, key, value):
        yield key, value

    def choose_most_shared(self, key, values):
        """In: the pairs of a partition. Out: hash -> hash, and shared labels."""
        table = spilling.MergeTable(origins.SHARED, storage.open_scratch)
        for value in values:
            table.add(packing.unpack(value))
        name = self.options.sources
        sources = mapped.map_rows(name, NAME_WIDTH) if name else None
        for bad, other, *numbers in origins.choose_most_shared(table.drain(), sources):
            text = ' '.join(map(str, numbers)).encode()
            yield bad.hex().encode(), other.hex().encode() + b' ' + text


if __name__ == '__main__':
    ShareLabels.run()
