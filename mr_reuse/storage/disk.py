"""Files on this machine's disks."""

import contextlib
import errno
import fcntl
import glob
import os
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, BinaryIO

from mr_reuse.errors import UserError
from mr_reuse.storage.base import Answer, Entry, Store
from mr_reuse.storage.naming import path_of

PATIENCE = 10.0  # seconds for a lock


class Disk(Store):
    """The local file system."""

    def status(self, name: str) -> Entry | None:
        path = path_of(name)
        try:
            found = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            # A link to nothing is something in the way.
            return Entry(name, False, 0) if os.path.lexists(path) else None
        stamp = f'{found.st_size} {found.st_mtime_ns}'
        return Entry(name, os.path.isdir(path), found.st_size, stamp)

    def listing(self, name: str) -> list[Entry]:
        try:
            names = sorted(os.listdir(path_of(name)))
        except FileNotFoundError:
            return []
        found = [self.status(os.path.join(name, one)) for one in names]
        return [entry for entry in found if entry]

    def ask(self, name: str, offset: int, few: int = 0) -> tuple[Answer, int | None]:
        stream = self.open_read(name, offset)
        return stream, os.fstat(stream.fileno()).st_size

    def open_read(self, name: str, offset: int = 0) -> BinaryIO:
        stream = open(path_of(name), 'rb')  # noqa: SIM115 (the caller closes it)
        stream.seek(offset)
        return stream

    def put(self, path: str, name: str) -> None:
        target = path_of(name)
        if os.path.isdir(path):
            raise UserError(f'{path}: a folder cannot be copied in one piece')
        half = f'{target}.{uuid.uuid4().hex[:8]}.half'
        try:
            shutil.copyfile(path, half)
            os.replace(half, target)
        finally:
            self.remove(half)

    def create(self, name: str, data: bytes) -> bool:
        path = path_of(name)
        half = f'{path}.{uuid.uuid4().hex[:8]}.half'
        try:
            Path(half).write_bytes(data)
            _link_or_move(half, path)
        except FileExistsError:
            return False
        finally:
            self.remove(half)
        return True

    def append(self, name: str, make: Callable[[], bytes]) -> None:
        """Add a line to a file, durably; behind half a line it begins a new one.

        Several threads and processes may do so at a time: what a line is made of stays
        as it is until it is written.
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
            except OSError:  # the disk is full: no half is left of it
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

    def real(self, name: str) -> str:
        return os.path.realpath(path_of(name))

    def find(self, pattern: str) -> list[Entry]:
        """What a glob stands for, sorted; the name itself if there is such a one."""
        path = path_of(pattern)
        if '\0' in path:
            return []
        if found := self.status(pattern):
            return [found]
        return [
            e for n in sorted(glob.glob(path, recursive=True)) if (e := self.status(n))
        ]

    def tree(self, name: str, without: str = '') -> Iterator[Entry]:
        """What is below a folder and no folder, in the order of relative paths.

        Links are followed, but no folder is walked twice, and one may be left out.
        """
        seen = {without}

        def refuse(error: OSError) -> None:
            raise error

        walk = os.walk(path_of(name), onerror=refuse, followlinks=True)
        for folder, folders, files in walk:
            path = os.path.realpath(folder)
            if path in seen:
                folders.clear()
                continue
            seen.add(path)
            folders.sort()
            below = os.path.relpath(folder, path_of(name))
            for file in sorted(files):
                one = os.path.normpath(os.path.join(below, file))
                yield self.status(os.path.join(name, one)) or Entry(one, False)


def _link_or_move(half: str, path: str) -> None:
    """Give a file a name that is not taken; without links there is a gap, if small."""
    try:
        os.link(half, path)
    except FileExistsError:
        raise
    except OSError:
        with open(path, 'x'):
            pass
        os.replace(half, path)


def _lock(stream: IO[bytes]) -> None:
    """Lock a file; who may read it may hold a lock, but not for ever."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:
                raise OSError(errno.EAGAIN, 'another process has locked it') from None
            time.sleep(0.02)
