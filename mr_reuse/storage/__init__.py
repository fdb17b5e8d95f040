"""Access to files by name, on any store. Callers need no other module for it.

A name is a path or a URI: file://, hdfs://, s3://, https://, cc:. Each kind of store is
a module of this package, which `stores` selects by the name. A WACZ is a store as well:
`x.wacz/archive/a.warc.gz` is the name of a file in it.
"""

import contextlib
import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import IO, BinaryIO, TypeVar

from mr_reuse.errors import UserError
from mr_reuse.storage import globbing
from mr_reuse.storage.base import MAX_REQUESTS, Entry
from mr_reuse.storage.base import UNKNOWN as UNKNOWN
from mr_reuse.storage.base import Busy as Busy
from mr_reuse.storage.base import Unreachable as Unreachable
from mr_reuse.storage.disk import name_errors
from mr_reuse.storage.naming import is_remote, join, last_component, path_of
from mr_reuse.storage.scratch import open_scratch as open_scratch
from mr_reuse.storage.scratch import set_scratch_folder as set_scratch_folder
from mr_reuse.storage.stores import DISK, store_of

T = TypeVar('T')


def open_read(name: str, offset: int = 0, length: int = 0) -> BinaryIO:
    """Open a file from an offset on, to its end or for at least `length` bytes."""
    return store_of(name).open_read(name, offset, length)


def status(name: str) -> Entry | None:
    """Return kind, size and version stamp of a name; None if nothing has it."""
    return store_of(name).status(name)


def size(name: str) -> int:
    """Return the size of a file in bytes. Raise FileNotFoundError if it is missing."""
    return _existing(name).size


def stamp(name: str) -> str:
    """Return the version stamp of a file, a text that changes when the file does."""
    return _existing(name).stamp


def _existing(name: str) -> Entry:
    entry = status(name)
    if not entry:
        raise FileNotFoundError(2, 'No such file or directory', name)
    return entry


def starts_with(name: str, magic: bytes) -> bool:
    """Return whether a file begins with these bytes."""
    with open_read(name) as stream:
        return stream.read(len(magic)) == magic


def is_dir(name: str) -> bool:
    """Return whether a name is a folder."""
    entry = status(name)
    return bool(entry and entry.is_dir)


def exists(name: str) -> bool:
    """Return whether a file, a folder, or a local link of this name exists."""
    return status(name) is not None


def canonical_name(name: str) -> str:
    """Return the canonical name of a file, with links and default hosts resolved."""
    return store_of(name).canonical_name(name)


def is_file(name: str) -> bool:
    """Return whether a name is a regular file: no pipe, device or dangling link."""
    store = store_of(name)
    if store is DISK:
        return os.path.isfile(path_of(name))
    entry = store.status(name)
    return bool(entry and not entry.is_dir)


def refuse_special_files(name: str) -> None:
    """Refuse pipes and devices, whose reading may never end, and dangling links."""
    if is_remote(name):
        return
    if os.path.lexists(path_of(name)) and not (is_file(name) or is_dir(name)):
        raise UserError(f'{name}: neither a file nor a folder')


def find(pattern: str) -> list[Entry]:
    """Return the files and folders that match a glob, sorted.

    If the pattern is also the name of a file, that file is the only match.
    """
    if pattern.endswith('/**'):
        pattern = pattern[:-2]  # callers read a folder recursively
    store = store_of(pattern)
    if store is DISK:
        return DISK.find(pattern)
    if entry := store.status(pattern):
        return [entry]
    return globbing.find(store, pattern)


def walk_files(name: str, excluded: str = '') -> Iterator[Entry]:
    """Yield all files below a folder except those below `excluded`, by relative path.

    Local links are followed, but no folder is walked twice.
    """
    store = store_of(name)
    if store is DISK:
        return DISK.walk_files(name, excluded)
    files = store.walk_files(name.rstrip('/'))
    prefix = join(excluded, '') if excluded else '\0'  # no name has a NUL
    return (file for file in files if not file.name.startswith(prefix))


def map_names(func: Callable[[str], T], names: Iterable[str]) -> list[T]:
    """Map a function over names, with concurrent calls if any of them is remote."""
    names = list(names)
    if not any(map(is_remote, names)):
        return list(map(func, names))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(MAX_REQUESTS) as pool:
        return list(pool.map(func, names))


def list_entries(folder: str) -> list[Entry]:
    """Return the entries of a folder, sorted; [] if it is missing."""
    return store_of(folder).list_entries(folder)


def list_parts(folder: str) -> list[Entry]:
    """Return the part files of a step's output, with their sizes."""
    return [
        entry
        for entry in list_entries(folder)
        if last_component(entry.name).startswith('part-')
    ]


