"""SumPopular: count the popular shingles of each page, and draw a sample of pages."""

from mr_reuse.components import files
from mr_reuse.pages.documents import choosing, document
from mr_reuse.phrases import popular
from mr_reuse.phrases.jobs.base import PhraseJob
from mr_reuse.phrases.page_counts import PageCollector, PageCounter, Waiting
from mr_reuse.phrases.phrase_options import PhraseRule
from mr_reuse.shuffle import protocol, ragged
from mr_reuse.shuffle.partitions import unit_of


class SumPopular(PhraseJob):
    """Reads the popular shingles, and the output of ReadVectors for its documents."""

    def configure_args(self):
        super().configure_args()
        rule = PhraseRule()
        self.add_numbers_args()
        self.add_parts_arg()
        self.add_file_arg('--skipped', help='File of the driver: documents passed over')
        self.add_file_arg('--components', help='File of the driver: near-duplicates')
        self.add_passthru_arg('--covers', type=int, default=rule.covers)
        self.add_passthru_arg('--covers-of', default=None)
        self.add_passthru_arg('--seed', type=int, default=rule.seed)

    def mapper_init(self):
        options = self.options
        self.known = self.numbers()
        self.pages = PageCollector(
            options.parts,
            options.total,
            choosing.map_numbers(options.skipped),
            files.map_components(options.components),
        )

    def mapper(self, key, value):
        """In: documents, popular shingles. Out: partition -> the same."""
        if document.is_document_line(key):
            page = Waiting.of_line(key, value, self.known)
            yield from self.pages.add_document(page)
        elif unit_of(key) == popular.POPULAR:
            yield from self.pages.add_popular(ragged.unpack_columns(value)[0])

    def mapper_final(self):
        yield from self.pages.finish()

    def reducer_init(self):
        options = self.options
        rule = PhraseRule(
            covers=options.covers, covers_of=options.covers_of, seed=options.seed
        )
        self.counter = PageCounter(options.parts, options.total, rule)

    def reducer(self, key, values):
        """In: a partition. Out: pages in order, near-duplicates, sums of hosts."""
        yield from self.counter.add(key, values)

    def reducer_final(self):
        """Out: the sample, and counts as the last line."""
        yield from self.counter.finish()
        yield protocol.last_line({'pages': self.counter.stats})


if __name__ == '__main__':
    SumPopular.run()
