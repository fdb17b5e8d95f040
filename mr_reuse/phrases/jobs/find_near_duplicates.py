"""FindNearDuplicates: find documents that agree in two of six runs of shingles."""

from mr_reuse.phrases import vectors
from mr_reuse.phrases.jobs.base import PhraseJob
from mr_reuse.phrases.near_duplicates import (
    KeyCollector,
    KeyLinker,
    WholeStarCollector,
    WholeStarLinker,
)
from mr_reuse.shuffle import partitions, protocol


class FindNearDuplicates(PhraseJob):
    """Each document has a key for each pair of its runs."""

    USED = (partitions.start_of(vectors.UNIT),)

    def configure_args(self):
        super().configure_args()
        self.add_documents_args()
        self.add_bits_arg()
        self.add_passthru_arg(
            '--edges',
            choices=('any', 'stars'),
            default='any',
            help='stars: each edge goes to the first document with a key; any: each '
            'task may choose another one',
        )

    def mapper_init(self):
        make = WholeStarCollector if self.options.edges == 'stars' else KeyCollector
        self.reader = self.new_reader()
        self.keys = make(self.options.bits)

    def mapper(self, key, value):
        """In: vectors. Out: partition -> keys with documents, edges."""
        if vectors.is_vector_line(key):
            yield from self.keys.add(self.reader.read(value))

    def mapper_final(self):
        yield from self.keys.finish()

    def reducer_init(self):
        make = WholeStarLinker if self.options.edges == 'stars' else KeyLinker
        self.linker = make()

    def reducer(self, key, values):
        """In: the keys of a partition, edges. Out: edges between near-duplicates."""
        yield from self.linker.add(key, values)

    def reducer_final(self):
        """Out: the remaining edges, and their number as the last line."""
        yield from self.linker.finish()
        yield protocol.last_line(self.linker.stats)


if __name__ == '__main__':
    FindNearDuplicates.run()
