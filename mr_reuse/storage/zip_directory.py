"""The directory of a ZIP file: names and places of the entries in it.

ZIP files come from strangers. Memory is bounded, and no two entries share their bytes:
otherwise a small file could hold any number of large ones.
"""

import io
import itertools
import struct
import zipfile
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

MAX_DIRECTORY = 8 << 20  # bytes; at most 180,000 entries, which take 100 MB
TAIL = 256 << 10  # bytes that are read at once; most directories fit into them
HEADER = struct.Struct('<4s22xHH')  # local: its magic, the lengths of name and extras
MAGIC = b'PK\x03\x04'
# What `zipfile` raises, besides its own error, for a directory that it cannot read.
INVALID = (NotImplementedError, ValueError, struct.error)
MAX_RATIO = 1032  # bytes to which deflate inflates a byte at most
MAX_CHECKS = 16  # of entries that seem to begin inside of another one
METHODS = {9: 'Deflate64', 12: 'bzip2', 14: 'LZMA', 93: 'Zstandard', 95: 'xz'}

Read = Callable[[int, int], bytes]  # the bytes at an offset, up to a number


class ZipEntry(NamedTuple):
    """An entry as the directory describes it."""

    name: str
    raw_name: bytes
    header: int  # offset of its local header
    packed: int  # bytes in the file
    size: int  # bytes when inflated
    is_stored: bool  # rather than deflated
    crc: int
    problem: str  # the reason why it cannot be read, or ''
    repeated: int  # bytes of other entries with its name


class Span(NamedTuple):
    """The bytes of an entry in the file.

    `is_sound` is false if something around them contradicts the directory.
    """

    start: int
    end: int
    is_sound: bool


class Directory(NamedTuple):
    """The entries of a ZIP file by name, and the offsets at which they begin."""

    entries: dict[str, ZipEntry]
    places: list[int]  # sorted; the last one is the end of the file


def read_directory(tail: 'Tail') -> Directory | None:
    """Read the directory of a file; None if it has no valid one."""
    try:
        with zipfile.ZipFile(tail) as file:
            infos = [info for info in file.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, BeforeStart, *INVALID):
        return None
    entries: dict[str, ZipEntry] = {}
    places: set[int] = set()
    for info in infos:
        before = entries.get(info.filename)
        entries[info.filename] = ZipEntry(
            info.filename,
            info.orig_filename.encode('utf-8' if info.flag_bits & 0x800 else 'cp437'),
            info.header_offset,
            info.compress_size,
            _inflated_size(info),
            info.compress_type == zipfile.ZIP_STORED,
            info.CRC,
            _find_problem(info, info.header_offset in places, tail.size),
            before.repeated + before.packed if before else 0,
        )
        places.add(info.header_offset)
    return Directory(entries, sorted(places | {tail.size}))


def _find_problem(info: zipfile.ZipInfo, is_taken: bool, size: int) -> str:
    """Return the reason why an entry cannot be read, or ''."""
    if info.flag_bits & 1:
        return 'encrypted in its ZIP'
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        method = METHODS.get(info.compress_type, f'method {info.compress_type}')
        return f'compressed with {method} in its ZIP'
    if is_taken:
        return 'shares its bytes with another entry of its ZIP'
    if not 0 <= info.header_offset < size:
        return 'lies outside of its ZIP'
    return ''


def _inflated_size(info: zipfile.ZipInfo) -> int:
    if info.compress_type == zipfile.ZIP_STORED:
        return info.compress_size
    return min(info.file_size, (info.compress_size + 1) * MAX_RATIO)


def find_span(entry: ZipEntry, places: list[int], read: Read) -> Span | None:
    """Find the bytes of an entry; None if it is not where the directory says.

    They end where another entry begins, whatever their number in the directory.
    """
    lengths = _read_header(entry, read)
    if not lengths:
        return None
    is_sound, length = lengths
    start = min(entry.header + length, places[-1])
    stop = start + entry.packed
    inside = itertools.islice(places, bisect_right(places, entry.header), None)
    for number, place in enumerate(inside):
        if place >= stop:
            break
        if place == places[-1] or number == MAX_CHECKS or read(place, 4) == MAGIC:
            return Span(start, max(start, place), False)
    return Span(start, stop, is_sound)


def _read_header(entry: ZipEntry, read: Read) -> tuple[bool, int] | None:
    """Return whether the local header of an entry is sound, and its length.

    The header repeats the name. If one of magic and name is damaged, the other one is
    enough. If both are, the result is None.
    """
    head = read(entry.header, HEADER.size + len(entry.raw_name))
    if len(head) < HEADER.size:
        return None
    magic, name_size, extra_size = HEADER.unpack_from(head)
    has_magic, has_name = magic == MAGIC, head[HEADER.size :] == entry.raw_name
    if not has_name and (not has_magic or name_size != len(entry.raw_name)):
        return None
    is_sound = has_magic and has_name and name_size == len(entry.raw_name)
    return is_sound, HEADER.size + len(entry.raw_name) + extra_size


class BeforeStart(OSError):
    """A seek to an offset below 0. `zipfile` expects an OSError."""


class Tail(io.RawIOBase):
    """The end of a file, in which `zipfile` looks for the directory.

    `zipfile` reads the directory in a single call, which is refused if it is too large.
    """

    def __init__(self, read: Read, size: int):
        super().__init__()
        self.size = size
        self._read, self._at = read, 0
        self._tail_start = max(0, size - TAIL)
        self._tail = read(self._tail_start, TAIL)

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + (0, self._at, self.size)[whence]
        if self._at < 0:
            raise BeforeStart
        return self._at

    def read(self, size: int = -1) -> bytes:
        left = max(0, self.size - self._at)
        size = left if size < 0 else min(size, left)
        if size > MAX_DIRECTORY:
            raise zipfile.BadZipFile('a directory of this size is not read')
        start = self._at
        self._at += size
        if start < self._tail_start:
            return self._read(start, size)
        return self._tail[start - self._tail_start :][:size]
