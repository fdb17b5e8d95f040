"""The door to files: names of inputs and run directories become streams.

A name is a path, or a URI: hdfs://, s3://, https://. Where files lie is the business
of the modules beside this one.
"""

import contextlib
import importlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import IO, BinaryIO, TypeVar

from mr_reuse.errors import UserError
from mr_reuse.storage import globbing
from mr_reuse.storage.base import AT_ONCE, Entry, Store
from mr_reuse.storage.base import UNKNOWN as UNKNOWN
from mr_reuse.storage.base import Unreachable as Unreachable
from mr_reuse.storage.disk import Disk
from mr_reuse.storage.naming import is_remote, join, last_of, path_of, scheme_of

KINDS = {
    'hdfs': 'hdfs',
    **dict.fromkeys(('s3', 's3a', 's3n'), 's3'),
    **dict.fromkeys(('http', 'https'), 'web'),
}
DISK = Disk()

T = TypeVar('T')


def _store(name: str) -> Store:
    """Where a file lies."""
    scheme = scheme_of(name)
    if not scheme:
        return DISK
    if scheme not in KINDS:
        raise UserError(f'{name}: {scheme}:// is not read; hdfs, s3 and https are')
    # Loaded when needed: boto3 alone takes a third of a second.
    kind = importlib.import_module(f'mr_reuse.storage.{KINDS[scheme]}')
    return kind.store_for(name)


def open_read(name: str, offset: int = 0) -> BinaryIO:
    """A stream of the bytes of a file from an offset on."""
    return _store(name).open_read(name, offset)


def status(name: str) -> Entry | None:
    """What there is of a name: file or folder, its size, what changes when it does."""
    return _store(name).status(name)


def size(name: str) -> int:
    """Bytes in a file."""
    return _sure(name).size


def stamp(name: str) -> str:
    """What changes when a file does."""
    return _sure(name).stamp


def _sure(name: str) -> Entry:
    found = status(name)
    if not found:
        raise FileNotFoundError(2, 'No such file or directory', name)
    return found


def starts_with(name: str, magic: bytes) -> bool:
    """Whether a file begins with some bytes."""
    with open_read(name) as stream:
        return stream.read(len(magic)) == magic


def is_dir(name: str) -> bool:
    """Whether a name is a directory."""
    found = status(name)
    return bool(found and found.is_dir)


def exists(name: str) -> bool:
    """Whether there is something of that name."""
    return status(name) is not None


def real(name: str) -> str:
    """The one name of a file that has several, through links or defaults."""
    return _store(name).real(name)


def is_file(name: str) -> bool:
    """Whether a name is a file to read: no pipe, no device, no link to nothing."""
    if is_remote(name):
        found = status(name)
        return bool(found and not found.is_dir)
    return os.path.isfile(path_of(name))


def must_not_wait(name: str) -> None:
    """Refuse what one may read for ever (a pipe), and what leads away (a dead link)."""
    if is_remote(name):
        return
    if os.path.lexists(path_of(name)) and not (is_file(name) or is_dir(name)):
        raise UserError(f'{name}: neither a file nor a folder')


def find(pattern: str) -> list[Entry]:
    """What a glob stands for, sorted; what has just this name, if there is such."""
    if pattern.endswith('/**'):
        pattern = pattern[:-2]  # what is in a folder is found from there
    if not is_remote(pattern):
        return DISK.find(pattern)
    if found := status(pattern):
        return [found]
    return globbing.find(_store(pattern), pattern)


def tree(name: str, without: str = '') -> Iterator[Entry]:
    """What is below a directory and none itself, in the order of relative paths.

    Local links are followed, but no folder is walked twice, and one may be left out.
    """
    if is_remote(name):
        found = _store(name).tree(name.rstrip('/'))
        inside = join(without, '') if without else '\0'
        return (e for e in found if not e.name.startswith(inside))
    return DISK.tree(name, without)


def each(func: Callable[[str], T], names: Iterable[str]) -> list[T]:
    """A function of some names, several at a time where a server is asked."""
    names = list(names)
    if not any(map(is_remote, names)):
        return list(map(func, names))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(func, names))


