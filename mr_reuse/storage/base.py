"""Base class of all stores, and a stream that resumes after a broken connection."""

import errno
import io
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple, Protocol

from mr_reuse.errors import UserError

MAX_REQUESTS = 16  # concurrent requests to a server
BUFFER = 1 << 20
PIECE = 64 << 10  # bytes of a read, so the most that a broken connection can lose
FIRST_RANGE = 1 << 20  # bytes of the first request of a read that begins inside a file
MAX_SKIP = 4 << 20  # bytes that are read and dropped, where a new request costs more
UNKNOWN = -1  # as the size of a file
TRIES = 6  # requests in a row that bring no byte
PAUSE = 0.5  # seconds, doubled for each of these tries


class Unreachable(UserError):
    """A server that does not answer, or answers only with passing errors."""


class Busy(Unreachable):
    """A server that answers each retry of a request with the message that it is busy.

    `strerror` is the reason without the name of the file, as of an OSError.
    """

    def __init__(self, name: str, reply: str):
        self.strerror = f'the server stays busy ({reply})'
        super().__init__(f'{name}: {self.strerror}')


class Entry(NamedTuple):
    """Status of a file or a folder."""

    name: str  # in full
    is_dir: bool
    size: int = 0  # UNKNOWN if the server does not send it
    stamp: str = ''  # version stamp: changes when the file does


