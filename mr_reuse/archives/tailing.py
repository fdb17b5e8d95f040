"""Which records of a growing archive are complete, and reading just those.

A crawler appends to an archive; the last record or member may be half written. What
is complete ends at a place where the next one may begin.
"""

import hashlib
import os
from collections.abc import Iterator

from mr_reuse import storage
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.headers import HEAD_END, LINE_ENDS, WARC, warc_head
from mr_reuse.archives.items import Item
from mr_reuse.archives.members import MAGIC, MEMBER, End, Inflated
from mr_reuse.archives.reader import items_in
from mr_reuse.archives.recovery import seek_member
from mr_reuse.archives.window import BLOCK, LINE, Window

ENDINGS = ('.warc', '.warc.gz', '.warc.open', '.warc.gz.open')


def is_archive(name: str) -> bool:
    """Whether a file is one that a crawler writes, by its name.

    >>> is_archive('IAH-0001.warc.gz.open'), is_archive('crawl.log')
    (True, False)
    """
    return name.lower().endswith(ENDINGS)


def identity(name: str, first: int) -> str:
    """What stays the same when a file is renamed and grows; by its first bytes also.

    >>> identity('setup.cfg', 100) == identity('./setup.cfg', 100)
    True
    """
    with storage.open_read(name) as stream:
        found = os.fstat(stream.fileno())
        begins = hashlib.sha256(stream.read(first)).hexdigest()[:16]
    return f'{found.st_dev}:{found.st_ino}:{begins}'


def settled(name: str, start: int, final: bool = False) -> int:
    """Where the complete records end that begin at an offset or behind it.

    What is final is complete to its last byte, damaged or not.
    """
    size = storage.size(name)
    if final or size <= start:
        return max(start, size)
    window = Window(lambda at: storage.open_read(name, at), start)
    if storage.starts_with(name, MAGIC):
        return _of_members(window)
    return _of_records(window, size)


def _of_members(window: Window) -> int:
    while window.need(1):
        start = window.offset
        end = _end_of_member(window) if MEMBER.match(window.peek(4)) else End.BROKEN
        if end is End.SOUND:
            continue
        if end is End.CUT:  # half written
            return start
        window.seek(start + 1)
        if not seek_member(window):  # one follows some day
            return start
    return window.offset


def _end_of_member(window: Window) -> End:
    """How the member at the window's place ends; moves behind it if it is sound."""
    member = Inflated(window, window.offset)
    while member.read(BLOCK):
        pass
    if member.end is End.SOUND:
        window.seek(member.stop)
    return member.end


def _of_records(window: Window, size: int) -> int:
    end = window.offset
    while window.need(1):
        window.skip(LINE_ENDS)
        start, ahead = window.offset, window.peek(LINE)
        head_end = HEAD_END.search(ahead)
        head = (
            WARC.start.match(ahead)
            and head_end
            and warc_head(ahead[: head_end.start()])
        )
        if not head:
            window.seek(start + 1)
            if not window.search(WARC.search):
                return end
            end = window.offset
            continue
        behind = start + head_end.end() + head.length + 4  # two line ends
        if behind > size:
            return end
        window.seek(behind)
        end = behind
    return end


class _Limited:
    """A file up to an offset."""

    def __init__(self, name: str, start: int, end: int):
        self._stream, self._left = storage.open_read(name, start), max(0, end - start)

    def read(self, size: int) -> bytes:
        found = self._stream.read(min(size, self._left))
        self._left -= len(found)
        return found

    def close(self) -> None:
        self._stream.close()


def items(name: str, start: int, end: int, stats: ArchiveStats) -> Iterator[Item]:
    """Return the items of a part of an archive."""
    window = Window(lambda at: _Limited(name, at, end), start)
    return items_in(window, name, stats)
