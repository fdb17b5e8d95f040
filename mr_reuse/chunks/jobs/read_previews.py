"""ReadPreviews: read the first bytes of each labeled chunk from its example."""

from mr_reuse.chunks.discover import previews
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.shuffle import protocol


class ReadPreviews(ChunkJob):
    """The input lines are grouped by archive, in the order of offsets. Map only."""

    def configure_args(self):
        super().configure_args()
        self.add_recipe_args()

    def mapper_init(self):
        self.reader = previews.PreviewReader(self.recipe())

    def mapper(self, key, value):
        """In: rid -> row of the table of labels. Out: row -> preview."""
        if key != protocol.LAST_KEY:
            yield from self.reader.add(key, value)

    def mapper_final(self):
        yield from self.reader.finish()


if __name__ == '__main__':
    ReadPreviews.run()
