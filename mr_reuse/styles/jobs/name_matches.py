"""NameMatches: name the documents that are alike a known one. Map only."""

from mr_reuse.pages.documents import document
from mr_reuse.styles import style_file
from mr_reuse.styles.jobs.base import StyleJob
from mr_reuse.styles.match.pairing import PairCollector, map_matches


class NameMatches(StyleJob):
    """Reads the output of ReadFingerprints for its documents."""

    def configure_args(self):
        super().configure_args()
        self.add_numbers_args()
        self.add_file_arg('--known', help='File of the driver: the style file')
        self.add_file_arg('--matches', help='File of the driver: nearest known ones')

    def mapper_init(self):
        known = style_file.load(self.options.known, is_trusted=True)
        self.known_numbers = self.numbers()
        self.pairs = PairCollector(known, map_matches(self.options.matches))

    def mapper(self, key, value):
        """In: documents. Out: rows of the table."""
        if document.is_document_line(key):
            page = document.parse_document(key, value)
            number = self.known_numbers.base(page.batch) + page.ordinal
            yield from self.pairs.add(page, number)

    def mapper_final(self):
        yield from self.pairs.finish()


if __name__ == '__main__':
    NameMatches.run()
