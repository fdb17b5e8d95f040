"""SumPatches: count the patch grams of each document, and find the candidates."""

from fractions import Fraction

from mr_reuse.pages.documents import choosing, document, numbering
from mr_reuse.quilts import lists, shares
from mr_reuse.quilts.jobs.base import QuiltJob
from mr_reuse.shuffle import protocol


class SumPatches(QuiltJob):
    """Reads the classes, and the output of ReadGrams again for its documents."""

    def configure_args(self):
        super().configure_args()
        self.add_fraction_arg('--alpha', Fraction(1, 2))
        self.add_file_arg('--numbers', help='File of the driver: bases of batches')
        self.add_file_arg('--skipped', help='File of the driver: documents passed over')

    def mapper_init(self):
        options = self.options
        self.known = self.numbers()
        self.skipped = choosing.map_numbers(options.skipped)
        self.patches = shares.PatchCollector(options.parts, options.total)

    def mapper(self, key, value):
        """In: classes, documents. Out: partition -> documents, their patch grams."""
        if document.is_document_line(key):
            page = document.parse_document(key, value)
            number = self.known.base(page.batch) + page.ordinal
            if not numbering.is_among(number, self.skipped):
                yield from self.patches.add_document(page, number)
        elif lists.is_list_line(key):
            kept = lists.up_to(lists.unpack(value), self.options.m)
            yield from self.patches.add_lists(kept)

    def mapper_final(self):
        yield from self.patches.finish()

    def reducer_init(self):
        options = self.options
        self.fractions = shares.PatchFractions(
            options.parts, options.total, options.alpha, options.foreign
        )

    def reducer(self, key, values):
        """In: a partition. Out: its documents, candidates and servers, in order."""
        yield from self.fractions.add(key, values)

    def reducer_final(self):
        """Out: patch fractions and counts, as the last line."""
        found = self.fractions
        stats = {'shares': found.stats, 'percents': found.percents}
        yield protocol.last_line(stats)


if __name__ == '__main__':
    SumPatches.run()
