"""VerifyPairs: compare near-duplicates by all of their phrases."""

from fractions import Fraction

from mrjob.step import MRStep

from mr_reuse.components import edges
from mr_reuse.pages.documents import document
from mr_reuse.pages.documents.reading import DocumentReader
from mr_reuse.pages.jobs.base import add_word_args, read_word_args
from mr_reuse.phrases.jobs.base import PhraseJob
from mr_reuse.phrases.verifying import naming
from mr_reuse.phrases.verifying.comparing import PairLinker, PairVerifier
from mr_reuse.shuffle import mapped_paths, protocol


class VerifyPairs(PhraseJob):
    """Steps that name the documents of pairs, read their records, and link equal ones.

    The last one is for documents of which no pair is left.
    """

    def configure_args(self):
        super().configure_args()
        self.add_numbers_args()
        self.add_parts_arg()
        self.add_bits_arg()
        add_word_args(self, scripts='keep')
        self.add_passthru_arg('--verify', type=Fraction, default=0, metavar='X')
        self.add_file_arg('--paths', help='File of the driver: paths of archives')

    def steps(self):
        return [
            MRStep(
                mapper_init=self.init_divider,
                mapper=self.divide,
                mapper_final=self.finish_dividing,
                reducer=self.name_documents,
            ),
            MRStep(
                mapper=self.forward,
                reducer_init=self.init_verifier,
                reducer=self.verify,
                reducer_final=self.finish_verifying,
            ),
            MRStep(
                mapper=self.forward,
                reducer_init=self.init_linker,
                reducer=self.link,
                reducer_final=self.finish,
            ),
        ]

    def init_divider(self):
        self.known = self.numbers()
        self.divider = naming.PairDivider(self.options.parts, self.options.total)

    def divide(self, key, value):
        """In: documents, pairs. Out: partitions of documents and of pairs."""
        if document.is_document_line(key):
            page = document.parse_document(key, value)
            number = self.known.base(page.batch) + page.ordinal
            yield from self.divider.add_document(page, number)
        elif edges.is_edge_line(key):
            yield from self.divider.add_pairs(edges.unpack(value))

    def finish_dividing(self):
        yield from self.divider.finish()

    def name_documents(self, key, values):
        """In: documents and references; pairs. Out: pairs and their documents."""
        yield from naming.name_documents(key, values)

    def forward(self, key, value):
        yield key, value

    def init_verifier(self):
        rule, types = read_word_args(self.options, 'fingerprints')
        reader = DocumentReader(rule, types, lambda media: True)
        paths = mapped_paths.read_paths(self.options.paths)
        least, bits = self.options.verify, self.options.bits
        self.verifier = PairVerifier(least, bits, reader, paths)

    def verify(self, key, values):
        """In: some pairs and their documents. Out: pairs; keys of other documents."""
        yield from self.verifier.add(key, values)

    def finish_verifying(self):
        yield from self.verifier.finish()

    def init_linker(self):
        self.linker = PairLinker()

    def link(self, key, values):
        """In: pairs, keys. Out: pairs, also those of documents with the same key."""
        yield from self.linker.add(key, values)

    def finish(self):
        """Out: the remaining pairs, and their numbers as the last line."""
        yield from self.linker.finish()
        yield protocol.last_line(self.linker.stats)


if __name__ == '__main__':
    VerifyPairs.run()