class Answer(Protocol):
    """The bytes of a file from an offset on, as a server sends them.

    An answer may have a `stamp`, like `Body`.
    """

    def read(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


Opened = tuple[Answer, int | None]  # the bytes, and the size of the file if known


class Body:
    """An answer with a version stamp. It drops the bytes before the requested offset.

    >>> Body(io.BytesIO(b'one two'), 'v1', ahead=4).read(9)
    b'two'
    """

    def __init__(self, raw: Answer, stamp: str | None, ahead: int = 0):
        """Wrap an answer. `stamp` is None if the server sends no version."""
        self.stamp = stamp
        self._raw, self._ahead = raw, ahead

    def read(self, size: int, /) -> bytes:
        while self._ahead:
            dropped = self._raw.read(min(self._ahead, PIECE))
            if not dropped:
                return b''
            self._ahead -= len(dropped)
        return self._raw.read(size)

    def close(self) -> None:
        self._raw.close()


class Store(ABC):
    """Operations on files and folders, by their full names.

    A missing file raises `FileNotFoundError`, and missing rights `PermissionError`.
    A server that stays silent raises `Unreachable`: the task fails and is retried, and
    the file does not count as damaged.
    """

    # Exceptions of a lost connection, after which a read is retried. OSError itself is
    # not one of them: a file that is gone or has changed raises it, and retrying is
    # useless then.
    broken: tuple[type[Exception], ...] = ()
    max_skip = MAX_SKIP

    @abstractmethod
    def status(self, name: str) -> Entry | None:
        """Return the status of a file or folder; None if it is missing."""

    @abstractmethod
    def list_entries(self, name: str) -> list[Entry]:
        """Return the entries of a folder, sorted by name; [] if it is missing."""

    @abstractmethod
    def open_range(self, name: str, offset: int, limit: int = 0) -> Opened:
        """Open a file from an offset on. Return its bytes and the size of the file.

        The size is None if the server does not send it. The answer may end after
        `limit` bytes; 0 stands for the rest of the file.
        """

    @abstractmethod
    def put(self, path: str, name: str) -> None:
        """Copy a local file into this store, atomically. Replace an existing file."""

    @abstractmethod
    def create(self, name: str, data: bytes) -> bool:
        """Write a small file atomically unless it exists. Return whether it was new.

        If several processes create a file at once, exactly one of them succeeds.
        """

    @abstractmethod
    def make_dir(self, name: str) -> None:
        """Make a folder and its missing parents."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file, or a folder with its content. A missing name is no error."""

    def rename(self, old: str, new: str) -> object:
        """Rename a file or a folder. The new name is free, except after a retry."""
        raise NotImplementedError

    def canonical_name(self, name: str) -> str:
        """Return the canonical name of a file that has several."""
        return name

    def open_read(self, name: str, offset: int = 0, length: int = 0) -> BinaryIO:
        """Open a file for reading, from an offset to its end.

        With a length, only this range is requested.
        """
        end = offset + length

        def open_at(at: int, limit: int) -> Opened:
            if not length:
                return self.open_range(name, at, limit)
            answer, size = self.open_range(name, at, end - at)
            return answer, end if size is None else min(size, end)

        stream = Ranged(name, open_at, offset, self.broken)
        stream.max_skip = self.max_skip
        return io.BufferedReader(stream, BUFFER)

    def walk_files(self, name: str) -> Iterator[Entry]:
        """Yield all files below a folder."""
        for entry in self.list_entries(name):
            if entry.is_dir:
                yield from self.walk_files(entry.name)
            else:
                yield entry


class Ranged(io.RawIOBase):
    """A file on a server, read by range requests. A broken connection is resumed.

    A reader that begins inside a file may want a single record, but servers send
    megabytes ahead. So the first request is for FIRST_RANGE bytes only, and the second
    one for the rest of the file.

    >>> parts = iter([io.BytesIO(b'on'), io.BytesIO(b'e two')])
    >>> Ranged('f', lambda offset, limit: (next(parts), 7), 0, pause=0).read()
    b'one two'
    """

    max_skip = MAX_SKIP
    piece = PIECE

    def __init__(
        self,
        name: str,
        open_range: Callable[[int, int], Opened],
        offset: int = 0,
        broken: tuple[type[Exception], ...] = (),
        pause: float = PAUSE,
    ):
        super().__init__()
        self._name, self._open_range, self._at = name, open_range, offset
        self._broken, self._pause = broken, pause
        self._limit = FIRST_RANGE if offset else 0
        self._answer: Answer | None = None
        self._size: int | None = None
        self._stamp: str | None = None
        self._open()  # a missing file raises now, not at the first read

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_CUR:
            offset += self._at
        elif whence == io.SEEK_END:
            raise io.UnsupportedOperation('the end is not known')
        while self._answer and self._at < offset <= self._at + self.max_skip:
            if not self.read(min(BUFFER, offset - self._at)):
                break
        if offset != self._at:
            self._drop()
            self._at, self._limit = offset, FIRST_RANGE if offset else 0
        return offset

    def readinto(self, buffer) -> int:
        data = self._read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _read(self, size: int) -> bytes:
        tries, why = 0, None
        while self._size is None or self._at < self._size:
            try:
                self._open()
                data = self._answer.read(min(size, self.piece))
                self._at += len(data)
                if self._limit and not data:  # the end of the first range
                    self._request_rest()
                    continue
                if data or self._size is None or self._at >= self._size:
                    return data
                why = why or 'the connection ended early'
            except self._broken as error:
                why = error
            self._request_rest()
            tries += 1
            if tries == TRIES:
                cause = f'{self._name}: broke off at byte {self._at:,}: {why}'
                raise Unreachable(f'{cause}; tried {TRIES} times')
            time.sleep(self._pause * 2**tries)
        return b''

    def _open(self) -> None:
        if self._answer is None:
            self._answer, size = self._open_range(self._at, self._limit)
            # All answers must be of one version of the file. A server without version
            # stamps shows at least that a file has shrunk; a longer one has grown.
            stamp = getattr(self._answer, 'stamp', None)
            if has_changed(self._stamp, stamp) or (
                has_changed(self._size, size) and size < self._size
            ):
                self._drop()
                raise OSError(errno.EIO, 'changed while it was read', self._name)
            self._size = self._size if size is None else size
            self._stamp = self._stamp or stamp

    def _request_rest(self) -> None:
        """Let the next read request the rest of the file."""
        self._drop()
        self._limit = 0

    def _drop(self) -> None:
        if self._answer is not None:
            self._answer.close()
            self._answer = None

    def close(self) -> None:
        if not self.closed:
            self._drop()
        super().close()


def has_changed(old: object, new: object) -> bool:
    """Return whether two values differ. None stands for an unknown value."""
    return None not in (old, new) and old != new


def range_header(offset: int, limit: int) -> dict[str, str]:
    """Return the Range header of a request for a part of a file.

    >>> range_header(5, 0), range_header(5, 3), range_header(0, 0)
    ({'Range': 'bytes=5-'}, {'Range': 'bytes=5-7'}, {})
    """
    end = offset + limit - 1 if limit else ''
    return {'Range': f'bytes={offset}-{end}'} if offset or limit else {}
