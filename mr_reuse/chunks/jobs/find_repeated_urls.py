"""FindRepeatedUrls: find the URLs that have several captures."""

from mr_reuse.chunks import page_captures
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.pages import capture_lines
from mr_reuse.shuffle import protocol


class FindRepeatedUrls(ChunkJob):
    """A line holds a column of digests of URLs."""

    def configure_args(self):
        super().configure_args()
        self.add_bits_arg()

    def mapper_init(self):
        self.counter = page_captures.UrlCounter('url', self.options.bits)

    def mapper(self, key, value):
        """In: page lines. Out: partition -> digests of URLs, captures."""
        return self.counter.add(key, value) if key != protocol.LAST_KEY else ()

    def mapper_final(self):
        yield from self.counter.finish()

    def reducer_init(self):
        self.repeated = capture_lines.RepeatedUrls()

    def reducer(self, key, values):
        """In: the URLs of a partition. Out: those with several captures, sorted."""
        yield from self.repeated.add(key, values)

    def reducer_final(self):
        """Out: the numbers of captures and URLs, as the last line."""
        yield protocol.last_line(self.repeated.stats)


if __name__ == '__main__':
    FindRepeatedUrls.run()
