"""ChooseDocuments: choose the document to keep of each URL that has several."""

from functools import partial

from mrjob.step import MRStep

from mr_reuse.pages import capture_lines, captures
from mr_reuse.pages.documents import document, numbering
from mr_reuse.pages.jobs.base import DocumentJob
from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.mapped_digests import MappedDigests
from mr_reuse.storage import mapped


class ChooseDocuments(DocumentJob):
    """The first step chooses by URL, the second sorts the numbers passed over."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--repeated')
        self.add_passthru_arg('--keep', default=captures.FIRST)
        self.add_numbers_args()
        self.add_bits_arg()

    def steps(self):
        choose = MRStep(
            mapper_init=self.init_captures,
            mapper=self.collect_captures,
            mapper_final=self.finish_captures,
            reducer_init=self.init_choice,
            reducer=self.choose,
            reducer_final=self.finish_choice,
        )
        return [
            choose,
            MRStep(
                mapper=self.forward,
                reducer_init=self.init_sorter,
                reducer=self.sort_skipped,
                reducer_final=self.finish_skipped,
            ),
        ]

    def init_captures(self):
        options = self.options
        self.known = self.numbers()
        self.captures = capture_lines.CaptureCollector(
            MappedDigests(mapped.map_bytes(options.repeated)),
            options.keep,
            options.bits,
        )

    def collect_captures(self, key, value):
        """In: lines of documents. Out: partition -> captures of repeated URLs."""
        if document.is_document_line(key):
            page = document.parse_document(key, value)
            number = self.known.base(page.batch) + page.ordinal
            capture = document.to_capture(page)
            yield from self.captures.add(capture, b'%d' % number)

    def finish_captures(self):
        yield from self.captures.finish()

    def init_choice(self):
        bits = numbering.width_of(self.options.total)
        self.skipped = capture_lines.SkippedCollector(
            self.options.bits, partial(numbering.name_to_digest, bits=bits)
        )

    def choose(self, key, values):
        """In: the captures of some URLs. Out: partition -> numbers passed over."""
        yield from self.skipped.add(key, values)

    def finish_choice(self):
        yield from self.skipped.finish()

    def forward(self, key, value):
        yield key, value

    def init_sorter(self):
        self.sorter = capture_lines.SkippedSorter()

    def sort_skipped(self, key, values):
        """In: numbers of documents, as digests. Out: the same, sorted."""
        yield from self.sorter.add(key, values)

    def finish_skipped(self):
        """Out: how many documents are passed over, as the last line."""
        yield protocol.last_line(self.sorter.stats)


if __name__ == '__main__':
    ChooseDocuments.run()
