"""ReadFingerprints: make the fingerprints of documents. Map only."""

from functools import cached_property

from mr_reuse.archives.framing import Lost
from mr_reuse.pages.jobs.base import ReadingJob
from mr_reuse.styles.collecting import FingerprintCollector
from mr_reuse.styles.style_options import Recipe
from mr_reuse.text.noise.parameters import PREPROCESSORS


class ReadFingerprints(ReadingJob):
    """In: names of archives, one on a line. Out: documents, and their fingerprints."""

    def configure_args(self):
        super().configure_args()
        recipe = Recipe()
        text = 'As of the command. Default: %(default)s'
        self.add_passthru_arg('--n', type=int, default=recipe.n, help=text)
        self.add_passthru_arg('--m', type=int, default=recipe.m, help=text)
        self.add_passthru_arg(
            '--preprocessor',
            choices=PREPROCESSORS,
            default=recipe.preprocessor,
            help=text,
        )
        text = 'Bits of a key. Default: %(default)s'
        self.add_passthru_arg('--bits', type=int, default=recipe.bits, help=text)

    @cached_property
    def collector(self):
        options = self.options
        recipe = Recipe(options.n, options.m, options.preprocessor, options.bits)
        return FingerprintCollector(recipe, self.filter.admits_type)

    def lines_of(self, archive, items):
        for item in items:
            try:
                lines = self.collector.add(f'{archive}:{item.offset}', item)
            except Lost:  # already counted by the reader
                continue
            yield item, lines

    def task_stats(self):
        return self.collector.stats

    def mapper_final(self):
        """Out: the remaining fingerprints, and the statistics as the last line."""
        yield from self.collector.finish()
        yield from super().mapper_final()


if __name__ == '__main__':
    ReadFingerprints.run()
