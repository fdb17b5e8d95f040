"""The base class of the jobs of this system that read vectors or documents."""

from mr_reuse.pages.documents import choosing
from mr_reuse.pages.documents.document_rows import RowReader
from mr_reuse.pages.jobs.base import DocumentJob
from mr_reuse.phrases.vectors import WIDTH, VectorReader


class PhraseJob(DocumentJob):
    """A job on the documents of a run, without those left out."""

    def add_documents_args(self):
        """Add the options that say which documents are left out, and their numbers."""
        self.add_numbers_args()
        text = 'File of the driver: documents left out'
        self.add_file_arg('--left-out', help=text)

    def new_reader(self):
        """Return the reader of vectors."""
        left_out = choosing.map_numbers(self.options.left_out)
        return VectorReader(RowReader(WIDTH, self.numbers(), left_out))

    def add_parts_arg(self):
        """Add the option for the number of partitions of documents."""
        self.add_passthru_arg(
            '--parts', type=int, default=64, help='Partitions of the documents'
        )
