"""Read the complete records of a growing archive.

A crawler appends to its archives, so the last record or member may be incomplete.
`complete_end` finds the offset behind the complete ones.
"""

import hashlib
import os
from collections.abc import Iterator

from mr_reuse import storage
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.containers.members import (
    GZIP,
    MAGIC,
    MEMBER,
    End,
)
from mr_reuse.archives.containers.recovery import MemberSearch
from mr_reuse.archives.headers import (
    HEAD_END,
    LINE_ENDS,
    WARC,
    parse_warc_head,
    syntax_at,
)
from mr_reuse.archives.items import Item
from mr_reuse.archives.reader import items_in_window
from mr_reuse.archives.window import LOOKAHEAD, Window

SUFFIXES = ('.warc', '.warc.gz', '.warc.open', '.warc.gz.open')


def is_archive(name: str) -> bool:
    """Test whether a file has the name of an archive that a crawler writes.

    >>> is_archive('IAH-0001.warc.gz.open'), is_archive('crawl.log')
    (True, False)
    """
    return name.lower().endswith(SUFFIXES)


def file_identity(name: str, first: int) -> str:
    """Identify a file by device, inode, and the digest of its first bytes.

    The identity survives renaming and appending. A new file with a reused inode differs
    in its first bytes.

    >>> file_identity('setup.cfg', 100) == file_identity('./setup.cfg', 100)
    True
    """
    with storage.open_read(name) as stream:
        stat = os.fstat(stream.fileno())
        digest = hashlib.sha256(stream.read(first)).hexdigest()[:16]
    return f'{stat.st_dev}:{stat.st_ino}:{digest}'


def complete_end(name: str, start: int, final: bool = False) -> int:
    """Return the end of the complete records from an offset on.

    A final archive counts as complete up to its last byte, damaged or not.
    """
    size = storage.size(name)
    if final or size <= start:
        return max(start, size)
    window = Window(lambda at: storage.open_read(name, at), start)
    if storage.starts_with(name, MAGIC):
        return _of_members(window)
    return _of_records(window, size)


def _of_members(window: Window) -> int:
    first, search = window.offset, MemberSearch(window, GZIP)
    while window.need(1):
        start = window.offset
        end = End.BROKEN
        if MEMBER.match(window.peek(4)):
            ahead = GZIP.peek(window, start, LOOKAHEAD)
            end = search.end_of(start)
            has_text = ahead.strip(LINE_ENDS) and not syntax_at(ahead)
            if has_text and end is End.SOUND:
                return first  # a record may extend over members: wait for all of them
        if end is End.SOUND:
            continue
        if end is End.CUT:  # still being written
            return start
        window.seek(start + 1)
        if not search.seek():  # wait for the next sound member
            return start
    return window.offset


def _of_records(window: Window, size: int) -> int:
    end = window.offset
    while window.need(1):
        window.skip(LINE_ENDS)
        start, ahead = window.offset, window.peek(LOOKAHEAD)
        head_end = HEAD_END.search(ahead)
        head = (
            WARC.start.match(ahead)
            and head_end
            and parse_warc_head(ahead[: head_end.start()])
        )
        if not head:
            window.seek(start + 1)
            if not window.search(WARC.search):
                return end
            end = window.offset
            continue
        stop = start + head_end.end() + head.length + 4  # two line ends of two bytes
        if stop > size:
            return end
        window.seek(stop)
        end = stop
    return end


class _Limited:
    """The part of a file between two offsets."""

    def __init__(self, name: str, start: int, end: int):
        self._stream, self._remaining = (
            storage.open_read(name, start),
            max(0, end - start),
        )

    def read(self, size: int) -> bytes:
        data = self._stream.read(min(size, self._remaining))
        self._remaining -= len(data)
        return data

    def close(self) -> None:
        self._stream.close()


def items_between(
    name: str, start: int, end: int, stats: ArchiveStats
) -> Iterator[Item]:
    """Yield the items of the records between two offsets of an archive."""
    window = Window(lambda at: _Limited(name, at, end), start)
    return items_in_window(window, name, stats)
