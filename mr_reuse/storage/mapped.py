"""Whole files in memory maps: only what is looked at is loaded."""

import hashlib
import mmap
import os
import shutil
from typing import IO

import numpy as np

from mr_reuse import storage
from mr_reuse.storage.naming import is_remote, path_of


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
