"""FilterStopChunks: select the counts of the labels. Map only."""

from collections import Counter

import numpy as np

from mr_reuse.chunks import line_kinds
from mr_reuse.chunks.discover import label_rule
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.labels import label_files, task_files
from mr_reuse.chunks.pairs import pair_filter
from mr_reuse.chunks.recipe import DIGEST_BYTES, Recipe
from mr_reuse.shuffle import bitmap, packing, protocol
from mr_reuse.shuffle.bitmap import Bitmap
from mr_reuse.shuffle.partitions import unit_of


class FilterStopChunks(ChunkJob):
    """In: counts. Out: the counts of the digests that the rule for labels selects.

    With `--copied-bits` it also marks the chunks that may be on two sites in a bitmap.
    """

    READS = (line_kinds.COUNTS,)

    def configure_args(self):
        super().configure_args()
        add, add_number = self.add_passthru_arg, self.add_number_arg
        add_number('--threshold', 0, 'Label chunks with more than N copies.')
        text = 'The same for files. Default: the value of --threshold'
        add('--file-threshold', type=int, metavar='N', help=text)
        add_number('--min-len', 100, 'Label only chunks of more than N bytes.')
        text = 'Label file, or list of hashes, of chunks that are never labels'
        self.add_file_arg('--stop', help=text)
        text = 'Of equally many copies, the last label above the threshold'
        add('--last', default='', metavar='HASH', help=text)
        add('--file-last', default='', metavar='HASH', help='The same for files')
        text = 'Look up stop chunks in a Bloom filter with this false positive rate'
        add('--bloom', type=float, default=0, metavar='RATE', help=text)
        add_number('--recheck', 1, '0: do not verify the answers of the filter.')
        add_number('--copied-bits', 0, 'Bits of the bitmap of copied chunks.')

    def prepare(self, folder):
        if not self.options.stop:
            return {}
        name = f'{folder}/stop.mrl'
        task_files.write_stop_list(name, self.options.stop, Recipe(self.options.hash))
        return {'stop': name}

    def mapper_init(self):
        options = self.options
        stop = np.zeros((0, DIGEST_BYTES[options.hash]), np.uint8)
        if options.stop:
            stop = label_files.load(options.stop).stop
        self.made_with = {
            'hash': options.hash,
            'min_len': options.min_len,
            'stop': len(stop),
        }
        files = options.file_threshold
        files = options.threshold if files is None else files
        stop_list = label_rule.StopList(stop, options.bloom, bool(options.recheck))
        self.rule = label_rule.LabelRule(
            label_rule.Limit(options.threshold, options.last),
            label_rule.Limit(files, options.file_last),
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
        """Out: the bitmap; the numbers of omitted digests by rule, and options."""
        if self.copied:
            yield from pair_filter.pack_bitmap(self.copied)
        stats = {'filtered': self.stats, 'copied_bits': self.options.copied_bits}
        yield protocol.last_line(stats | {'made_with': self.made_with})


if __name__ == '__main__':
    FilterStopChunks.run()
