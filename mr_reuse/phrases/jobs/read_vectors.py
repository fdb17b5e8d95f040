"""ReadVectors: read the words of documents, and sample their phrases. Map only."""

from functools import cached_property

from mr_reuse.archives.framing import Lost
from mr_reuse.pages.documents.reading import DocumentReader
from mr_reuse.pages.jobs.base import ReadingJob, add_word_args, read_word_args
from mr_reuse.phrases.collecting import VectorCollector


class ReadVectors(ReadingJob):
    """In: names of archives, one on a line. Out: documents, and their vectors."""

    def configure_args(self):
        super().configure_args()
        add_word_args(self, scripts='keep')

    @cached_property
    def collector(self):
        return VectorCollector()

    def lines_of(self, archive, items):
        rule, types = read_word_args(self.options, 'fingerprints')
        reader = DocumentReader(rule, types, self.filter.admits_type)
        for item in items:
            lines = ()
            try:
                if words := reader.open_words(item):
                    rid = f'{archive}:{item.offset}'
                    lines = self.collector.add(rid, item, words)
            except Lost:  # already counted by the reader
                continue
            yield item, lines

    def task_stats(self):
        return self.collector.stats

    def mapper_final(self):
        """Out: the remaining vectors, and the statistics as the last line."""
        yield from self.collector.finish()
        yield from super().mapper_final()


if __name__ == '__main__':
    ReadVectors.run()
