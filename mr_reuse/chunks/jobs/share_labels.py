"""ShareLabels: count the labels that bad neighborhoods share with others."""

from mrjob.step import MRStep

from mr_reuse import storage
from mr_reuse.chunks.detect import matching, origins
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.shuffle import packing, spilling
from mr_reuse.storage import mapped


class ShareLabels(ChunkJob):
    """The first step groups holders by label, the second labels by pair of holders."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--bad')
        self.add_passthru_arg('--level', type=int, default=1)
        self.add_passthru_arg('--chunks', type=int, default=0)
        self.add_passthru_arg('--common', type=int, default=origins.COMMON)
        self.add_bits_arg()

    def steps(self):
        hold = MRStep(
            mapper_init=self.hold_init,
            mapper=self.hold,
            mapper_final=self.hold_final,
            reducer_init=self.share_init,
            reducer=self.share,
            reducer_final=self.share_final,
        )
        return [hold, MRStep(mapper=self.forward, reducer=self.most)]

    def hold_init(self):
        options = self.options
        args = options.level, options.chunks, options.bits, options.common
        self.holding = origins.HolderCollector(*args)

    def hold(self, key, value):
        """In: matches. Out: partition -> label and neighborhood; the first date."""
        yield from self.holding.add(matching.read_match(key, value))

    def hold_final(self):
        yield from self.holding.finish()

    def share_init(self):
        bad = mapped.map_rows(self.options.bad, 16)
        self.sharing = origins.PairCollector(
            bad, self.options.bits, self.options.common
        )

    def share(self, key, values):
        """In: holders of labels. Out: partition -> pairs of holders of a label."""
        options = self.options
        holders = origins.Holders(storage.open_scratch, options.common, options.bits)
        for value in values:
            holders.add(packing.unpack(value))
        yield from self.sharing.add(holders)

    def share_final(self):
        yield from self.sharing.finish()

    def forward(self, key, value):
        yield key, value

    def most(self, key, values):
        """In: the pairs of a partition. Out: hash -> hash, and shared labels."""
        table = spilling.MergeTable(
            origins.SHARED, storage.open_scratch, self.options.bits
        )
        for value in values:
            table.add(packing.unpack(value))
        for bad, other, *numbers in origins.most_shared(table.drain()):
            text = ' '.join(map(str, numbers)).encode()
            yield bad.hex().encode(), other.hex().encode() + b' ' + text


if __name__ == '__main__':
    ShareLabels.run()
