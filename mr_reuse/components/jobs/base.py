"""The base class of the jobs on edges."""

from mr_reuse.components import edges
from mr_reuse.engine.job import LineJob


class EdgeJob(LineJob):
    """A job whose mappers send a forest of their edges, from `self.forest`."""

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg(
            '--most',
            type=int,
            default=edges.MAX_EDGES,
            help='Edges in the memory of a mapper. Default: %(default)s',
        )

    def collect(self, key, value):
        """In: edges. Out: partition -> a forest of them."""
        if edges.is_edge_line(key):
            yield from self.forest.add(edges.unpack(value))

    def finish(self):
        yield from self.forest.finish()
