"""Files on the disks of this machine."""

import contextlib
import errno
import fcntl
import glob
import io
import os
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, BinaryIO

from mr_reuse.errors import UserError
from mr_reuse.storage.base import Entry, Opened, Store
from mr_reuse.storage.naming import path_of

PATIENCE = 10.0  # seconds to wait for a lock
DISK_ERRORS = {errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Disk(Store):
    """The local file system."""

    def status(self, name: str) -> Entry | None:
        path = path_of(name)
        try:
            info = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            # A dangling link counts as a file, since its name is taken.
            return Entry(name, False, 0) if os.path.lexists(path) else None
        stamp = f'{info.st_size} {info.st_mtime_ns}'
        return Entry(name, os.path.isdir(path), info.st_size, stamp)

    def list_entries(self, name: str) -> list[Entry]:
        try:
            names = sorted(os.listdir(path_of(name)))
        except FileNotFoundError:
            return []
        entries = [self.status(os.path.join(name, file)) for file in names]
        return [entry for entry in entries if entry]  # some may be gone by now

    def open_range(self, name: str, offset: int, limit: int = 0) -> Opened:
        stream = self.open_read(name, offset)
        return stream, os.fstat(stream.fileno()).st_size

    def open_read(self, name: str, offset: int = 0, length: int = 0) -> BinaryIO:
        stream = io.BufferedReader(_NamedFile(path_of(name)))
        stream.seek(offset)
        return stream

    def put(self, path: str, name: str) -> None:
        target = path_of(name)
        if os.path.isdir(path):
            raise UserError(f'{path}: a folder, not a file; name a file')
        partial = _partial_name(target)
        try:
            shutil.copyfile(path, partial)
            os.replace(partial, target)
        finally:
            self.remove(partial)

    def create(self, name: str, data: bytes) -> bool:
        path = path_of(name)
        partial = _partial_name(path)
        try:
            Path(partial).write_bytes(data)
            _link_or_move(partial, path)
        except FileExistsError:
            return False
        finally:
            self.remove(partial)
        return True

    def append(self, name: str, make: Callable[[], bytes]) -> None:
        """Append a line to a file, durably.

        `make` is called and the line is written under a lock, so the state that the
        line depends on cannot change in between. An empty line is not written. If the
        file ends in an incomplete line, which a crash left, a line feed comes first.
        """
        with open(path_of(name), 'ab+', buffering=0) as stream:
            _lock(stream)
            line = make()
            if not line:
                return
            if end := stream.seek(0, os.SEEK_END):
                stream.seek(-1, os.SEEK_END)
                line = line if stream.read(1) == b'\n' else b'\n' + line
            try:
                while line:
                    line = line[stream.write(line) :]
                os.fsync(stream.fileno())
            except OSError:  # the disk is full: remove the part that was written
                stream.truncate(end)
                raise

    def make_dir(self, name: str) -> None:
        try:
            os.makedirs(path_of(name), exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise UserError(f'{name}: a file is in the way of this folder') from None

    def remove(self, name: str) -> None:
        path = path_of(name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)

    def rename(self, old: str, new: str) -> None:
        os.replace(path_of(old), path_of(new))

    def canonical_name(self, name: str) -> str:
        return os.path.realpath(path_of(name))

    def find(self, pattern: str) -> list[Entry]:
        """Return the files and folders that match a glob, or the one of that name."""
        path = path_of(pattern)
        if '\0' in path:  # `glob` raises ValueError for it
            return []
        if entry := self.status(pattern):
            return [entry]
        names = sorted(glob.glob(path, recursive=True))
        return [entry for name in names if (entry := self.status(name))]

    def walk_files(self, name: str, excluded: str = '') -> Iterator[Entry]:
        """Yield all files below a folder except those below `excluded`, by their paths.

        Links are followed, but no folder is walked twice: links may form a cycle. A
        folder that cannot be listed is yielded itself, except the one of this name.
        """
        seen, shut = {excluded}, []

        def note(error: OSError) -> None:
            if error.filename == path_of(name):
                raise error
            shut.append(error.filename)

        walk = os.walk(path_of(name), onerror=note, followlinks=True)
        for folder, folders, files in walk:
            path = os.path.realpath(folder)
            if path in seen:
                folders.clear()
                continue
            seen.add(path)
            folders.sort()
            inner = os.path.relpath(folder, path_of(name))
            for file in sorted(files):
                relative = os.path.normpath(os.path.join(inner, file))
                yield self.status(os.path.join(name, relative)) or Entry(
                    relative, False
                )
        yield from (Entry(folder, True) for folder in shut)


class _NamedFile(io.FileIO):
    """A file to read. Its errors have its name, which errors of reads lack."""

    def readinto(self, buffer) -> int | None:
        with name_errors(self.name):
            return super().readinto(buffer)

    def readall(self) -> bytes | None:
        with name_errors(self.name):
            return super().readall()


@contextlib.contextmanager
def name_errors(name: str) -> Iterator[None]:
    """Add a file name to errors of a disk in the block that have none."""
    try:
        yield
    except OSError as error:
        if error.errno in DISK_ERRORS:
            error.filename = error.filename or name
        raise


def _partial_name(path: str) -> str:
    """Return a unique name beside a file, for its content until that is complete."""
    return f'{path}.{uuid.uuid4().hex[:8]}.half'


def _link_or_move(partial: str, path: str) -> None:
    """Give a file its final name. Raise FileExistsError if that is taken."""
    try:
        os.link(partial, path)
    except FileExistsError:
        raise
    except OSError:
        # The file system has no hard links. Readers may see an empty file for a moment.
        with open(path, 'xb'):
            pass
        os.replace(partial, path)


def _lock(stream: IO[bytes]) -> None:
    """Lock a file, and give up after PATIENCE seconds.

    Every user who may read the file could hold a lock on it for ever.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise OSError(errno.EAGAIN, 'another process has locked it') from None
            time.sleep(0.02)
