"""The label file: a key file (`shuffle/keyfile.py`) of digests, and what made them.

    MRL1  length of the header (4 bytes, little-endian)  header (JSON)
    labeled chunks  labeled files  stop chunks           sorted digests each

The header says how pages were cut and hashed, so that labels are never compared
with digests of another kind, and how many digests each section has.
"""

from collections.abc import Iterable
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from mr_reuse.chunks.recipe import Recipe
from mr_reuse.errors import UserError
from mr_reuse.shuffle import keyfile

SECTIONS = ('chunks', 'files', 'stop')


class Labels(NamedTuple):
    """What a label file holds."""

    recipe: Recipe
    min_len: int
    chunks: np.ndarray
    files: np.ndarray
    stop: np.ndarray


def _read_fields(fields: dict[str, Any]) -> tuple[int, tuple[Recipe, int]]:
    min_len = keyfile.natural(fields.pop('min_len'))
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
    >>> one = np.ones((1, 20), np.uint8)
    >>> write(file := io.BytesIO(), (Recipe(), 100), [1, 0, 0], [one])
    >>> parse('x.mrl', file.getvalue()).chunks.tolist() == one.tolist()
    True
    """
    recipe, min_len = made_of
    fields = recipe._asdict() | {'min_len': min_len}
    keyfile.write(stream, FORMAT, fields, counts, pieces)


def parse(name: str, data: bytes, checked: bool = False) -> Labels:
    """The labels in the bytes of a label file, which may be mapped memory.

    Whether its digests are in order is seen by reading all of it, once is enough.
    """
    made_of, sections = keyfile.parse(name, data, FORMAT, checked)
    return Labels(*made_of, *sections)


def must_match(
    name: str, labels: Labels, recipe: Recipe, other: str = 'the corpus'
) -> None:
    """Refuse labels whose digests cannot be compared with others.

    >>> none = np.zeros((0, 20), np.uint8)
    >>> must_match('x', Labels(Recipe(), 0, none, none, none), Recipe('sha256'))
    Traceback (most recent call last):
    mr_reuse.errors.UserError: x: made with --hash sha1, the corpus with --hash \
sha256; make one of them anew
    """
    pairs = zip(Recipe._fields, labels.recipe, recipe, strict=True)
    for field, ours, theirs in pairs:
        if ours != theirs:
            raise UserError(
                f'{name}: made with --{field} {ours}, {other} with '
                f'--{field} {theirs}; make one of them anew'
            )
