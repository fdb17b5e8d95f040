"""FilterStopChunks: select the counts of the labels. Map only."""

from collections import Counter

import numpy as np

from mr_reuse.chunks.discover import label_rule
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.pairs import pair_filter
from mr_reuse.chunks.recipe import DIGEST_BYTES
from mr_reuse.shuffle import bitmap, packing, protocol
from mr_reuse.shuffle.bitmap import Bitmap
from mr_reuse.shuffle.partitions import unit_of


class FilterStopChunks(ChunkJob):
    """Keeps the digests that the rule for labels selects.

    With `--copied-bits` it also marks the chunks that may be on two sites in a bitmap.
    """

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg('--threshold', type=int, default=0)
        self.add_passthru_arg('--file-threshold', type=int, default=0)
        self.add_passthru_arg('--last', default='')
        self.add_passthru_arg('--file-last', default='')
        self.add_passthru_arg('--min-len', type=int, default=100)
        self.add_file_arg('--stop')
        self.add_passthru_arg('--bloom', type=float, default=0)
        self.add_passthru_arg('--recheck', type=int, default=1)
        self.add_passthru_arg('--copied-bits', type=int, default=0)

    def mapper_init(self):
        options = self.options
        stop = np.zeros((0, DIGEST_BYTES[options.hash]), np.uint8)
        if options.stop:
            stop = label_files.load(options.stop).stop
        stop_list = label_rule.StopList(stop, options.bloom, bool(options.recheck))
        self.rule = label_rule.LabelRule(
            label_rule.Limit(options.threshold, options.last),
            label_rule.Limit(options.file_threshold, options.file_last),
            options.min_len,
            stop_list,
        )
        self.stats = {'chunk': Counter(), 'file': Counter()}
        bits = options.copied_bits
        self.copied = Bitmap(bitmap.make_empty(bits)) if bits else None

    def mapper(self, key, value):
        """In: the counts of a partition. Out: the counts of its labels."""
        if key == protocol.LAST_KEY:
            return
        unit = unit_of(key)
        counts = packing.unpack(value)
        labels = self.rule.select_labels(unit, counts, self.stats[unit])
        if self.copied and unit == 'chunk':
            self.copied.add(counts.keys[self.rule.is_shareable(counts)])
        if len(labels.keys):
            yield key, packing.pack(labels)

    def mapper_final(self):
        """Out: the bitmap, and the numbers of omitted digests by rule."""
        if self.copied:
            yield from pair_filter.pack_bitmap(self.copied)
        stats = {'filtered': self.stats, 'copied_bits': self.options.copied_bits}
        yield protocol.last_line(stats)


if __name__ == '__main__':
    FilterStopChunks.run()
