"""The base classes of jobs on documents, with the options that they share."""

from typing import Any

from mr_reuse.engine.job import LineJob
from mr_reuse.pages.documents import document, numbering
from mr_reuse.pages.documents.numbering import Numbers
from mr_reuse.pages.job import PageJob
from mr_reuse.shuffle import partitions
from mr_reuse.storage import mapped
from mr_reuse.text.page_words import WordRule


def add_word_args(job: Any, scripts: str) -> None:
    """Add the options that decide which pages are documents, and which words they have.

    `scripts` is the default of what is done with the content of scripts.
    """
    text = 'As of the command. Default: %(default)s'
    job.add_passthru_arg(
        '--types', choices=document.TYPES, default=document.MARKUP, help=text
    )
    job.add_passthru_arg(
        '--scripts', choices=('drop', 'keep'), default=scripts, help=text
    )
    job.add_passthru_arg(
        '--words', choices=('unicode', 'paper'), default='unicode', help=text
    )


def read_word_args(options: Any, hashes: str = 'lanes') -> tuple[WordRule, str]:
    """Return the rule of words, and the types of documents, of these options."""
    return WordRule(options.scripts, options.words, hashes), options.types


class ReadingJob(PageJob):
    """A job that reads the documents of archives, and puts them into batches."""

    @staticmethod
    def shorten_stats(tasks):
        """Leave out the batches too; the driver reads them when it needs them."""
        return PageJob.shorten_stats(numbering.drop_batches(tasks))


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
