"""MatchLabeled: find the labels of each page, by one of three joins."""

from mrjob.step import MRStep

from mr_reuse.chunks import line_kinds
from mr_reuse.chunks.detect import joins
from mr_reuse.chunks.detect.assembling import Assembler
from mr_reuse.chunks.detect.matching import SCOPES
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.labels import label_files, task_files
from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.bloom import Bloom
from mr_reuse.shuffle.partitions import unit_of
from mr_reuse.storage import mapped


class MatchLabeled(ChunkJob):
    """In: page lines. Out: the labels of each page.

    One step with `--join map`, two steps with `--join reduce`.

    With `map`, each mapper looks digests up in the whole label file, and the reducers
    assemble the matches. With `reduce`, the reducers of the first step look digests up,
    each in a part of the file, and those of the second assemble the matches. If a Bloom
    filter is named (`--maybe`), mappers do not send digests that it rules out.
    """

    READS = (line_kinds.PAGES,)

    def configure_args(self):
        super().configure_args()
        add = self.add_passthru_arg
        text = 'Output of FilterStopChunks, a label file, or a run of discover'
        self.add_file_arg('--labels', help=text)
        text = 'Stop list of FilterStopChunks, if it had one'
        self.add_file_arg('--stop', help=text)
        text = 'Where labels are looked up. Default: %(default)s'
        add('--join', choices=task_files.JOINS, default='map', help=text)
        text = 'both: stop chunks are not counted; labels: they are. Default: both'
        add('--scope', choices=SCOPES, default=SCOPES[0], help=text)
        self.add_number_arg('--distinct', 0, '1: count a chunk once a page.')
        self.add_file_arg('--maybe', help='File of the driver: a Bloom filter')
        add('--rate', type=float, default=0, help='False positive rate of the filter')
        text = 'As --bits, for the first step of --join reduce. Default: %(default)s'
        add('--ask-bits', type=int, default=2, help=text)
        self.add_bits_arg()
        self.add_skipped_arg()

    def prepare(self, folder):
        options = self.options
        return task_files.prepare_join(
            folder, options.labels, options.stop, options.join
        )

    def steps(self):
        assemble = {
            'reducer_init': self.init_assembler,
            'reducer': self.assemble,
        }
        if self.options.join == 'map':
            join = {'mapper_init': self.init_memory_join, 'mapper': self.join_pages}
            return [MRStep(**join, mapper_final=self.finish_join, **assemble)]
        query = MRStep(
            mapper_init=self.init_query_join,
            mapper=self.join_pages,
            mapper_final=self.finish_join,
            reducer_init=self.init_lookup,
            reducer=self.look_up,
            reducer_final=self.finish_lookup,
        )
        return [query, MRStep(mapper=self.forward, **assemble)]

    def load_labels(self):
        return label_files.load(self.options.labels, is_trusted=True)

    def join_options(self):
        options = self.options
        return joins.JoinOptions(options.scope, bool(options.distinct), options.bits)

    def init_memory_join(self):
        self.join = joins.MemoryJoin(
            self.load_labels(), self.join_options(), self.skipped()
        )

    def init_query_join(self):
        options, labels = self.options, self.load_labels()
        bloom = None
        if options.maybe:
            data = mapped.map_bytes(options.maybe)
            bloom = Bloom(labels.label_count, options.rate, data)
        args = self.join_options(), options.ask_bits, bloom, self.skipped()
        self.join = joins.QueryJoin(labels, *args)

    def join_pages(self, key, value):
        """In: page lines. Out: whole/PART and part/PART, or chunk/PART and file/PART.

        `assembling.py` and `joins.py` describe these lines.
        """
        if key != protocol.LAST_KEY:
            yield from self.join.add(key, value)

    def finish_join(self):
        yield from self.join.finish()

    def init_lookup(self):
        options, labels = self.options, self.load_labels()
        self.lookup = joins.QueryLookup(labels, options.ask_bits, options.bits)

    def look_up(self, key, values):
        """In: chunk/PART, file/PART or part/PART. Out: part/PART."""
        if unit_of(key) in ('chunk', 'file'):
            yield from self.lookup.add(key, values)
        else:
            for value in values:
                yield key, value

    def finish_lookup(self):
        yield from self.lookup.finish()

    def forward(self, key, value):
        yield key, value

    def init_assembler(self):
        self.assembler = Assembler(self.load_labels())

    def assemble(self, key, values):
        """In: whole/PART or part/PART. Out: one match a page (`matching.py`)."""
        yield from self.assembler.add(key, values)


if __name__ == '__main__':
    MatchLabeled.run()
