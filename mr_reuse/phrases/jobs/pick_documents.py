"""PickDocuments: pick the pages with the numbers that later steps name. Map only."""

from mr_reuse.pages.documents import choosing
from mr_reuse.phrases import page_counts
from mr_reuse.phrases.jobs.base import PhraseJob
from mr_reuse.shuffle.partitions import unit_of


class PickDocuments(PhraseJob):
    """Reads the output of SumPopular."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--wanted', help='File of the driver: numbers of documents')

    def mapper_init(self):
        self.wanted = choosing.map_numbers(self.options.wanted)

    def mapper(self, key, value):
        """In: pages. Out: those with wanted numbers."""
        if unit_of(key) == page_counts.PAGES:
            yield from page_counts.pick_pages(key, value, self.wanted)


if __name__ == '__main__':
    PickDocuments.run()
