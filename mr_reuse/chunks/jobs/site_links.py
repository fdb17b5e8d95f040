"""SiteLinks: the links among some sites, out of the archives."""

from mr_reuse.chunks.detect import site_links
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.pages import lookup
from mr_reuse.storage import mapped


class SiteLinks(ChunkJob):
    """Lines name pages, grouped by archive, in the order of their offsets."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--bad')
        self.add_passthru_arg('--level', type=int, default=1)
        self.add_bits_arg()

    def mapper_init(self):
        bad = mapped.map_rows(self.options.bad, 16)
        options = self.options
        self.linking = site_links.Linking(bad, options.level, options.bits)
        self.reader = lookup.RowReader()

    def mapper(self, key, value):
        """In: rid -> url. Out: part -> pairs of sites, links and pages."""
        yield from self.pages(self.reader.add(key, value))

    def mapper_final(self):
        yield from self.pages(self.reader.finish())
        yield from self.linking.finish()

    def pages(self, found):
        for urls, item in found:
            if item is not None:
                body = lookup.beginning_of(item)
                yield from self.linking.add(urls[0].decode(), body)

    def reducer(self, key, values):
        """In: the pairs of a part. Out: source -> target, links, pages."""
        yield from site_links.add_up(values)


if __name__ == '__main__':
    SiteLinks.run()
