"""CheckQuilts: compare each quilt with the words of its page and of its sources."""

from mrjob.step import MRStep

from mr_reuse.pages.documents import choosing
from mr_reuse.pages.documents.reading import DocumentReader, NeededText
from mr_reuse.pages.jobs.base import read_word_args
from mr_reuse.quilts import lists
from mr_reuse.quilts.checks import joining
from mr_reuse.quilts.checks.confirming import QuiltChecker
from mr_reuse.quilts.checks.joining import CoverJoiner
from mr_reuse.quilts.jobs.base import QuiltJob, add_recipe_args
from mr_reuse.shuffle import mapped_paths, protocol
from mr_reuse.shuffle.partitions import unit_of


class CheckQuilts(QuiltJob):
    """The first step names the documents of covers, the second reads their records."""

    def configure_args(self):
        super().configure_args()
        add_recipe_args(self)
        self.add_passthru_arg(
            '--check-parts', type=int, default=64, help='Partitions of the quilts'
        )
        self.add_file_arg('--needed', help='File of the driver: documents of covers')
        self.add_file_arg('--quilts', help='File of the driver: quilts')
        self.add_file_arg('--paths', help='File of the driver: paths of archives')

    def steps(self):
        return [
            MRStep(
                mapper_init=self.init_joiner,
                mapper=self.divide,
                reducer_init=self.init_joiner,
                reducer=self.name_documents,
            ),
            MRStep(
                mapper=self.forward,
                reducer_init=self.init_checker,
                reducer=self.check,
                reducer_final=self.finish,
            ),
        ]

    def init_joiner(self):
        options = self.options
        needed, quilts = map(choosing.map_numbers, (options.needed, options.quilts))
        parts = options.parts, options.check_parts, options.total
        self.joiner = CoverJoiner(parts, needed, quilts, options.m)

    def divide(self, key, value):
        """In: documents, covers, lists. Out: partitions of documents and of quilts."""
        if joining.is_document_row(key):
            yield from self.joiner.add_documents(key, value)
        elif joining.is_cover_line(key):
            yield from self.joiner.add_covers(value)
        elif lists.is_list_line(key):
            yield from self.joiner.add_lists(lists.unpack(value))

    def name_documents(self, key, values):
        """In: documents and references; what quilts need. Out: what quilts need."""
        if unit_of(key) == joining.UNIT:
            for value in values:
                yield key, value
        else:
            yield from self.joiner.name_documents(values)

    def forward(self, key, value):
        yield key, value

    def init_checker(self):
        options = self.options
        rule, types = read_word_args(options)
        text = NeededText(of_whole=True)  # large pages are compared by hashes
        reader = DocumentReader(rule, types, lambda media: True, text)
        paths = mapped_paths.read_paths(options.paths)
        self.checker = QuiltChecker(options.k, reader, paths)

    def check(self, key, values):
        """In: some quilts with their grams. Out: rows of tables, keyed."""
        yield from self.checker.check(key, values)

    def finish(self):
        """Out: the numbers of quilts, as the last line."""
        yield protocol.last_line({'checked': self.checker.stats})


if __name__ == '__main__':
    CheckQuilts.run()
