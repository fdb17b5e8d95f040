"""FindSources: find covering sets, documents with the popular shingles of pages."""

from mr_reuse.phrases import vectors
from mr_reuse.phrases.covered import Covered
from mr_reuse.phrases.jobs.base import PhraseJob
from mr_reuse.phrases.matching import SourceMatcher
from mr_reuse.phrases.sources import CoverFinder
from mr_reuse.shuffle import partitions
from mr_reuse.storage import mapped


class FindSources(PhraseJob):
    """Compares the vectors of all documents with those of the pages to cover."""

    USED = (partitions.start_of(vectors.UNIT),)

    def configure_args(self):
        super().configure_args()
        self.add_documents_args()
        self.add_parts_arg()
        self.add_file_arg('--covered', help='File of the driver: pages to cover')

    def load_covered(self):
        return Covered.read(mapped.map_bytes(self.options.covered))

    def mapper_init(self):
        options = self.options
        self.reader = self.new_reader()
        sample = self.load_covered()
        self.matcher = SourceMatcher(sample, options.parts, options.total)

    def mapper(self, key, value):
        """In: vectors. Out: partition -> documents with popular shingles of pages."""
        if vectors.is_vector_line(key):
            yield from self.matcher.add(self.reader.read(value))

    def mapper_final(self):
        yield from self.matcher.finish()

    def reducer_init(self):
        self.finder = CoverFinder(self.load_covered())

    def reducer(self, key, values):
        """In: the documents of some pages. Out: covering sets, in order."""
        yield from self.finder.add(key, values)


if __name__ == '__main__':
    FindSources.run()
