"""Memory maps of whole files. The system loads only the pages that are read."""

import hashlib
import mmap
import os
import shutil
from typing import IO

import numpy as np

from mr_reuse import storage
from mr_reuse.storage.naming import is_remote, path_of


def map_bytes(name: str) -> memoryview:
    """Map a file into memory. A remote file is copied to a scratch file first."""
    if is_remote(name):
        with storage.open_scratch() as copy, storage.open_read(name) as stream:
            shutil.copyfileobj(stream, copy, 1 << 20)
            return map_stream(copy)
    with open(path_of(name), 'rb') as stream:
        return map_stream(stream)


def map_stream(stream: IO[bytes]) -> memoryview:
    """Map an open file into memory."""
    stream.flush()
    if not os.fstat(stream.fileno()).st_size:  # an empty file cannot be mapped
        return memoryview(b'')
    return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


def map_rows(name: str, width: int) -> np.ndarray:
    """Map a file of rows with `width` bytes each, as an array of bytes."""
    data = map_bytes(name)
    if len(data) % width:
        raise ValueError(f'{name}: cut: {len(data)} bytes, of rows of {width}')
    return np.frombuffer(data, np.uint8).reshape(-1, width)


def file_digest(name: str) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(map_bytes(name)).hexdigest()
