"""Whole files in memory maps: only what is looked at is loaded."""

import hashlib
import mmap
import os
import shutil
from typing import IO

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.labels import label_format
from mr_reuse.errors import UserError, told
from mr_reuse.storage import naming
from mr_reuse.storage.naming import is_remote, path_of

LABELS = 'labels.mrl'  # of a run


def map_bytes(name: str) -> memoryview:
    """All bytes of a file, without reading them; only what is looked at is loaded."""
    if is_remote(name):
        with storage.scratch() as copy, storage.open_read(name) as stream:
            shutil.copyfileobj(stream, copy, 1 << 20)
            return _mapped(copy)
    with open(path_of(name), 'rb') as stream:
        return _mapped(stream)


def _mapped(stream: IO[bytes]) -> memoryview:
    stream.flush()
    if not os.fstat(stream.fileno()).st_size:
        return memoryview(b'')
    return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


def rows(name: str, width: int) -> np.ndarray:
    """The rows of bytes in a file of nothing else, mapped into memory."""
    return np.frombuffer(map_bytes(name), np.uint8).reshape(-1, width)


def digest(name: str) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(map_bytes(name)).hexdigest()


def label_file(name: str) -> str:
    """The label file that is meant: of a run, the one that it has made."""
    own = naming.join(name, LABELS)
    return own if storage.is_dir(name) and storage.exists(own) else name


def labels(name: str, checked: bool = False) -> label_format.Labels:
    """The labels of a label file, mapped into memory; quickly if checked before."""
    name = label_file(name)
    storage.must_not_wait(name)
    try:
        data = map_bytes(name)
    except IsADirectoryError:
        raise UserError(
            f'{name}: a folder without {LABELS}; name a label file or a run of discover'
        ) from None
    except OSError as error:
        raise UserError(told(error)) from None
    return label_format.parse(name, data, checked)
