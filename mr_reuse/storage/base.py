"""What every kind of store can do, and a stream that survives a broken connection."""

import errno
import io
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple, Protocol

from mr_reuse.errors import UserError

AT_ONCE = 16  # requests to a server
BUFFER = 1 << 20
PIECE = 64 << 10  # what is read at once, so all that a broken connection can cost
FEW = 1 << 20  # what is asked for first where one begins in the middle of a file
NEAR = 4 << 20  # bytes that are read and dropped rather than asked for anew
UNKNOWN = -1  # as the size of a file
TRIES = 6  # without one more byte
PAUSE = 0.5  # seconds, doubled with each of them


class Unreachable(UserError):
    """A store that does not answer, whatever one asks it."""


class Entry(NamedTuple):
    """What a store says of a file or a folder."""

    name: str  # in full
    is_dir: bool
    size: int = 0  # UNKNOWN if it is not told
    stamp: str = ''  # changes when the file does


class Answer(Protocol):
    """Bytes from some place of a file to its end, as a server sends them.

    It may have a `stamp` as `Body` has.
    """

    def read(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


class Body:
    """An answer that knows its file's version, and drops what was not asked for.

    >>> Body(io.BytesIO(b'one two'), 'v1', ahead=4).read(9)
    b'two'
    """

    def __init__(self, raw: Answer, stamp: str | None, ahead: int = 0):
        """`stamp` is None if the server does not tell versions apart."""
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
    """Files and folders by their whole names, and what is done with them.

    What is not there is `FileNotFoundError`, what must not be read or written is
    `PermissionError`; a server that stays silent is `Unreachable`, which costs the
    task and not the file.
    """

    # What a lost connection raises. Not OSError itself: what says that a file is
    # gone or has changed is one, and does not mend by asking again.
    broken: tuple[type[Exception], ...] = ()
    near = NEAR

    @abstractmethod
    def status(self, name: str) -> Entry | None:
        """What there is of this name."""

    @abstractmethod
    def listing(self, name: str) -> list[Entry]:
        """What is in a folder, sorted by name; nothing if there is none."""

    @abstractmethod
    def ask(self, name: str, offset: int, few: int = 0) -> tuple[Answer, int | None]:
        """The bytes of a file from an offset on, and the size of all, if it is told.

        They may be no more than a few, if that is what is asked for.
        """

    @abstractmethod
    def put(self, path: str, name: str) -> None:
        """Copy a local file here, in one piece; what has the name is replaced."""

    @abstractmethod
    def create(self, name: str, data: bytes) -> bool:
        """Write a small file unless there is one; whether it was written."""

    @abstractmethod
    def make_dir(self, name: str) -> None:
        """Make a folder and those above it."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file or a folder with all it holds; no matter if there is none."""

    def real(self, name: str) -> str:
        """The one name of a file that has several."""
        return name

    def open_read(self, name: str, offset: int = 0) -> BinaryIO:
        """A stream of the bytes of a file from an offset on."""

        def ask(place: int, few: int) -> tuple[Answer, int | None]:
            return self.ask(name, place, few)

        found = Ranged(name, ask, offset, self.broken)
        found.near = self.near
        return io.BufferedReader(found, BUFFER)

    def tree(self, name: str) -> Iterator[Entry]:
        """All files below a folder."""
        for entry in self.listing(name):
            if entry.is_dir:
                yield from self.tree(entry.name)
            else:
                yield entry


class Ranged(io.RawIOBase):
    """A file on a server; goes on where it was if the connection breaks.

    Who begins in the middle may want just one record: more than a few bytes are asked
    for once these are read, since a server sends megabytes ahead.

    >>> parts = iter([io.BytesIO(b'on'), io.BytesIO(b'e two')])
    >>> Ranged('f', lambda offset, few: (next(parts), 7), 0, pause=0).read()
    b'one two'
    """

    near = NEAR

    def __init__(
        self,
        name: str,
        ask: Callable[[int, int], tuple[Answer, int | None]],
        offset: int = 0,
        broken: tuple[type[Exception], ...] = (),
        pause: float = PAUSE,
    ):
        super().__init__()
        self._name, self._ask, self._at = name, ask, offset
        self._broken, self._pause = broken, pause
        self._few = FEW if offset else 0
        self._answer: Answer | None = None
        self._size: int | None = None
        self._stamp: str | None = None
        self._open()  # what is not there is told at once

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
        while self._answer and self._at < offset <= self._at + self.near:
            if not self.read(min(BUFFER, offset - self._at)):
                break
        if offset != self._at:
            self._drop()
            self._at, self._few = offset, FEW if offset else 0
        return offset

    def readinto(self, into) -> int:
        found = self._read(len(into))
        into[: len(found)] = found
        return len(found)

    def _read(self, size: int) -> bytes:
        tries, why = 0, None
        while self._size is None or self._at < self._size:
            try:
                self._open()
                found = self._answer.read(min(size, PIECE))
                self._at += len(found)
                if self._few and not found:
                    self._more()
                    continue
                if found or self._size is None or self._at >= self._size:
                    return found
                why = why or 'the connection ended early'
            except self._broken as error:
                why = error
            self._more()
            tries += 1
            if tries == TRIES:
                told = f'{self._name}: broke off at byte {self._at:,}: {why}'
                raise Unreachable(f'{told}; tried {TRIES} times')
            time.sleep(self._pause * 2**tries)
        return b''

    def _open(self) -> None:
        if self._answer is None:
            self._answer, size = self._ask(self._at, self._few)
            stamp = getattr(self._answer, 'stamp', None)
            if differ(self._stamp, stamp) or (
                differ(self._size, size) and size < self._size
            ):
                self._drop()
                raise OSError(errno.EIO, 'changed while it was read', self._name)
            self._size = self._size if size is None else size
            self._stamp = self._stamp or stamp

    def _more(self) -> None:
        """Ask anew, for all that is left."""
        self._drop()
        self._few = 0

    def _drop(self) -> None:
        if self._answer is not None:
            self._answer.close()
            self._answer = None

    def close(self) -> None:
        if not self.closed:
            self._drop()
        super().close()


def differ(one: object, other: object) -> bool:
    """Whether two things that may be unknown are known to be different."""
    return None not in (one, other) and one != other


def part(offset: int, few: int) -> dict[str, str]:
    """What a request says that is about a part of a file.

    >>> part(5, 0), part(5, 3), part(0, 0)
    ({'Range': 'bytes=5-'}, {'Range': 'bytes=5-7'}, {})
    """
    end = offset + few - 1 if few else ''
    return {'Range': f'bytes={offset}-{end}'} if offset or few else {}
