"""SiteLinks: the links among some sites, out of the archives."""

from mr_reuse import evidence, linking, mapping
from mr_reuse.jobs.base import LineJob


class SiteLinks(LineJob):
    """Lines name pages, grouped by archive, in the order of their offsets."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--bad')
        self.add_passthru_arg('--level', type=int, default=1)

    def mapper_init(self):
        bad = mapping.rows(self.options.bad, 16)
        self.linking = linking.Linking(bad, self.options.level)
        self.reading = evidence.Reading()

    def mapper(self, key, value):
        """In: rid -> url. Out: part -> pairs of sites, links and pages."""
        yield from self.pages(self.reading.add(key, value))

    def mapper_final(self):
        yield from self.pages(self.reading.finish())
        yield from self.linking.finish()

    def pages(self, found):
        for urls, item in found:
            if item is not None:
                body = evidence.beginning_of(item)
                yield from self.linking.add(urls[0].decode(), body)

    def reducer(self, key, values):
        """In: the pairs of a part. Out: source -> target, links, pages."""
        yield from linking.add_up(values)


if __name__ == '__main__':
    SiteLinks.run()
