"""FindRepeatedDocuments: find the URLs of several documents."""

from mr_reuse.pages import capture_lines, captures
from mr_reuse.pages.documents import document
from mr_reuse.pages.jobs.base import DocumentJob
from mr_reuse.shuffle import partitions, protocol


class FindRepeatedDocuments(DocumentJob):
    """A line holds a column of digests of URLs."""

    def configure_args(self):
        super().configure_args()
        self.add_bits_arg()

    def mapper_init(self):
        self.counter = capture_lines.DigestCounter('url', self.options.bits)

    def mapper(self, key, value):
        """In: lines of documents. Out: partition -> digests of URLs, captures."""
        if document.is_document_line(key):
            url = document.capture_url(document.parse_document(key, value))
            name = captures.identify(url, key)
            yield from self.counter.add(partitions.name_digest(name))

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
    FindRepeatedDocuments.run()
