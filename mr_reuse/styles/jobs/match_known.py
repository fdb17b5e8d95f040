"""MatchKnown: find the known document that is nearest to each document. Map only."""

from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.partitions import start_of
from mr_reuse.storage import mapped
from mr_reuse.styles import fingerprints, style_file
from mr_reuse.styles.jobs.base import StyleJob
from mr_reuse.styles.match import buckets
from mr_reuse.styles.match.finding import STATS, KnownFinder
from mr_reuse.text.noise.parameters import probed_dimensions


class MatchKnown(StyleJob):
    """Reads the output of ReadFingerprints."""

    USED = (start_of(fingerprints.UNIT),)

    def configure_args(self):
        super().configure_args()
        self.add_documents_args()
        self.add_file_arg('--known', help='File of the driver: the style file')
        self.add_file_arg('--buckets', help='File of the driver: its buckets')

    def mapper_init(self):
        known = style_file.load(self.options.known, is_trusted=True)
        header = known.header
        data = mapped.map_bytes(self.options.buckets)
        probed = probed_dimensions(header.m, header.p)
        found = list(buckets.read_buckets(data, probed, known.keys.dtype))
        self.reader = self.new_reader()
        self.finder = KnownFinder(known, found, header.rule.likeness)

    def mapper(self, key, value):
        """In: fingerprints. Out: documents that are alike a known one."""
        if fingerprints.is_fingerprint_line(key):
            yield from self.finder.add(self.reader.read(value))

    def mapper_final(self):
        """Out: the numbers of documents and of comparisons, as the last line."""
        yield protocol.last_line({STATS: dict(self.finder.counts)})


if __name__ == '__main__':
    MatchKnown.run()
