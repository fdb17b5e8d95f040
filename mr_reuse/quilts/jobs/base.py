"""The base class of the jobs on numbered documents, with the options they share."""

from fractions import Fraction
from typing import Any

from mr_reuse.pages.documents import servers
from mr_reuse.pages.jobs.base import DocumentJob, add_word_args


def add_recipe_args(job: Any) -> None:
    """Add the options that decide which grams a page has."""
    job.add_passthru_arg(
        '--k', type=int, default=5, help='As of the command. Default: %(default)s'
    )
    add_word_args(job, scripts='drop')


class QuiltJob(DocumentJob):
    """A job that divides documents by their numbers."""

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg(
            '--m',
            type=int,
            default=50,
            help='Most documents of a patch gram. Default: %(default)s',
        )
        self.add_passthru_arg(
            '--total', type=int, default=1, help='Number of all documents'
        )
        self.add_passthru_arg(
            '--parts', type=int, default=64, help='Partitions of the documents'
        )
        self.add_passthru_arg('--foreign', choices=servers.UNITS, default=servers.NONE)

    def add_fraction_arg(self, name, default):
        """Add an option whose value is a decimal number, or a fraction."""
        self.add_passthru_arg(name, type=Fraction, default=default, metavar='X')
