"""CompareWithOne: find the similarity of all documents to one page."""

import numpy as np

from mr_reuse.pages.documents import choosing, document, numbering
from mr_reuse.shuffle import protocol
from mr_reuse.storage import mapped
from mr_reuse.styles import fingerprints
from mr_reuse.styles.comparing import OneCollector, OneComparer
from mr_reuse.styles.jobs.base import StyleJob
from mr_reuse.text.noise.keys import key_type


class CompareWithOne(StyleJob):
    """Reads the output of ReadFingerprints."""

    def configure_args(self):
        super().configure_args()
        self.add_documents_args()
        self.add_normalize_arg()
        self.add_file_arg('--one', help='File of the driver: the fingerprint')
        self.add_passthru_arg(
            '--parts', type=int, default=64, help='Partitions of the documents'
        )

    def load_one(self):
        kind = key_type(self.options.key_bits)
        name = self.options.one
        data = mapped.map_bytes(name) if name else bytes(self.shape().keys)
        return np.frombuffer(data, kind)

    def mapper_init(self):
        options = self.options
        self.known, self.reader = self.numbers(), self.new_reader()
        self.skipped = choosing.map_numbers(options.skipped)
        self.pages = OneCollector(self.load_one(), options.parts, options.total)

    def mapper(self, key, value):
        """In: documents, fingerprints. Out: partition -> names, agreements."""
        if fingerprints.is_fingerprint_line(key):
            yield from self.pages.compare(self.reader.read(value))
        elif document.is_document_line(key):
            page = document.parse_document(key, value)
            number = self.known.base(page.batch) + page.ordinal
            if not numbering.is_among(number, self.skipped):
                yield from self.pages.add(page, number)

    def mapper_final(self):
        yield from self.pages.finish()

    def reducer_init(self):
        options = self.options
        shape = options.m, bool(options.normalize_empty)
        self.comparer = OneComparer(shape, options.parts, options.total)

    def reducer(self, key, values):
        """In: the documents of a partition. Out: rows of the table."""
        yield from self.comparer.add(key, values)

    def reducer_final(self):
        """Out: the numbers of documents by similarity, as the last line."""
        yield protocol.last_line({'near': dict(self.comparer.stats)})


if __name__ == '__main__':
    CompareWithOne.run()
