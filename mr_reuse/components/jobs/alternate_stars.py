"""AlternateStars: a round of small stars and large stars over edges."""

from mrjob.step import MRStep

from mr_reuse.components import edges, stars
from mr_reuse.components.forests import ForestCollector
from mr_reuse.components.jobs.base import EdgeJob
from mr_reuse.shuffle import partitions, protocol
from mr_reuse.shuffle.partitions import part_of


class AlternateStars(EdgeJob):
    """The first step makes small stars, the second makes large stars of them."""

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg(
            '--bits',
            type=int,
            default=partitions.MIN_BITS,
            help='Divide the numbers into 2^BITS partitions. Default: %(default)s',
        )

    def steps(self):
        return [
            MRStep(
                mapper_init=self.init_small,
                mapper=self.collect,
                mapper_final=self.finish,
                reducer=self.make_small_stars,
            ),
            MRStep(
                mapper_init=self.init_large,
                mapper=self.collect,
                mapper_final=self.finish,
                reducer_init=self.init_stars,
                reducer=self.make_large_stars,
                reducer_final=self.finish_stars,
            ),
        ]

    def init_small(self):
        pack = stars.pack_by_number(self.options.bits)
        self.forest = ForestCollector(pack, self.options.most)

    def make_small_stars(self, key, values):
        """In: edges, the larger number of each first. Out: small stars."""
        for piece in stars.make_small_stars(stars.sort_edges(values)):
            yield from edges.pack_lines(edges.EDGE, part_of(key), piece)

    def init_large(self):
        pack = stars.pack_both_ways(self.options.bits)
        self.forest = ForestCollector(pack, self.options.most)

    def init_stars(self):
        self.stars = stars.LargeStars()

    def make_large_stars(self, key, values):
        """In: edges in both directions. Out: large stars."""
        for piece in self.stars.make(stars.sort_edges(values)):
            yield from edges.pack_lines(edges.EDGE, part_of(key), piece)

    def finish_stars(self):
        """Out: the numbers of edges and of stars, as the last line."""
        yield protocol.last_line({edges.STATS: self.stars.stats})


if __name__ == '__main__':
    AlternateStars.run()
