"""The format of label files: key files (`shuffle/keyfile.py`) of digests.

    MRL1  length of the header (4 bytes, little-endian)  header (JSON)
    labeled chunks  labeled files  stop chunks           sorted digests each

The header has the recipe of the labels, so that they are never compared with digests of
another recipe, and the number of digests of each section.
"""

from collections.abc import Iterable
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from mr_reuse.chunks.recipe import Recipe
from mr_reuse.errors import UserError
from mr_reuse.shuffle import keyfile

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
