"""The base class of the jobs on chunks, with the options that they share."""

from mr_reuse.chunks import line_kinds
from mr_reuse.chunks.recipe import DIGEST_BYTES, Recipe
from mr_reuse.engine.job import LineJob
from mr_reuse.pages.skipped import SkippedCaptures
from mr_reuse.shuffle import partitions
from mr_reuse.storage import mapped


class ChunkJob(LineJob):
    """A job whose lines hold digests of chunks and files."""

    READS = ()  # the kinds of lines that it reads (`line_kinds.py`); empty for any

    def check_input(self, name):
        if self.READS:
            line_kinds.check_file(name, self.READS)
        else:
            super().check_input(name)

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg(
            '--hash',
            choices=sorted(DIGEST_BYTES),
            default=Recipe().hash,
            help='Digest of chunks and files. Default: %(default)s',
        )

    def add_recipe_args(self):
        """Add the options, besides `--hash`, that decide which digests a page has."""
        for name, text in (
            ('delimiters', 'Tags that begin a chunk.'),
            ('normalize', 'Way to normalize white space.'),
            ('compat', 'Program with whose reader chunks are to agree.'),
        ):
            self.add_passthru_arg(
                f'--{name}',
                default=getattr(Recipe(), name),
                help=f'{text} Default: %(default)s',
            )

    def add_number_arg(self, name, default, text):
        """Add an option whose value is a whole number."""
        text = f'{text} Default: %(default)s'
        self.add_passthru_arg(name, type=int, default=default, metavar='N', help=text)

    def add_bits_arg(self, default=partitions.MIN_BITS):
        """Add the option for the number of partitions of a step, as bits."""
        self.add_passthru_arg(
            '--bits',
            type=int,
            default=default,
            help='Divide the keys into 2^BITS partitions, of some 250,000 rows each. '
            'Default: %(default)s',
        )

    def add_skipped_arg(self):
        """Add the option for the file of skipped captures; without it, none are."""
        self.add_file_arg(
            '--skipped', help='File of the driver: captures that are not kept'
        )

    def skipped(self):
        """Return the captures that the option of `add_skipped_arg` names."""
        name = self.options.skipped
        return SkippedCaptures(mapped.map_bytes(name) if name else None)

    def recipe(self):
        """Return the recipe of the options that `add_recipe_args` has added."""
        return Recipe(*(getattr(self.options, name) for name in Recipe._fields))
