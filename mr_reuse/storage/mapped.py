"""Memory maps of whole files. The system loads only the parts that are read.

What was read of a large file counts as memory of the process, until it is released.
"""

import hashlib
import mmap
import os
import shutil
from collections.abc import Iterable
from typing import IO, Any

import numpy as np

from mr_reuse import storage
from mr_reuse.storage.naming import is_remote, path_of

BLOCK = 64 << 20  # bytes to read before they are released


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


def map_writable(stream: IO[bytes]) -> np.ndarray:
    """Map an open file into memory as an array of bytes that can be changed."""
    stream.flush()
    if not os.fstat(stream.fileno()).st_size:
        return np.zeros(0, np.uint8)
    return np.frombuffer(mmap.mmap(stream.fileno(), 0), np.uint8)


def map_rows(name: str, width: int) -> np.ndarray:
    """Map a file of rows with `width` bytes each, as an array of bytes."""
    data = map_bytes(name)
    if len(data) % width:
        raise ValueError(f'{name}: cut: {len(data)} bytes, of rows of {width}')
    return np.frombuffer(data, np.uint8).reshape(-1, width)


def map_pieces(pieces: Iterable[np.ndarray], width: int) -> np.ndarray:
    """Join arrays of rows of `width` bytes to one array, in a scratch file."""
    with storage.open_scratch() as stream:
        for rows in pieces:
            stream.write(np.ascontiguousarray(rows).data)
        data = map_stream(stream)
    return np.frombuffer(data, np.uint8).reshape(-1, width)


def release(data: memoryview | np.ndarray) -> None:
    """Release the memory of a map. What is read again is loaded again."""
    while isinstance(data, np.ndarray):
        data = data.base
    if isinstance(data, memoryview):
        data = data.obj
    if isinstance(data, mmap.mmap):
        data.madvise(mmap.MADV_DONTNEED)


def update_hash(hasher: Any, data: memoryview) -> None:
    """Hash the bytes of a map, and release them."""
    for start in range(0, len(data), BLOCK):
        hasher.update(data[start : start + BLOCK])
        release(data)


def file_digest(name: str) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    update_hash(hasher := hashlib.sha256(), map_bytes(name))
    return hasher.hexdigest()
