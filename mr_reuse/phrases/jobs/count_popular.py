"""CountPopular: find the shingles that many documents have, and these documents."""

from mr_reuse.phrases import vectors
from mr_reuse.phrases.jobs.base import PhraseJob
from mr_reuse.phrases.phrase_options import PhraseRule
from mr_reuse.phrases.popular import PopularFinder, ShingleCollector
from mr_reuse.shuffle import partitions, protocol


class CountPopular(PhraseJob):
    """A shingle is a phrase and the position at which it was sampled."""

    USED = (partitions.start_of(vectors.UNIT),)

    def configure_args(self):
        super().configure_args()
        rule = PhraseRule()
        self.add_documents_args()
        self.add_passthru_arg('--popular', type=int, default=rule.popular)
        self.add_passthru_arg('--top', type=int, default=rule.top)
        self.add_bits_arg()

    def mapper_init(self):
        self.reader = self.new_reader()
        self.shingles = ShingleCollector(self.options.bits)

    def mapper(self, key, value):
        """In: vectors. Out: partition -> shingles with their documents."""
        if vectors.is_vector_line(key):
            yield from self.shingles.add(self.reader.read(value))

    def mapper_final(self):
        yield from self.shingles.finish()

    def reducer_init(self):
        self.finder = PopularFinder(self.options.popular, self.options.top)

    def reducer(self, key, values):
        """In: the shingles of a partition. Out: documents with popular shingles."""
        yield from self.finder.add(key, values)

    def reducer_final(self):
        """Out: the most frequent phrases, and counts as the last line."""
        yield from self.finder.finish()
        yield protocol.last_line(self.finder.stats)


if __name__ == '__main__':
    CountPopular.run()
