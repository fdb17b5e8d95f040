"""ConnectNumbers: find the smallest number of the component of each number."""

from mr_reuse.components import edges, joining
from mr_reuse.components.forests import ForestCollector
from mr_reuse.components.jobs.base import EdgeJob
from mr_reuse.components.joining import NumberJoiner
from mr_reuse.shuffle import protocol


class ConnectNumbers(EdgeJob):
    """One reducer joins all edges, or several those that are stars already."""

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg(
            '--total',
            type=int,
            default=1 << 64,
            help='All numbers are below it. Default: %(default)s',
        )
        self.add_passthru_arg(
            '--width',
            type=int,
            default=joining.MIN_WIDTH,
            help='Numbers of a partition of the output. Default: %(default)s',
        )
        self.add_passthru_arg(
            '--edges',
            choices=('any', 'stars'),
            default='any',
            help='stars: each edge joins a number to the smallest of its component, so '
            'each reducer has a range of numbers; any: one reducer has all edges',
        )

    def mapper_init(self):
        options = self.options
        width = options.width if options.edges == 'stars' else 0
        self.forest = ForestCollector(joining.pack_by_range(width), options.most)

    def mapper(self, key, value):
        """In: edges. Out: partition -> a forest of them."""
        yield from self.collect(key, value)

    def mapper_final(self):
        yield from self.finish()

    def reducer_init(self):
        self.joiner = NumberJoiner(self.options.total, self.options.width)

    def reducer(self, key, values):
        """In: edges. Out: numbers, and the smallest of the component of each."""
        yield from self.joiner.add(map(edges.unpack, values))

    def reducer_final(self):
        """Out: counts of numbers and components, as the last line."""
        yield protocol.last_line(self.joiner.stats)


if __name__ == '__main__':
    ConnectNumbers.run()
