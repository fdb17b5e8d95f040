"""Compare an archive in a WACZ with what the WACZ says of it.

The checksum is compared if all of the archive is read, from its beginning to its end,
which jobs on pages do. It costs little then. It is the hash in the list of the WACZ, or
the CRC in the ZIP if the list has none.
"""

from typing import BinaryIO

from mr_reuse.archives import causes
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.storage import packed
from mr_reuse.storage.packed import Packed


def compare(path: str, stats: ArchiveStats) -> 'Comparison | None':
    """Count what a WACZ says of an archive; None outside of a WACZ."""
    file = packed.describe(path)
    if not file:
        return None
    if not file.is_sound:
        stats.lose(causes.MISPLACED)
    if file.repeated:
        stats.lose(causes.REPEATED, 0, file.repeated)
    if not file.list:
        stats.note(causes.NO_LIST_NOTE)
    elif not file.list.is_genuine:
        stats.note(causes.CHANGED_LIST_NOTE)
    if file.list and not file.listed:
        stats.note(causes.UNLISTED_NOTE)
    return Comparison(file, stats)


class Comparison:
    """The comparison of an archive with its size and its checksum."""

    def __init__(self, file: Packed, stats: ArchiveStats):
        self._file, self._stats = file, stats
        self._checksum = file.start_checksum()
        self._at = 0  # all bytes before are in the checksum

    def follow(self, stream: BinaryIO, offset: int) -> 'Followed':
        """Follow the reading of a stream, which begins at an offset."""
        return Followed(self, stream, offset)

    def add(self, offset: int, data: bytes) -> None:
        """Take bytes that were read, which may overlap with others."""
        if offset <= self._at < offset + len(data):
            self._checksum.update(memoryview(data)[self._at - offset :])
            self._at = offset + len(data)

    def finish(self, end: int) -> None:
        """Count differences, when all up to the end of the archive has been read."""
        size, listed = self._file.size, self._file.listed
        is_same = end == size and self._checksum.matches()
        is_other = self._at == end and not is_same
        if listed and (listed.size not in (None, size) or is_other):
            self._stats.lose(causes.NOT_AS_LISTED)
        elif is_other:
            self._stats.lose(causes.CHECKSUM)


class Followed:
    """A stream of which a comparison sees all bytes that are read."""

    def __init__(self, comparison: Comparison, stream: BinaryIO, offset: int):
        self._comparison, self._stream, self._at = comparison, stream, offset

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._comparison.add(self._at, data)
        self._at += len(data)
        return data

    def seek(self, offset: int) -> None:
        self._stream.seek(offset)
        self._at = offset

    def close(self) -> None:
        self._stream.close()
