"""SiteLinks: read pages of bad sites, and count the links among these sites."""

from mr_reuse.chunks.detect import site_links
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.pages import lookup
from mr_reuse.shuffle.partitions import NAME_WIDTH
from mr_reuse.storage import mapped


class SiteLinks(ChunkJob):
    """The input lines name pages, grouped by archive, in the order of offsets."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--bad')
        self.add_passthru_arg('--level', type=int, default=1)
        self.add_bits_arg()

    def mapper_init(self):
        bad = mapped.map_rows(self.options.bad, NAME_WIDTH)
        options = self.options
        self.counter = site_links.LinkCounter(bad, options.level, options.bits)
        self.reader = lookup.RowReader()

    def mapper(self, key, value):
        """In: rid -> URL; of a revisit, rid of its target -> the URLs of both.

        Out: partition -> pairs of sites, links and pages.
        """
        yield from self.count_links(self.reader.add(key, value))

    def mapper_final(self):
        yield from self.count_links(self.reader.finish())
        yield from self.counter.finish()

    def count_links(self, read_rows):
        # The rows of an offset are those of a page, and of revisits that refer to it.
        for rows, item in read_rows:
            if item is None:
                continue
            body = lookup.beginning_of(item)
            for row in rows:
                url, *of_target = row.decode().split('\t')
                is_same = lookup.has_url(item, *of_target or [url])
                yield from self.counter.add(url, body if is_same else b'')

    def reducer(self, key, values):
        """In: the pairs of a partition. Out: source -> target, links, pages."""
        yield from site_links.sum_links(values)


if __name__ == '__main__':
    SiteLinks.run()
