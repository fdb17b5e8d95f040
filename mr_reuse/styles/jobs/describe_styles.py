"""DescribeStyles: find the prototype of each style, and how similar its members are."""

from mr_reuse.components import files
from mr_reuse.pages.documents import choosing, document, numbering
from mr_reuse.shuffle import protocol
from mr_reuse.styles.describing import Describer, TextCollector
from mr_reuse.styles.jobs.base import StyleJob


class DescribeStyles(StyleJob):
    """Reads the output of ReadFingerprints for its documents."""

    def configure_args(self):
        super().configure_args()
        self.add_shape_args()
        self.add_numbers_args()
        self.add_file_arg('--skipped', help='File of the driver: documents passed over')
        self.add_prints_arg()
        self.add_normalize_arg()
        self.add_file_arg('--components', help='File of the driver: clusters')
        self.add_passthru_arg(
            '--parts', type=int, default=64, help='Partitions of the clusters'
        )

    def mapper_init(self):
        options = self.options
        self.known = self.numbers()
        self.skipped = choosing.map_numbers(options.skipped)
        components = files.map_components(options.components)
        self.texts = TextCollector(components, options.parts, options.total)

    def mapper(self, key, value):
        """In: documents. Out: partition -> those in clusters."""
        if document.is_document_line(key):
            page = document.parse_document(key, value)
            number = self.known.base(page.batch) + page.ordinal
            if not numbering.is_among(number, self.skipped):
                yield from self.texts.add(page, number)

    def mapper_final(self):
        yield from self.texts.finish()

    def reducer_init(self):
        normalizes = bool(self.options.normalize_empty)
        self.describer = Describer(self.prints(), normalizes)

    def reducer(self, key, values):
        """In: the documents of some clusters. Out: styles, and their members."""
        yield from self.describer.add(key, values)

    def reducer_final(self):
        """Out: the numbers of styles, as the last line."""
        yield protocol.last_line({'styles': self.describer.stats})


if __name__ == '__main__':
    DescribeStyles.run()
