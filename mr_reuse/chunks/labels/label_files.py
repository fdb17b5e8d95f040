"""Label files: key files (`shuffle/keyfile.py`) of digests, of their own or in runs.

    MRL2  length of the header (4 bytes, little-endian)  header (JSON)
    labeled chunks  labeled files  stop chunks           sorted digests each
    SHA-256 of everything before, with the digit 1 (32 bytes)

The header has the recipe of the labels, so that they are never compared with digests of
another recipe, and the number of digests of each section.
"""

from collections.abc import Iterable
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.cli import outputs
from mr_reuse.errors import UserError, describe_error
from mr_reuse.shuffle import keyfile, sealed
from mr_reuse.storage import naming
from mr_reuse.storage.mapped import map_bytes

FILE_NAME = 'labels.mrl'  # in a run directory
SECTIONS = ('chunks', 'files', 'stop')
KINDS = ('chunk', 'file', 'stop')  # of the digests in the sections
LabelFields = tuple[Recipe, int]  # recipe and `--min-len`


class Labels(NamedTuple):
    """The content of a label file. The digests of each section are sorted."""

    recipe: Recipe
    min_len: int
    chunks: np.ndarray
    files: np.ndarray
    stop: np.ndarray

    @property
    def sections(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The digests of labeled chunks, labeled files, and stop chunks."""
        return self.chunks, self.files, self.stop

    @property
    def fields(self) -> LabelFields:
        """The fields of the header besides the numbers of digests."""
        return self.recipe, self.min_len

    @property
    def label_count(self) -> int:
        """The number of labels of chunks and of files."""
        return len(self.chunks) + len(self.files)


def _read_fields(fields: dict[str, Any]) -> tuple[int, LabelFields]:
    """Check the fields of a header; return the width of the digests, and the fields."""
    min_len = sealed.check_natural(fields.pop('min_len'))
    recipe = Recipe(**fields).check()
    return recipe.width, (recipe, min_len)


REMEDY = 'make it again, or write a copy: labels merge {} -o NEW.mrl'
FORMAT = keyfile.Format(b'MRL', 'label file', REMEDY, SECTIONS, _read_fields)


def write(
    stream: BinaryIO,
    label_fields: LabelFields,
    counts: Iterable[int],
    pieces: Iterable[np.ndarray],
) -> None:
    """Write a label file: the numbers of digests in the sections, then all digests.

    >>> import io
    >>> keys = np.ones((1, 20), np.uint8)
    >>> write(file := io.BytesIO(), (Recipe(), 100), [1, 0, 0], [keys])
    >>> parse('x.mrl', file.getvalue()).chunks.tolist() == keys.tolist()
    True
    """
    recipe, min_len = label_fields
    fields = recipe._asdict() | {'min_len': min_len}
    keyfile.write(stream, FORMAT, fields, counts, pieces)


def parse(name: str, data: bytes, is_trusted: bool = False) -> Labels:
    """Parse the bytes of a label file, which may be mapped memory.

    The bytes and their order are verified unless the file is trusted.
    """
    label_fields, sections = keyfile.parse(name, data, FORMAT, is_trusted)
    return Labels(*label_fields, *sections)


def check_recipe(
    name: str, labels: Labels, recipe: Recipe, other: str = 'the corpus'
) -> None:
    """Refuse labels whose recipe differs from that of something else, named `other`.

    >>> none = np.zeros((0, 20), np.uint8)
    >>> check_recipe('x', Labels(Recipe(), 0, none, none, none), Recipe('sha256'))
    Traceback (most recent call last):
    mr_reuse.errors.UserError: x: made with --hash sha1, the corpus with --hash \
sha256; use the same option for both
    """
    pairs = zip(Recipe._fields, labels.recipe, recipe, strict=True)
    for option, of_labels, of_other in pairs:
        if of_labels != of_other:
            raise UserError(
                f'{name}: made with --{option} {of_labels}, {other} with '
                f'--{option} {of_other}; use the same option for both'
            )


def resolve_name(name: str) -> str:
    """Return the label file of a name: for a run, the label file in it."""
    in_run = naming.join(name, FILE_NAME)
    return in_run if storage.is_dir(name) and storage.exists(in_run) else name


def load(name: str, is_trusted: bool = False) -> Labels:
    """Map a label file into memory.

    The bytes of a trusted file are not verified, as that reads the whole file. Tasks
    trust the file, since the driver has verified or written it.
    """
    name = resolve_name(name)
    return parse(name, _map(name), is_trusted)


def read_digest(name: str) -> str:
    """Return the digest of a sound label file, which tells it from any other."""
    return keyfile.read_digest(_map(resolve_name(name)))


def _map(name: str) -> memoryview:
    storage.refuse_special_files(name)
    try:
        return map_bytes(name)
    except IsADirectoryError:
        raise UserError(
            f'{name}: a folder without {FILE_NAME}; name a label file or a run of '
            'discover'
        ) from None
    except OSError as error:
        raise UserError(describe_error(error)) from None


def write_uncounted(
    name: str,
    stream: BinaryIO,
    label_fields: LabelFields,
    sections: Iterable[Iterable[np.ndarray]],
) -> list[int]:
    """Write a label file from pieces; return the number of digests of each section.

    The header has these numbers, so the pieces are in a temporary file until they are
    counted. It is in the folder of the label file, where there should be enough space.
    """
    with storage.open_scratch(outputs.folder_of(name)) as scratch:
        counts, digests = keyfile.count_aside(sections, scratch)
        write(stream, label_fields, counts, digests)
    return counts
