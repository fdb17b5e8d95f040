"""FindAlike: find documents whose fingerprints agree in many dimensions."""

from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.partitions import start_of
from mr_reuse.styles import fingerprints
from mr_reuse.styles.jobs.base import StyleJob
from mr_reuse.styles.probing import AlikeFinder, BucketCollector
from mr_reuse.styles.style_options import ClusterRule
from mr_reuse.text.noise.parameters import probed_dimensions


class FindAlike(StyleJob):
    """Compares documents that agree in a probed dimension."""

    USED = (start_of(fingerprints.UNIT),)

    def configure_args(self):
        super().configure_args()
        rule = ClusterRule()
        self.add_documents_args()
        self.add_bits_arg()
        self.add_prints_arg()
        self.add_normalize_arg()
        self.add_passthru_arg('--t', type=int, default=rule.t)
        self.add_passthru_arg('--p', type=int, default=rule.p)
        text = 'Whether all pairs of large buckets are compared: 0 or 1'
        self.add_passthru_arg('--exact', type=int, default=0, help=text)

    def mapper_init(self):
        options = self.options
        self.reader = self.new_reader()
        probed = probed_dimensions(options.m, options.p)
        self.buckets = BucketCollector(probed, options.bits)

    def mapper(self, key, value):
        """In: fingerprints. Out: partition -> buckets with documents."""
        if fingerprints.is_fingerprint_line(key):
            yield from self.buckets.add(self.reader.read(value))

    def mapper_final(self):
        yield from self.buckets.finish()

    def reducer_init(self):
        options = self.options
        normalizes, is_exact = bool(options.normalize_empty), bool(options.exact)
        rule = ClusterRule(options.t, options.p, normalizes, is_exact)
        self.finder = AlikeFinder(self.prints().keys, rule.likeness)

    def reducer(self, key, values):
        """In: the buckets of a partition. Out: edges between documents."""
        yield from self.finder.add(key, values)

    def reducer_final(self):
        """Out: the remaining edges, and counts as the last line."""
        yield from self.finder.finish()
        yield protocol.last_line(self.finder.stats)


if __name__ == '__main__':
    FindAlike.run()
