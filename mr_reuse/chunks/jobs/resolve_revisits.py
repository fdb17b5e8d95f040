"""ResolveRevisits: find the target of each revisit."""

from mrjob.step import MRStep

from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.revisits import resolving
from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.mapped_digests import MappedDigests
from mr_reuse.storage import mapped


class ResolveRevisits(ChunkJob):
    """The steps: answers to revisits, the best answer, references among revisits."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--wanted')
        self.add_bits_arg()

    def steps(self):
        answer = MRStep(
            mapper_init=self.init_ask,
            mapper=self.ask,
            mapper_final=self.finish_ask,
            reducer_init=self.init_answers,
            reducer=self.answer,
            reducer_final=self.finish_answers,
        )
        states = {'reducer_init': self.init_states, 'reducer_final': self.finish_states}
        choose = MRStep(mapper=self.forward, reducer=self.choose, **states)
        follow = MRStep(mapper=self.forward, reducer=self.follow, **states)
        resolve = MRStep(
            mapper=self.forward,
            reducer_init=self.init_lines,
            reducer=self.resolve,
            reducer_final=self.finish_lines,
        )
        return [answer, choose, *[follow] * (resolving.ROUNDS - 1), resolve]

    def forward(self, key, value):
        yield key, value

    def init_ask(self):
        wanted = MappedDigests(mapped.map_bytes(self.options.wanted))
        self.records = resolving.AskCollector(wanted, self.options.bits)

    def ask(self, key, value):
        """In: page lines. Out: partition -> records and revisits by their keys."""
        if key != protocol.LAST_KEY:
            yield from self.records.add(key, value)

    def finish_ask(self):
        yield from self.records.finish()

    def init_answers(self):
        self.answers = resolving.AnswerCollector(self.options.bits)

    def answer(self, key, values):
        """In: the keys of a partition. Out: partition -> answers to revisits."""
        yield from self.answers.add(key, values)

    def finish_answers(self):
        yield from self.answers.finish()

    def init_states(self):
        self.states = resolving.StateCollector(self.options.bits)

    def choose(self, _, values):
        """In: the answers of a partition. Out: partition -> states of revisits."""
        yield from self.states.choose(values)

    def follow(self, _, values):
        """In: the states of a partition. Out: the same after a round."""
        yield from self.states.follow(values)

    def finish_states(self):
        yield from self.states.finish()

    def init_lines(self):
        self.lines = resolving.ResolvedLines()

    def resolve(self, _, values):
        """In: the states of a partition. Out: page lines without chunks."""
        yield from self.lines.add(values)

    def finish_lines(self):
        """Out: the numbers of revisits, as the last line."""
        yield protocol.last_line({'revisits': self.lines.stats})


if __name__ == '__main__':
    ResolveRevisits.run()
