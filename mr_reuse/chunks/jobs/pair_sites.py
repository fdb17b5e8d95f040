"""PairSites: count the chunks that every two sites share."""

import numpy as np
from mrjob.step import MRStep

from mr_reuse import storage
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.pairs import naming, pair_keys, site_chunks
from mr_reuse.chunks.pairs.shared_chunks import SharedChunks
from mr_reuse.chunks.pairs.site_chunks import ChunkRule, SiteChunks
from mr_reuse.chunks.pairs.sites import HOST
from mr_reuse.chunks.recipe import DIGEST_BYTES
from mr_reuse.shuffle import packing, protocol
from mr_reuse.shuffle.bitmap import Bitmap
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import SUM
from mr_reuse.shuffle.partitions import part_of, unit_of
from mr_reuse.shuffle.spilling import MergeTable
from mr_reuse.storage import mapped


class PairSites(ChunkJob):
    """The steps: the sites of each chunk, the pairs, the names of both, the order.

    `naming.py`, `shared_chunks.py` and `site_chunks.py` describe the lines between.
    """

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg('--unit', default=HOST)
        self.add_passthru_arg('--min-len', type=int, default=100)
        self.add_skipped_arg()
        self.add_file_arg('--stop')
        self.add_file_arg('--copied')
        self.add_bits_arg()
        self.add_parts_args()

    def steps(self):
        return [
            MRStep(
                mapper_init=self.init_sites,
                mapper=self.collect_sites,
                mapper_final=self.finish_sites,
                reducer_init=self.init_pairs,
                reducer=self.pair_sites,
                reducer_final=self.finish_pairs,
            ),
            MRStep(mapper=self.forward, reducer=self.sum_pairs),
            MRStep(mapper=self.forward, reducer=self.name_sites),
            MRStep(
                mapper=self.forward,
                reducer_init=self.init_rows,
                reducer=self.order_rows,
                reducer_final=self.finish_rows,
            ),
        ]

    def forward(self, key, value):
        yield key, value

    def new_table(self, merges, bound=site_chunks.BOUND):
        return MergeTable(merges, storage.open_scratch, bound)

    def init_sites(self):
        options = self.options
        width = DIGEST_BYTES[options.hash]
        stop = np.zeros((0, width), np.uint8)
        if options.stop:
            stop = label_files.load(options.stop, is_trusted=True).stop
        rule = ChunkRule(options.min_len, DigestIndex(stop))
        copied = None
        if options.copied:
            copied = Bitmap(np.frombuffer(mapped.map_bytes(options.copied), np.uint8))
        self.captures = self.skipped()
        self.chunks = SiteChunks(width, options.unit, rule, copied, options.bits)

    def collect_sites(self, key, value):
        """In: page lines. Out: partition -> chunk and site, or sites."""
        if key != protocol.LAST_KEY:
            is_kept = not self.captures.is_skipped(key)
            yield from self.chunks.add(key, value, is_kept)

    def finish_sites(self):
        yield from self.chunks.finish()

    def init_pairs(self):
        self.pairs = SharedChunks(DIGEST_BYTES[self.options.hash], self.options.bits)

    def pair_sites(self, key, values):
        """In: a partition. Out: partition -> pairs, sites, numbers of chunks."""
        if unit_of(key) == 'chunk':
            table = self.new_table(site_chunks.COLUMNS)
            for value in values:
                table.add(packing.unpack(value))
            yield from self.pairs.add(table)
        else:
            yield from site_chunks.merge_sites(part_of(key), values)

    def finish_pairs(self):
        yield from self.pairs.finish()

    def sum_pairs(self, key, values):
        """In: a partition. Out: partition -> sides of pairs, sites, and numbers."""
        unit = unit_of(key)
        if unit == 'common':
            yield key, b'%d' % sum(map(int, values))
        elif unit == 'site':
            yield from naming.forward_sites(part_of(key), values)
        else:
            table = self.new_table(pair_keys.PAIR_COLUMNS if unit == 'pair' else [SUM])
            for value in values:
                table.add(packing.unpack(value))
            if unit == 'pair':
                yield from naming.ask_for_names(table.drain(), self.options.bits)
            else:
                yield from naming.forward_counts(part_of(key), table.drain())

    def name_sites(self, key, values):
        """In: what is known of the sites of a partition. Out: sides of pairs."""
        if unit_of(key) == 'join':
            yield from naming.name_sides(values, storage.open_scratch)
        else:
            for value in values:
                yield key, value

    def init_rows(self):
        self.counts = {'common': 0}
        self.parts = self.new_part_writer()

    def order_rows(self, key, values):
        """In: sides of pairs. Out: the rows of the table in the order of partitions."""
        if unit_of(key) == 'common':
            self.counts['common'] += sum(map(int, values))
        else:
            rows = naming.make_rows(values)
            yield from self.parts.add(PAIRS, 'row', part_of(key), rows)

    def finish_rows(self):
        """Out: the number of common chunks and the parts written, as the last line."""
        yield protocol.last_line({'pairs': self.counts} | self.parts.stats)


if __name__ == '__main__':
    PairSites.run()
