"""HashChunks: cut the pages of archives, and hash their chunks. Map only."""

from functools import cached_property

from mr_reuse import storage
from mr_reuse.archives.items import WITH_REVISITS
from mr_reuse.chunks.hasher import Hasher
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.pages.job import PageJob


class HashChunks(ChunkJob, PageJob):
    """In: names of archives, one on a line. Out: a line for each of their items."""

    UNIT = 'chunks'
    TYPES = WITH_REVISITS

    def configure_args(self):
        super().configure_args()
        self.add_recipe_args()

    def prepare(self, folder):
        self.recipe().check()
        return super().prepare(folder)

    @cached_property
    def hasher(self):
        return Hasher(self.recipe(), storage.open_scratch)

    def lines_of(self, archive, items):
        return self.hasher.hash_items(archive, items)


if __name__ == '__main__':
    HashChunks.run()
