"""ReadFeatures: find the features that sampled pages of a style share."""

from mr_reuse.engine.job import LineJob
from mr_reuse.shuffle import protocol
from mr_reuse.styles.features.reading import FeatureReader, SharedFinder


class ReadFeatures(LineJob):
    """The input lines are grouped by archive, in the order of offsets."""

    def mapper_init(self):
        self.reader = FeatureReader()

    def mapper(self, key, value):
        """In: rid -> style, place, URL. Out: style -> features of a page."""
        if key != protocol.LAST_KEY:
            yield from self.reader.add(key, value)

    def mapper_final(self):
        yield from self.reader.finish()

    def reducer_init(self):
        self.finder = SharedFinder()

    def reducer(self, key, values):
        """In: the pages of a style. Out: the features that they share."""
        yield from self.finder.add(key, values)

    def reducer_final(self):
        """Out: how many pages were read, as the last line."""
        yield protocol.last_line({'features': self.finder.stats})


if __name__ == '__main__':
    ReadFeatures.run()
