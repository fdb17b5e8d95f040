"""The base class of the jobs on chunks, with the options that they share."""

from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine.job import LineJob
from mr_reuse.pages.skipped import SkippedCaptures
from mr_reuse.shuffle import partitions
from mr_reuse.storage import mapped


class ChunkJob(LineJob):
    """A job whose lines hold digests of chunks and files."""

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg('--hash', default=Recipe().hash)

    def add_recipe_args(self):
        """Add the options, besides `--hash`, that decide which digests a page has."""
        self.add_passthru_arg('--delimiters', default=Recipe().delimiters)
        self.add_passthru_arg('--normalize', default=Recipe().normalize)
        self.add_passthru_arg('--compat', default=Recipe().compat)

    def add_bits_arg(self, default=partitions.MIN_BITS):
        """Add the option for the number of partitions of a step, as bits."""
        self.add_passthru_arg('--bits', type=int, default=default)

    def add_skipped_arg(self):
        """Add the option for the file of skipped captures; without it, none are."""
        self.add_file_arg('--skipped')

    def skipped(self):
        """Return the captures that the option of `add_skipped_arg` names."""
        name = self.options.skipped
        return SkippedCaptures(mapped.map_bytes(name) if name else None)

    def recipe(self):
        """Return the recipe of the options that `add_recipe_args` has added."""
        return Recipe(*(getattr(self.options, name) for name in Recipe._fields))
