"""The files in a WACZ: where their bytes are, and what the WACZ says of them."""

import errno
import functools
import threading
from typing import BinaryIO, NamedTuple

from mr_reuse.storage import checksums, package_list, zip_directory
from mr_reuse.storage.base import BUFFER
from mr_reuse.storage.checksums import Checksum
from mr_reuse.storage.inflating import Inflating, Marks, UpToError
from mr_reuse.storage.package_file import PackageFile
from mr_reuse.storage.package_list import DIGEST, LIST, MAX_LIST, Listed, PackageList
from mr_reuse.storage.zip_directory import Directory, Span, ZipEntry

CACHED = 2  # packages of which the content is kept
# Several threads may open packages, but a hostile one takes 100 MB while it is parsed.
parsing = threading.Lock()


class Packed(NamedTuple):
    """A file in a package, with what the package says of it."""

    size: int
    crc: str  # a checksum
    is_sound: bool  # whether the directory of the ZIP and the bytes around it agree
    repeated: int  # bytes of other files with its name
    list: PackageList | None
    listed: Listed | None

    def start_checksum(self) -> Checksum:
        """Return the checksum of the file: that of the list, or that of the ZIP."""
        return Checksum((self.listed and self.listed.checksum) or self.crc)


class Content:
    """The files in a package, by their paths in it."""

    def __init__(self, file: PackageFile, directory: Directory):
        self.file = file
        self.entries = directory.entries
        self._places = directory.places
        self._list = self._read_list()
        # The files in the list that are not in the package.
        self.missing = set(self._list.files if self._list else ()) - {*self.entries}

    def find(self, name: str, path: str) -> tuple[ZipEntry, Span]:
        """Return a file and its bytes. Raise OSError if it cannot be read."""
        if path in self.missing:
            raise FileNotFoundError(errno.ENOENT, f'missing, but in {LIST}', name)
        if path not in self.entries:
            raise FileNotFoundError(errno.ENOENT, 'not in the WACZ', name)
        entry = self.entries[path]
        if entry.problem:
            raise OSError(errno.EIO, entry.problem, name)
        span = zip_directory.find_span(entry, self._places, self.file.read)
        if not span:
            reason = 'not where the directory of its ZIP says'
            raise OSError(errno.EIO, reason, name)
        return entry, span

    def open_read(self, name: str, path: str, offset: int = 0) -> BinaryIO:
        """Open a file, from an offset to its end; `name` is for errors."""
        entry, (start, end, _) = self.find(name, path)
        if entry.is_stored:
            return self.file.read_part(name, start, end, offset)
        read_packed = functools.partial(self.file.read_part, name, start, end)
        marks = marks_of(self.file, path)
        return UpToError(Inflating(name, read_packed, marks, offset), BUFFER)

    def describe(self, name: str, path: str) -> Packed:
        """Return what the package says of a file. Raise OSError like `find`."""
        entry, span = self.find(name, path)
        return Packed(
            entry.size,
            f'{checksums.CRC}:{entry.crc:08x}',
            span.is_sound,
            entry.repeated,
            self._list,
            self._list.files.get(path) if self._list else None,
        )

    def _read_list(self) -> PackageList | None:
        self.missing = set()
        data, digest = self._read_small(LIST), self._read_small(DIGEST)
        with parsing:
            return package_list.parse_list(data, digest)

    def _read_small(self, path: str) -> bytes:
        """Read a small file; b'' if it is missing or damaged."""
        try:
            with self.open_read(path, path) as stream:
                return stream.read(MAX_LIST + 1)
        except OSError:
            return b''


@functools.lru_cache(CACHED)
def read_content(file: PackageFile) -> Content:
    """Read the content of a package. There is none in a ZIP that is damaged."""
    tail = zip_directory.Tail(file.read, file.entry.size)
    with parsing:
        directory = zip_directory.read_directory(tail)
    return Content(file, directory or Directory({}, []))


@functools.lru_cache(1)
def marks_of(file: PackageFile, path: str) -> Marks:
    """Return the marks of a deflated file, which are kept while it is read."""
    return Marks()
