"""The binary label file: sorted digests, and what made them.

    MRL1  length of the header (4 bytes, little-endian)  header (JSON)
    labeled chunks  labeled files  stop chunks           sorted digests each

The header says how pages were cut and hashed, so that labels are never compared
with digests of another kind, and how many digests each section has. No time stamp:
the same labels are the same bytes.
"""

import json
import shutil
from collections.abc import Iterable
from typing import BinaryIO, NamedTuple

import numpy as np

from mr_reuse.chunks.recipe import HASHES, Recipe
from mr_reuse.errors import UserError
from mr_reuse.shuffle.digest_index import ascend

MAGIC = b'MRL1'
SECTIONS = ('chunks', 'files', 'stop')
COPY = 1 << 20
MAX_HEADER = 1 << 16  # bytes; it has a few hundred


class Labels(NamedTuple):
    """What a label file holds."""

    recipe: Recipe
    min_len: int
    chunks: np.ndarray
    files: np.ndarray
    stop: np.ndarray


def head_of(recipe: Recipe, min_len: int, counts: Iterable[int]) -> bytes:
    """The first bytes of a label file."""
    told = recipe._asdict() | {'min_len': min_len}
    told |= dict(zip(SECTIONS, counts, strict=True))
    header = json.dumps(told, sort_keys=True).encode('ascii')
    return MAGIC + len(header).to_bytes(4, 'little') + header


def write(stream: BinaryIO, labels: Labels) -> None:
    """Write a label file.

    >>> import io
    >>> none, one = np.zeros((0, 20), np.uint8), np.ones((1, 20), np.uint8)
    >>> write(file := io.BytesIO(), Labels(Recipe(), 100, one, none, none))
    >>> parse('x.mrl', file.getvalue()).chunks.tolist() == one.tolist()
    True
    """
    sections = labels[2:]
    stream.write(head_of(labels.recipe, labels.min_len, map(len, sections)))
    for section in sections:
        stream.write(section.tobytes())


def write_pieces(
    stream: BinaryIO,
    made_of: tuple[Recipe, int],
    sections: Iterable[Iterable[np.ndarray]],
    aside: BinaryIO,
) -> list[int]:
    """Write a label file whose sections come in pieces; how long they were.

    The header comes first and has to know, so the pieces wait in a file aside.
    """
    counts = []
    for pieces in sections:
        counts.append(0)
        for keys in pieces:
            aside.write(keys.tobytes())
            counts[-1] += len(keys)
    aside.seek(0)
    stream.write(head_of(*made_of, counts))
    shutil.copyfileobj(aside, stream, COPY)
    return counts


def parse(name: str, data: bytes, checked: bool = False) -> Labels:
    """The labels in the bytes of a label file, which may be mapped memory.

    Whether its digests are in order is seen by reading all of it, once is enough.
    """
    _must_be_ours(name, bytes(data[: len(MAGIC)]))
    size = int.from_bytes(data[4:8], 'little')
    try:
        recipe, min_len, counts = _header(bytes(data[8 : 8 + min(size, MAX_HEADER)]))
    except UserError as error:
        raise UserError(f'{name}: not for this version: {error}') from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f'{name}: the header of this label file is damaged') from None
    width, at, sections = HASHES[recipe.hash], 8 + size, []
    whole = at + width * sum(counts)
    if len(data) != whole:
        what = 'cut' if len(data) < whole else 'too long'
        raise UserError(
            f'{name}: this label file is {what}: {len(data):,} bytes, {whole:,} by '
            'its header'
        )
    for section, count in zip(SECTIONS, counts, strict=True):
        keys = np.frombuffer(data, np.uint8, count * width, at).reshape(-1, width)
        if not checked and not ascend(keys):
            raise UserError(
                f'{name}: this label file is damaged: its {section} are not in order'
            )
        sections.append(keys)
        at += count * width
    return Labels(recipe, min_len, *sections)


def _must_be_ours(name: str, magic: bytes) -> None:
    if magic == MAGIC:
        return
    if magic[:3] == MAGIC[:3] and magic[3:].isdigit():
        raise UserError(
            f'{name}: a label file of another version ({magic.decode()}); this '
            f'program reads {MAGIC.decode()}'
        )
    raise UserError(f'{name}: not a label file (it does not begin with MRL1)')


def _header(text: bytes) -> tuple[Recipe, int, list[int]]:
    """What a header says; anything odd is an error of some kind."""
    told = json.loads(text)
    numbers = [told.pop(name) for name in ('min_len', *SECTIONS)]
    if not all(type(n) is int and n >= 0 for n in numbers):
        raise ValueError
    return Recipe(**told).check(), numbers[0], numbers[1:]


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
