"""MatchLabeled: find the labels of each page, by one of three joins."""

from mrjob.step import MRStep

from mr_reuse.chunks.detect import joins
from mr_reuse.chunks.detect.assembling import Assembler
from mr_reuse.chunks.detect.matching import SCOPES
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.labels import label_files
from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.bloom import Bloom
from mr_reuse.shuffle.partitions import unit_of
from mr_reuse.storage import mapped


class MatchLabeled(ChunkJob):
    """The steps depend on `--join`.

    With `map`, each mapper looks labels up in the whole label file. With `reduce`, each
    reducer looks them up in a part of the file. If a Bloom filter is given (`--maybe`),
    mappers do not send digests that it rules out.
    """

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--labels')
        self.add_file_arg('--maybe')
        self.add_passthru_arg('--rate', type=float, default=0)
        self.add_passthru_arg('--join', default='map')
        self.add_passthru_arg('--ask-bits', type=int, default=2)
        self.add_passthru_arg('--scope', default=SCOPES[0])
        self.add_passthru_arg('--distinct', type=int, default=0)
        self.add_bits_arg()

    def steps(self):
        complete = {
            'reducer_init': self.complete_init,
            'reducer': self.complete,
        }
        if self.options.join == 'map':
            find = {'mapper_init': self.find_init, 'mapper': self.find}
            return [MRStep(**find, mapper_final=self.find_final, **complete)]
        ask = MRStep(
            mapper_init=self.ask_init,
            mapper=self.find,
            mapper_final=self.find_final,
            reducer_init=self.answer_init,
            reducer=self.answer,
            reducer_final=self.answer_final,
        )
        return [ask, MRStep(mapper=self.forward, **complete)]

    def labels(self):
        return label_files.load(self.options.labels, checked=True)

    def counted(self):
        options = self.options
        return joins.JoinOptions(options.scope, bool(options.distinct), options.bits)

    def find_init(self):
        self.join = joins.MemoryJoin(self.labels(), self.counted())

    def ask_init(self):
        options, labels = self.options, self.labels()
        maybe = None
        if options.maybe:
            count = len(labels.chunks) + len(labels.files)
            data = mapped.map_bytes(options.maybe)
            maybe = Bloom(count, options.rate, data)
        self.join = joins.QueryJoin(labels, self.counted(), options.ask_bits, maybe)

    def find(self, key, value):
        """In: page lines. Out: whole/PART and part/PART, or chunk/PART to look up."""
        if key != protocol.LAST_KEY:
            yield from self.join.add(key, value)

    def find_final(self):
        yield from self.join.finish()

    def answer_init(self):
        options = self.options
        self.answers = joins.QueryLookup(self.labels(), options.ask_bits, options.bits)

    def answer(self, key, values):
        """In: digests of pages. Out: part/PART -> their labels."""
        if unit_of(key) in ('chunk', 'file'):
            yield from self.answers.add(key, values)
        else:
            yield from self.forward_all(key, values)

    def answer_final(self):
        yield from self.answers.finish()

    def forward(self, key, value):
        yield key, value

    def forward_all(self, key, values):
        for value in values:
            yield key, value

    def complete_init(self):
        self.completing = Assembler(self.labels(), self.options.bits)

    def complete(self, key, values):
        """In: whole/PART or part/PART. Out: one match a page (`matching.py`)."""
        yield from self.completing.add(key, values)


if __name__ == '__main__':
    MatchLabeled.run()
