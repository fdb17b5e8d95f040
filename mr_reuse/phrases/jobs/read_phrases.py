"""ReadPhrases: read the words of popular phrases from documents that have them."""

from mr_reuse.pages.documents.reading import DocumentReader, NeededText
from mr_reuse.pages.jobs.base import add_word_args, read_word_args
from mr_reuse.phrases.jobs.base import PhraseJob
from mr_reuse.phrases.phrase_options import PhraseRule
from mr_reuse.phrases.texts import PhraseReader
from mr_reuse.shuffle import protocol


class ReadPhrases(PhraseJob):
    """The input lines are grouped by archive, in the order of offsets. Map only."""

    def configure_args(self):
        super().configure_args()
        add_word_args(self, scripts='keep')
        self.add_passthru_arg('--top', type=int, default=PhraseRule().top)

    def mapper_init(self):
        rule, types = read_word_args(self.options, 'fingerprints')
        text = NeededText(of_whole=True, of_parts=True)
        reader = DocumentReader(rule, types, lambda media: True, text)
        self.reader = PhraseReader(reader, self.options.top)

    def mapper(self, key, value):
        """In: rid -> phrases. Out: phrases with their words."""
        if key != protocol.LAST_KEY:
            yield from self.reader.add(key, value)

    def mapper_final(self):
        """Out: the first phrases, and the number of all as the last line."""
        yield from self.reader.finish()
        yield protocol.last_line(self.reader.stats)


if __name__ == '__main__':
    ReadPhrases.run()
