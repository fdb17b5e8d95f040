"""PickVectors: pick the vectors of the pages to cover. Map only."""

from mr_reuse.pages.documents import choosing
from mr_reuse.phrases import popular, vectors
from mr_reuse.phrases.covered import CoveredPicker
from mr_reuse.phrases.jobs.base import PhraseJob
from mr_reuse.shuffle.partitions import start_of, unit_of


class PickVectors(PhraseJob):
    """Reads the output of ReadVectors and of CountPopular."""

    USED = tuple(map(start_of, (vectors.UNIT, popular.POPULAR)))

    def configure_args(self):
        super().configure_args()
        self.add_documents_args()
        self.add_file_arg('--wanted', help='File of the driver: pages to cover')

    def mapper_init(self):
        self.reader = self.new_reader()
        self.picker = CoveredPicker(choosing.map_numbers(self.options.wanted))

    def mapper(self, key, value):
        """In: vectors, popular shingles. Out: those of the pages to cover."""
        if vectors.is_vector_line(key):
            yield from self.picker.pick_vectors(self.reader.read(value))
        elif unit_of(key) == popular.POPULAR:
            yield from self.picker.pick_popular(value)


if __name__ == '__main__':
    PickVectors.run()
