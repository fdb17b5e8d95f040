"""The base class of the jobs of this system that read fingerprints."""

from mr_reuse.pages.documents import choosing
from mr_reuse.pages.documents.document_rows import RowReader
from mr_reuse.pages.jobs.base import DocumentJob
from mr_reuse.styles import common
from mr_reuse.styles.fingerprints import FingerprintFile, FingerprintReader, Shape
from mr_reuse.styles.style_options import Recipe


class StyleJob(DocumentJob):
    """A job on the documents of a run, without those passed over."""

    def add_shape_args(self):
        """Add the options that say how long a fingerprint is."""
        recipe = Recipe()
        self.add_passthru_arg('--m', type=int, default=recipe.m)
        self.add_passthru_arg('--key-bits', type=int, default=recipe.bits)

    def add_documents_args(self):
        """Add the options for documents and their numbers, and for common values."""
        self.add_shape_args()
        self.add_numbers_args()
        self.add_file_arg('--skipped', help='File of the driver: documents passed over')
        self.add_file_arg('--common', help='File of the driver: values left out')

    def add_prints_arg(self):
        """Add the option for the fingerprints of all documents."""
        self.add_file_arg('--prints', help='File of the driver: all fingerprints')

    def add_normalize_arg(self):
        """Add the option for dimensions that are empty in both documents."""
        text = 'Whether dimensions that are empty in both do not count: 0 or 1'
        self.add_passthru_arg('--normalize-empty', type=int, default=0, help=text)

    def shape(self):
        """Return the shape of a row."""
        return Shape(self.options.m, self.options.key_bits)

    def new_reader(self):
        """Return the reader of fingerprints."""
        options, shape = self.options, self.shape()
        skipped = choosing.map_numbers(options.skipped)
        rows = RowReader(shape.width, self.numbers(), skipped)
        return FingerprintReader(rows, shape, common.map_common(options.common))

    def prints(self):
        """Return the fingerprints of all documents."""
        return FingerprintFile(self.options.prints, self.shape())
