"""Label files: key files (`shuffle/keyfile.py`) of digests, of their own or in runs.

    MRL1  length of the header (4 bytes, little-endian)  header (JSON)
    labeled chunks  labeled files  stop chunks           sorted digests each

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
from mr_reuse.shuffle import keyfile
from mr_reuse.storage import naming
from mr_reuse.storage.mapped import map_bytes

LABELS = 'labels.mrl'  # name in a run directory
SECTIONS = ('chunks', 'files', 'stop')


class Labels(NamedTuple):
    """The content of a label file."""

    recipe: Recipe
    min_len: int
    chunks: np.ndarray
    files: np.ndarray
    stop: np.ndarray


def _read_fields(fields: dict[str, Any]) -> tuple[int, tuple[Recipe, int]]:
    min_len = keyfile.check_natural(fields.pop('min_len'))
    recipe = Recipe(**fields).check()
    return recipe.width, (recipe, min_len)


FORMAT = keyfile.Format(b'MRL1', 'label file', SECTIONS, _read_fields)


def write(
    stream: BinaryIO,
    made_of: tuple[Recipe, int],
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
    recipe, min_len = made_of
    fields = recipe._asdict() | {'min_len': min_len}
    keyfile.write(stream, FORMAT, fields, counts, pieces)


def parse(name: str, data: bytes, checked: bool = False) -> Labels:
    """Parse the bytes of a label file, which may be mapped memory.

    With `checked`, the order of the digests is not verified.
    """
    made_of, sections = keyfile.parse(name, data, FORMAT, checked)
    return Labels(*made_of, *sections)


def check_recipe(
    name: str, labels: Labels, recipe: Recipe, other: str = 'the corpus'
) -> None:
    """Refuse labels whose recipe differs from another recipe.

    >>> none = np.zeros((0, 20), np.uint8)
    >>> check_recipe('x', Labels(Recipe(), 0, none, none, none), Recipe('sha256'))
    Traceback (most recent call last):
    mr_reuse.errors.UserError: x: made with --hash sha1, the corpus with --hash \
sha256; use the same option for both
    """
    pairs = zip(Recipe._fields, labels.recipe, recipe, strict=True)
    for field, ours, theirs in pairs:
        if ours != theirs:
            raise UserError(
                f'{name}: made with --{field} {ours}, {other} with '
                f'--{field} {theirs}; use the same option for both'
            )


def resolve(name: str) -> str:
    """Return the label file of a name: for a run, the label file in it."""
    own = naming.join(name, LABELS)
    return own if storage.is_dir(name) and storage.exists(own) else name


def load(name: str, checked: bool = False) -> Labels:
    """Map a label file into memory.

    With `checked`, the order of its digests is not verified, which would read the whole
    file. Tasks use this after the driver has loaded the file without it.
    """
    name = resolve(name)
    storage.refuse_special_files(name)
    try:
        data = map_bytes(name)
    except IsADirectoryError:
        raise UserError(
            f'{name}: a folder without {LABELS}; name a label file or a run of discover'
        ) from None
    except OSError as error:
        raise UserError(describe_error(error)) from None
    return parse(name, data, checked)


def write_uncounted(
    name: str,
    stream: BinaryIO,
    made_of: tuple[Recipe, int],
    sections: Iterable[Iterable[np.ndarray]],
) -> list[int]:
    """Write a label file from pieces; return the number of digests of each section.

    The header has these numbers, so the pieces are in a temporary file until they are
    counted.
    """
    with storage.open_scratch(outputs.folder_of(name)) as aside:
        counts, digests = keyfile.count_aside(sections, aside)
        write(stream, made_of, counts, digests)
    return counts