def list_part_names(folder: str) -> list[str]:
    """Return the names of the part files of a step's output."""
    return [entry.name for entry in list_parts(folder)]


def list_names(name: str) -> list[str]:
    """Return the names in a folder, sorted; [] if it is missing."""
    if not is_remote(name):  # `os.listdir` calls no `stat` for each name
        with contextlib.suppress(FileNotFoundError):
            return sorted(os.listdir(path_of(name)))
        return []
    return [last_component(entry.name) for entry in store_of(name).list_entries(name)]


def make_dir(name: str) -> None:
    """Make a folder and its missing parents."""
    store_of(name).make_dir(name)


def remove(name: str) -> None:
    """Remove a file, or a folder with its content. A missing name is no error."""
    store_of(name).remove(name)


def create(name: str, text: str) -> bool:
    """Write a file atomically unless it exists. Return whether it was written."""
    return store_of(name).create(name, text.encode())


def append(name: str, make: Callable[[], bytes]) -> None:
    """Append a line to a local file, durably. `make` returns it, under a lock."""
    DISK.append(name, make)


@contextlib.contextmanager
def write(name: str, mode: str = 'wb') -> Iterator[IO]:
    """Open a file for writing that gets its name when the block ends without error.

    Until then the name is missing, or refers to the old file. An error leaves nothing.
    """
    if is_remote(name):
        with _temporary_file(mode) as stream:
            yield stream
            stream.flush()
            put(stream.name, name)
        return
    # A link keeps its place; the file that it points to is replaced.
    path = os.path.realpath(path_of(name))
    if os.path.exists(path) and not os.path.isfile(path):
        raise UserError(f'{name}: not a file; name another')
    partial = f'{path}.{uuid.uuid4().hex[:8]}.half'
    try:
        options = _text_options(mode)
        with name_errors(partial), open(partial, mode, **options) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())  # else a power cut may leave an empty file
        os.replace(partial, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(partial)


def _text_options(mode: str) -> dict[str, str]:
    return {} if 'b' in mode else {'encoding': 'utf-8', 'newline': '\n'}


def _temporary_file(mode: str) -> contextlib.AbstractContextManager[IO]:
    return tempfile.NamedTemporaryFile(mode, prefix='mr_reuse-', **_text_options(mode))


def put(path: str, name: str) -> None:
    """Copy a local file to any store, atomically."""
    store_of(name).put(path_of(path), name)


def get(name: str, path: str) -> None:
    """Copy a file from any store to a local disk, atomically."""
    with open_read(name) as stream, write(path) as copy:
        shutil.copyfileobj(stream, copy, 1 << 20)


def read_text(name: str) -> str:
    """Read a small text file, with U+FFFD for bytes that are not UTF-8."""
    refuse_special_files(name)  # a pipe would block
    with open_read(name) as stream:
        return stream.read().decode('utf-8', 'replace')


def make_alias(name: str, alias: str) -> None:
    """Make a local alias of a file: a symbolic link, or a copy of a remote file."""
    remove(alias)
    if is_remote(name):
        get(name, alias)
    else:
        os.symlink(os.path.realpath(path_of(name)), path_of(alias))


def partial_name(name: str) -> str:
    """Return the name of a local folder in which a result is built, for `move`."""
    if is_remote(name):
        return join(tempfile.gettempdir(), f'mr_reuse-{uuid.uuid4().hex}')
    return f'{name}.half'


def move(old: str, new: str) -> None:
    """Move a local file or a flat folder to its final name, and replace the old one."""
    if not is_remote(new):
        remove(new)
        os.replace(path_of(old), path_of(new))
        return
    entry = status(new)
    if is_dir(old) or (entry and entry.is_dir):
        remove(new)
    if is_dir(old):
        make_dir(new)
        map_names(lambda file: put(join(old, file), join(new, file)), list_names(old))
    else:
        put(old, new)
    remove(old)


def rename(old: str, new: str) -> None:
    """Rename a flat folder within its store, and replace the new name."""
    remove(new)
    # A first try may have renamed the folder, and only its answer was lost.
    with contextlib.suppress(FileNotFoundError):
        store_of(new).rename(old, new)
    if exists(old) or not exists(new):
        raise OSError(f'{old}: not renamed to {new}')


def free_bytes(name: str) -> int:
    """Return the free bytes on the file system of a local folder.

    A file system without a size, such as /proc, limits nothing.
    """
    usage = shutil.disk_usage(path_of(name))
    return usage.free if usage.total else sys.maxsize
