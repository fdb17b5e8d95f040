"""The door to files: names of inputs and run directories become streams.

Only local files are read so far; a name with a scheme is told to be unknown.
"""

import contextlib
import glob
import hashlib
import mmap
import os
import re
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO
from urllib.parse import quote_from_bytes, unquote_to_bytes

import numpy as np

from mr_reuse import labelfile
from mr_reuse.errors import UserError

SCHEME = re.compile(r'([A-Za-z][A-Za-z0-9+.-]+)://')


def local(name: str) -> str:
    """The path of a local name.

    >>> local('file:///a/b'), local('a/b')
    ('/a/b', 'a/b')
    """
    scheme = SCHEME.match(name)
    if not scheme:
        return name
    if scheme[1].lower() == 'file':
        return name[len('file://') :]
    raise UserError(f'{name}: {scheme[1]}:// is not read yet; copy it to a local disk')


def open_read(name: str, offset: int = 0) -> BinaryIO:
    """A stream of the bytes of a file from an offset on."""
    stream = open(local(name), 'rb')  # noqa: SIM115 (the caller closes it)
    stream.seek(offset)
    return stream


def size(name: str) -> int:
    """Bytes in a file."""
    return os.stat(local(name)).st_size


def stamp(name: str) -> str:
    """What changes when a file does."""
    found = os.stat(local(name))
    return f'{found.st_size} {found.st_mtime_ns}'


def identity(name: str, first: int) -> str:
    """What stays the same when a file is renamed and grows; by its first bytes also.

    >>> identity('setup.cfg', 100) == identity('./setup.cfg', 100)
    True
    """
    with open_read(name) as stream:
        found = os.fstat(stream.fileno())
        begins = hashlib.sha256(stream.read(first)).hexdigest()[:16]
    return f'{found.st_dev}:{found.st_ino}:{begins}'


def starts_with(name: str, magic: bytes) -> bool:
    """Whether a file begins with some bytes."""
    with open_read(name) as stream:
        return stream.read(len(magic)) == magic


def is_dir(name: str) -> bool:
    """Whether a name is a directory."""
    return os.path.isdir(local(name))


def exists(name: str) -> bool:
    """Whether there is something of that name."""
    return os.path.lexists(local(name))


def join(*parts: str) -> str:
    """One name below another."""
    return os.path.join(*parts)


def last_of(name: str) -> str:
    """The last component of a name.

    >>> last_of('RUN/01-pages/attempt-1')
    'attempt-1'
    """
    return name.rstrip('/').rpartition('/')[2]


def absolute(name: str) -> str:
    """A name that means the same from every folder."""
    return name if SCHEME.match(name) else os.path.abspath(name)


def real(name: str) -> str:
    """The one path of a file, whatever links lead to it."""
    return os.path.realpath(local(name))


def quoted(path: str) -> str:
    """A path that fits into a line, whatever bytes it has.

    >>> quoted('/a b\\n'), unquoted('/a%20b%0A')
    ('/a%20b%0A', '/a b\\n')
    """
    return quote_from_bytes(os.fsencode(path))


def unquoted(text: str) -> str:
    """A path as it was before `quoted`."""
    return os.fsdecode(unquote_to_bytes(text))


def is_file(name: str) -> bool:
    """Whether a name is a file to read: no pipe, no device, no link to nothing."""
    return os.path.isfile(local(name))


def must_not_wait(name: str) -> None:
    """Refuse a pipe or a device where a file is meant: one may read it for ever."""
    if os.path.exists(local(name)) and not (is_file(name) or is_dir(name)):
        raise UserError(f'{name}: neither a file nor a folder')


def expand(pattern: str) -> list[str]:
    """The names that a glob stands for, sorted; the name itself if it exists."""
    path = local(pattern)
    if '\0' in path:
        return []
    if os.path.lexists(path):
        return [pattern]
    return sorted(glob.glob(path, recursive=True))


def tree(name: str, without: str = '') -> Iterator[str]:
    """What is below a directory and none itself, by relative paths, sorted.

    Links are followed, but no folder is walked twice, and one may be left out.
    """
    top = local(name)
    seen = {without}

    def refuse(error: OSError) -> None:
        raise error

    for folder, folders, files in os.walk(top, onerror=refuse, followlinks=True):
        path = os.path.realpath(folder)
        if path in seen:
            folders.clear()
            continue
        seen.add(path)
        folders.sort()
        for file in sorted(files):
            yield os.path.relpath(os.path.join(folder, file), top)


def part_files(folder: str) -> list[str]:
    """The part files of a step's output."""
    return [join(folder, n) for n in listing(folder) if n.startswith('part-')]


def listing(name: str) -> list[str]:
    """What a directory holds, sorted; nothing if there is none."""
    with contextlib.suppress(FileNotFoundError):
        return sorted(os.listdir(local(name)))
    return []


def make_dir(name: str) -> None:
    """Make a directory and those above it."""
    try:
        os.makedirs(local(name), exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise UserError(f'{name}: a file is in the way of this folder') from None


def remove(name: str) -> None:
    """Remove a file or a directory with all it holds."""
    path = local(name)
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


@contextlib.contextmanager
def write(name: str, mode: str = 'wb') -> Iterator[IO]:
    """A file that is there whole, under its name, or not at all."""
    path = os.path.realpath(local(name))
    if os.path.exists(path) and not os.path.isfile(path):
        raise UserError(f'{name}: there is something that is no file')
    half = f'{path}.{uuid.uuid4().hex[:8]}.half'
    text = {} if 'b' in mode else {'encoding': 'utf-8', 'newline': '\n'}
    try:
        with open(half, mode, **text) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(half, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(half)


def read_text(name: str) -> str:
    """A small text file."""
    return Path(local(name)).read_text(encoding='utf-8', errors='replace')


def link(name: str, other: str) -> None:
    """Give a file another name, which may be gone before it."""
    remove(other)
    os.symlink(os.path.realpath(local(name)), local(other))


def rename(old: str, new: str) -> None:
    """Give a folder another name, in place of what has that name."""
    remove(new)
    os.replace(local(old), local(new))


def free(name: str) -> int:
    """Bytes free where a directory is."""
    return shutil.disk_usage(local(name)).free


def scratch_in(folder: str | None) -> str | None:
    """Send scratch files of this process and its forks to a folder; the one before."""
    before = tempfile.tempdir
    tempfile.tempdir = folder and os.path.abspath(local(folder))
    return before


def scratch(folder: str | None = None) -> IO[bytes]:
    """A file for what does not fit into memory; it has no name and no future."""
    return tempfile.TemporaryFile(dir=folder)


def map_bytes(name: str) -> memoryview:
    """All bytes of a file, without reading them; only what is looked at is loaded."""
    with open(local(name), 'rb') as stream:
        if not os.fstat(stream.fileno()).st_size:
            return memoryview(b'')
        return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


def rows(name: str, width: int) -> np.ndarray:
    """The rows of bytes in a file of nothing else, mapped into memory."""
    return np.frombuffer(map_bytes(name), np.uint8).reshape(-1, width)


def digest(name: str) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(map_bytes(name)).hexdigest()


def labels(name: str, checked: bool = False) -> labelfile.Labels:
    """The labels of a label file, mapped into memory; quickly if checked before."""
    must_not_wait(name)
    try:
        data = map_bytes(name)
    except OSError as error:
        raise UserError(f'{name}: cannot be read: {error.strerror}') from None
    return labelfile.parse(name, data, checked)
