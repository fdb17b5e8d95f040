"""The base class of jobs on documents, with the options that they share."""

from mr_reuse.engine.job import LineJob
from mr_reuse.pages.documents.numbering import Numbers
from mr_reuse.shuffle import partitions
from mr_reuse.storage import mapped


class DocumentJob(LineJob):
    """A job that reads lines of documents, or lines with their numbers."""

    def add_numbers_args(self):
        """Add the options for the numbers of documents."""
        self.add_file_arg('--numbers', help='File of the driver: bases of batches')
        self.add_passthru_arg(
            '--total', type=int, default=1, help='Number of all documents'
        )

    def numbers(self):
        """Return the numbers that the option of `add_numbers_args` names."""
        return Numbers(mapped.map_bytes(self.options.numbers))

    def add_bits_arg(self):
        """Add the option for the number of partitions of a step, as bits."""
        self.add_passthru_arg(
            '--bits',
            type=int,
            default=partitions.MIN_BITS,
            help='Divide the keys into 2^BITS partitions. Default: %(default)s',
        )
