"""ListDocuments: find the documents of each gram that two or more have."""

from mr_reuse.pages.documents import choosing, document
from mr_reuse.pages.jobs.base import DocumentJob
from mr_reuse.quilts.grams import blocks
from mr_reuse.quilts.grams.gram_lists import GramLists
from mr_reuse.shuffle import protocol


class ListDocuments(DocumentJob):
    """A gram in more than `--limit` documents is dropped as soon as that is known."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--skipped', help='File of the driver: documents passed over')
        self.add_passthru_arg('--limit', type=int, default=100)
        self.add_numbers_args()
        self.add_bits_arg()

    def mapper_init(self):
        options = self.options
        skipped = choosing.map_numbers(options.skipped)
        numbers = self.numbers()
        self.divider = blocks.BlockDivider(
            numbers, skipped, options.limit, options.bits
        )

    def mapper(self, key, value):
        """In: blocks of grams. Out: partition -> grams with their documents."""
        if key != protocol.LAST_KEY and not document.is_document_line(key):
            yield from self.divider.divide(value)

    def reducer_init(self):
        self.lists = GramLists(self.options.limit, self.options.bits)

    def reducer(self, key, values):
        """In: the grams of a partition. Out: lists of documents with their grams."""
        yield from self.lists.add(key, values)

    def reducer_final(self):
        """Out: the numbers of grams, as the last line."""
        yield protocol.last_line({'lists': self.lists.stats})


if __name__ == '__main__':
    ListDocuments.run()
