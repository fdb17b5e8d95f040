"""ShareLabels: which labels bad neighborhoods share with others, and who was first."""

from mrjob.step import MRStep

from mr_reuse import storage
from mr_reuse.chunks.detect import matching, origins
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.shuffle import packing, spilling
from mr_reuse.storage import mapped


class ShareLabels(ChunkJob):
    """First all holders of a label come together, then all labels of two holders."""

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
        return [hold, MRStep(mapper=self.hand_on, reducer=self.most)]

    def hold_init(self):
        options = self.options
        how = options.level, options.chunks, options.bits, options.common
        self.holding = origins.Holding(*how)

    def hold(self, key, value):
        """In: matches. Out: part -> label and neighborhood; the first date."""
        yield from self.holding.add(matching.read_match(key, value))

    def hold_final(self):
        yield from self.holding.finish()

    def share_init(self):
        bad = mapped.map_rows(self.options.bad, 16)
        self.sharing = origins.Sharing(bad, self.options.bits, self.options.common)

    def share(self, key, values):
        """In: who has the labels of a part. Out: part -> pairs of neighborhoods."""
        options = self.options
        holders = origins.Holders(storage.open_scratch, options.common, options.bits)
        for value in values:
            holders.add(packing.unpack(value))
        yield from self.sharing.add(holders)

    def share_final(self):
        yield from self.sharing.finish()

    def hand_on(self, key, value):
        yield key, value

    def most(self, key, values):
        """In: pairs of a part. Out: hashes of two -> what they share."""
        table = spilling.MergeTable(
            origins.SHARED, storage.open_scratch, self.options.bits
        )
        for value in values:
            table.add(packing.unpack(value))
        for here, there, *numbers in origins.most_shared(table.drain()):
            text = ' '.join(map(str, numbers)).encode()
            yield here.hex().encode(), there.hex().encode() + b' ' + text


if __name__ == '__main__':
    ShareLabels.run()
