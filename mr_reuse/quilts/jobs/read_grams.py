"""ReadGrams: read the words of documents, and hash their grams. Map only."""

from functools import cached_property

from mr_reuse import storage
from mr_reuse.archives.framing import Lost
from mr_reuse.pages.documents.reading import DocumentReader
from mr_reuse.pages.jobs.base import ReadingJob, read_word_args
from mr_reuse.quilts.grams.collecting import GramCollector
from mr_reuse.quilts.jobs.base import add_recipe_args


class ReadGrams(ReadingJob):
    """In: names of archives, one on a line. Out: documents, and blocks of grams."""

    def configure_args(self):
        super().configure_args()
        add_recipe_args(self)

    @cached_property
    def collector(self):
        return GramCollector(self.options.k, storage.open_scratch)

    def lines_of(self, archive, items):
        rule, types = read_word_args(self.options)
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
        """Out: the remaining documents, and the statistics as the last line."""
        yield from (line.to_line() for line in self.collector.finish())
        yield from super().mapper_final()


if __name__ == '__main__':
    ReadGrams.run()
