"""CheckQuilts: compare each quilt with the words of its page and of its sources."""

from mrjob.step import MRStep

from mr_reuse.pages.documents.reading import DocumentReader, NeededText
from mr_reuse.pages.jobs.base import read_word_args
from mr_reuse.quilts import lists
from mr_reuse.quilts.checks import clashes, confirming, joining
from mr_reuse.quilts.checks.confirming import DocumentChecker
from mr_reuse.quilts.checks.joining import CheckDivider, Parts
from mr_reuse.quilts.checks.reports import QuiltReporter
from mr_reuse.quilts.finding import Needed
from mr_reuse.quilts.jobs.base import QuiltJob, add_recipe_args
from mr_reuse.shuffle import mapped_paths, protocol
from mr_reuse.shuffle.partitions import unit_of
from mr_reuse.storage import mapped


class CheckQuilts(QuiltJob):
    """The first step reads documents again, the second one makes rows of the tables."""

    def configure_args(self):
        super().configure_args()
        add_recipe_args(self)
        self.add_file_arg('--kinds', help='File of the driver: kinds of documents')
        self.add_file_arg('--paths', help='File of the driver: paths of archives')

    def steps(self):
        return [
            MRStep(
                mapper_init=self.init_divider,
                mapper=self.divide,
                reducer_init=self.init_checker,
                reducer=self.check,
            ),
            MRStep(
                mapper=self.forward,
                reducer_init=self.init_reporter,
                reducer=self.report,
                reducer_final=self.finish,
            ),
        ]

    def parts(self):
        return Parts(self.options.parts, self.options.total)

    def init_divider(self):
        kinds = mapped.map_rows(self.options.kinds, 1).ravel()
        self.divider = CheckDivider(self.parts(), kinds, self.options.m)

    def divide(self, key, value):
        """In: documents, covers, lists. Out: partition -> those of its documents."""
        if joining.is_document_row(key):
            yield from self.divider.add_documents(value)
        elif joining.is_cover_line(key):
            yield from self.divider.add_covers(value)
        elif joining.is_needed_line(key):
            yield from self.divider.add_references(Needed.unpack(value))
        elif lists.is_list_line(key):
            yield from self.divider.add_lists(lists.unpack(value))

    def init_checker(self):
        options = self.options
        rule, types = read_word_args(options)
        text = NeededText(of_whole=True)  # large pages are compared by hashes
        reader = DocumentReader(rule, types, lambda media: True, text)
        paths = mapped_paths.read_paths(options.paths)
        self.checker = DocumentChecker(options.k, reader, paths, self.parts())

    def check(self, key, values):
        """In: a partition. Out: quilts and documents confirmed, grams with words."""
        yield from self.checker.check(key, values)

    def forward(self, key, value):
        yield key, value

    def init_reporter(self):
        self.reporter = QuiltReporter()

    def report(self, key, values):
        """In: quilts and their documents; grams. Out: rows of tables; other words."""
        unit = unit_of(key)
        if unit == confirming.UNIT:
            yield from self.reporter.report(key, values)
        elif unit == clashes.WORDS:
            yield from clashes.compare_words(key, values)
        else:
            for value in values:
                yield key, value

    def finish(self):
        """Out: the numbers of quilts, as the last line."""
        yield protocol.last_line({'checked': self.reporter.stats})


if __name__ == '__main__':
    CheckQuilts.run()
