"""FindCommonValues: find values that are on many domains."""

from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.partitions import start_of
from mr_reuse.styles import fingerprints
from mr_reuse.styles.common import CommonFinder, ValueCollector
from mr_reuse.styles.jobs.base import StyleJob


class FindCommonValues(StyleJob):
    """Reads the output of ReadFingerprints."""

    USED = (start_of(fingerprints.UNIT),)

    def configure_args(self):
        super().configure_args()
        self.add_documents_args()
        self.add_bits_arg()
        text = 'Domains that make a value common'
        self.add_passthru_arg('--least', type=int, default=1, help=text)

    def mapper_init(self):
        self.reader = self.new_reader()
        self.values = ValueCollector(self.options.bits)

    def mapper(self, key, value):
        """In: fingerprints. Out: partition -> values with domains."""
        if fingerprints.is_fingerprint_line(key):
            yield from self.values.add(self.reader.read(value))

    def mapper_final(self):
        yield from self.values.finish()

    def reducer_init(self):
        self.finder = CommonFinder(self.options.least)

    def reducer(self, key, values):
        """In: the values of a partition. Out: those on many domains."""
        yield from self.finder.add(key, values)

    def reducer_final(self):
        yield protocol.last_line({})


if __name__ == '__main__':
    FindCommonValues.run()