def entries(folder: str) -> list[Entry]:
    """What a directory holds, sorted, with sizes; nothing if there is none."""
    return _store(folder).listing(folder)


def parts(folder: str) -> list[Entry]:
    """The part files of a step's output, with their sizes."""
    return [
        entry for entry in entries(folder) if last_of(entry.name).startswith('part-')
    ]


def part_files(folder: str) -> list[str]:
    """The names of the part files of a step's output."""
    return [entry.name for entry in parts(folder)]


def listing(name: str) -> list[str]:
    """What a directory holds, sorted; nothing if there is none."""
    if not is_remote(name):
        with contextlib.suppress(FileNotFoundError):
            return sorted(os.listdir(path_of(name)))
        return []
    return [last_of(entry.name) for entry in _store(name).listing(name)]


def make_dir(name: str) -> None:
    """Make a directory and those above it."""
    _store(name).make_dir(name)


def remove(name: str) -> None:
    """Remove a file or a directory with all it holds."""
    _store(name).remove(name)


def create(name: str, text: str) -> bool:
    """Write a file in one piece unless there is one; whether it was written."""
    return _store(name).create(name, text.encode())


def append(name: str, make: Callable[[], bytes]) -> None:
    """Add a line to a file on a local disk, durably; made while nobody else may."""
    DISK.append(name, make)


@contextlib.contextmanager
def write(name: str, mode: str = 'wb') -> Iterator[IO]:
    """A file that is there whole, under its name, or not at all."""
    if is_remote(name):
        with _written_here(mode) as stream:
            yield stream
            stream.flush()
            put(stream.name, name)
        return
    path = os.path.realpath(path_of(name))
    if os.path.exists(path) and not os.path.isfile(path):
        raise UserError(f'{name}: not a file; name another')
    half = f'{path}.{uuid.uuid4().hex[:8]}.half'
    try:
        with open(half, mode, **_text(mode)) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(half, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(half)


def _text(mode: str) -> dict[str, str]:
    return {} if 'b' in mode else {'encoding': 'utf-8', 'newline': '\n'}


def _written_here(mode: str) -> contextlib.AbstractContextManager[IO]:
    return tempfile.NamedTemporaryFile(mode, prefix='mr_reuse-', **_text(mode))


def put(path: str, name: str) -> None:
    """Copy a local file to a place that may be elsewhere, in one piece."""
    _store(name).put(path_of(path), name)


def get(name: str, path: str) -> None:
    """Copy a file to a local disk, in one piece."""
    with open_read(name) as stream, write(path) as copy:
        shutil.copyfileobj(stream, copy, 1 << 20)


def read_text(name: str) -> str:
    """A small text file."""
    with open_read(name) as stream:
        return stream.read().decode('utf-8', 'replace')


def link(name: str, other: str) -> None:
    """Give a file another name on a local disk, which may be gone before it."""
    remove(other)
    if is_remote(name):
        get(name, other)
    else:
        os.symlink(os.path.realpath(path_of(name)), path_of(other))


def half_of(name: str) -> str:
    """A name for a folder that is to become a result, on a local disk."""
    if is_remote(name):
        return join(tempfile.gettempdir(), f'mr_reuse-{uuid.uuid4().hex}')
    return f'{name}.half'


def move(old: str, new: str) -> None:
    """Give a file or a folder of files its final name, in place of what has it."""
    if not is_remote(new):
        remove(new)
        os.replace(path_of(old), path_of(new))
        return
    found = status(new)
    if is_dir(old) or (found and found.is_dir):
        remove(new)
    if is_dir(old):
        make_dir(new)
        each(lambda one: put(join(old, one), join(new, one)), listing(old))
    else:
        put(old, new)
    remove(old)


def free(name: str) -> int:
    """Bytes free where a directory is."""
    return shutil.disk_usage(path_of(name)).free


def scratch_in(folder: str | None) -> str | None:
    """Send scratch files of this process and its forks to a folder; the one before."""
    before = tempfile.tempdir
    tempfile.tempdir = folder and os.path.abspath(path_of(folder))
    return before


def scratch(folder: str | None = None) -> IO[bytes]:
    """A file for what does not fit into memory; it has no name and no future."""
    return tempfile.TemporaryFile(dir=None if folder and is_remote(folder) else folder)
