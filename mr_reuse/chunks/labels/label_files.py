"""Load and write label files by name: files, or the label files of runs."""

from collections.abc import Iterable
from typing import BinaryIO

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.labels import label_format
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.cli import outputs
from mr_reuse.errors import UserError, describe_error
from mr_reuse.shuffle import keyfile
from mr_reuse.storage import naming
from mr_reuse.storage.mapped import map_bytes

LABELS = 'labels.mrl'  # name in a run directory


def resolve(name: str) -> str:
    """Return the label file of a name: for a run, the label file in it."""
    own = naming.join(name, LABELS)
    return own if storage.is_dir(name) and storage.exists(own) else name


def load(name: str, checked: bool = False) -> label_format.Labels:
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
    return label_format.parse(name, data, checked)


def write(
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
        label_format.write(stream, made_of, counts, digests)
    return counts
