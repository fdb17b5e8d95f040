"""Read the records of an archive, damaged or not, with their offsets.

Offsets are text, as in rids (see `rids`). A record that does not begin its gzip member
has the offset of the member, a plus sign, and its own offset in what the members from
there on inflate to.
"""

from collections.abc import Iterator

from mr_reuse.archives import causes
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.containers.codec import Codec, End
from mr_reuse.archives.containers.recovery import (
    MemberSearch,
    codec_of,
    syntax_of,
)
from mr_reuse.archives.containers.splicing import Splice
from mr_reuse.archives.framing import FAILING, Known, Record, Records
from mr_reuse.archives.headers import WARC, Syntax, syntax_at
from mr_reuse.archives.ordinary import Parser, ordinary_parser, ordinary_reader
from mr_reuse.archives.window import LOOKAHEAD, Window

# bzip2, xz, ZIP, 7z and lz4. A WACZ is a ZIP; it is read here if it has no directory.
ZIP = b'PK\x03\x04'
CONTAINERS = (b'BZh', b'\xfd7zXZ\x00', ZIP, b'7z\xbc\xaf', b'\x04"M\x18')
CONTAINER_BYTES = 8
OffsetRecords = Iterator[tuple[str, Record]]


def read_records(
    window: Window, stats: ArchiveStats, skip: int = 0, parse: Parser | None = None
) -> OffsetRecords:
    """Yield all records from the window's offset on, with their offsets.

    The first record begins `skip` bytes behind, in what the gzip members inflate to.
    `parse` replaces the parser of members that hold one sound record.

    >>> record = b'WARC/1.0\\r\\nContent-Length: 4\\r\\n\\r\\npage\\r\\n\\r\\n'
    >>> [(offset, bytes(r.block)) for offset, r in
    ...  read_records(Window.of(record + b'junk' + record), ArchiveStats('x'))]
    [('0', b'page'), ('43', b'page')]
    """
    start = window.offset
    is_zip = not start and window.peek(len(ZIP)) == ZIP
    if not window.need(1):
        if not window.failed:
            stats.lose(causes.EMPTY)
    elif codec := codec_of(window):
        if is_zip:
            stats.lose(causes.NO_DIRECTORY)
        stats.begin_members()
        yield from PackedRecords(window, codec, stats, parse).read(skip)
    elif syntax := syntax_of(window):
        if is_zip:
            stats.lose(causes.NO_DIRECTORY)
        for record in Records(window, stats, syntax, Known(End.CUT)).read():
            yield str(record.at), record
    else:
        is_container = window.peek(CONTAINER_BYTES).startswith(CONTAINERS)
        cause = causes.CONTAINER if is_container else causes.NO_ARCHIVE
        stats.lose(cause, 0, window.to_end() - start)


class PackedRecords:
    """The records of a compressed archive, from the window's offset on."""

    def __init__(
        self,
        window: Window,
        codec: Codec,
        stats: ArchiveStats,
        parse: Parser | None = None,
    ):
        self._window, self._codec, self._stats = window, codec, stats
        self._search = MemberSearch(window, codec)
        self._parse, self._read = parse or ordinary_parser(), ordinary_reader()
        self._readable = 0  # number of records
        self._syntax: Syntax | None = None  # of the latest record
        self._spliced = False  # whether members end inside records
        # Whether the next bytes belong to a record whose beginning is lost, and whether
        # the loss of this record is counted.
        self._is_behind_loss = self._is_counted = False

    def read(self, skip: int = 0) -> OffsetRecords:
        """Yield the records with their offsets; the first one `skip` bytes behind."""
        window, parse, inflate = self._window, self._parse, self._codec.inflate
        self._spliced = skip > 0
        first = self._codec.first
        # This loop runs for each page, so it avoids calls.
        while window.at < len(window.data) or window.need(1):
            start = window.base + window.at
            may_begin = window.data[window.at] in first
            data = inflate(window) if may_begin else None
            record = parse(data) if data is not None and not skip else None
            if record:
                self._readable += 1
                yield str(start), record
            elif data is not None or self._member_begins():
                yield from self._in_members(start, data, skip)
            else:
                self._search.seek(self._spliced)
                self._stats.lose(causes.BETWEEN, 0, window.offset - start)
            skip = 0
        if not self._readable:
            self._stats.lose(causes.NOTHING)

    def _in_members(self, start: int, data: bytes | None, skip: int) -> OffsetRecords:
        """Yield the records from a member on that is no single ordinary record."""
        window = self._window
        end = End.SOUND
        if data is None:
            end = self._search.end_before_next(start, self._spliced)
        if end is End.SOUND:
            if data is None:
                window.seek(start)
            yield from self._in_sound_members(start, data, skip)
        elif self._spliced and not skip:
            size = window.offset - start
            self._stats.lose(end.value, int(not self._is_counted), size)
            self._is_behind_loss = self._is_counted = True
        else:
            yield from self._in_damaged_member(start, end)

    def _in_sound_members(
        self, start: int, data: bytes | None, skip: int
    ) -> OffsetRecords:
        splice = Splice(self._search, start, data, self._spliced)
        inner = Window(splice.open)
        inner.seek(skip)
        if self._is_behind_loss:
            inner.search((self._syntax or WARC).search)
        found = syntax_at(inner.peek(LOOKAHEAD)) or self._syntax or syntax_of(inner)
        self._syntax = found or WARC
        records = Records(inner, self._stats, self._syntax, splice)
        for record in records.read(self._read if self._syntax is WARC else None):
            member, at = splice.offset_of(record.at)
            yield f'{member}+{at}' if at else str(member), record
        self._readable += records.readable
        self._spliced = splice.spliced
        self._is_behind_loss, self._is_counted = splice.end in FAILING, records.blamed
        self._window.seek(splice.stop)

    def _in_damaged_member(self, start: int, end: End) -> OffsetRecords:
        """Yield the readable records of a damaged member; the window is behind it."""
        stop = self._window.offset
        inner = Window(lambda at: self._codec.stream(self._window, start, at, stop))
        syntax = syntax_of(inner) or WARC
        records = Records(inner, self._stats, syntax, Known(end))
        for record in records.read():
            yield f'{start}+{record.at}' if record.at else str(start), record
        # A member that only fails its checksum was inflated completely.
        broke = stop if end is End.CRC else inner.stream.stop
        unread = stop - (broke if records.readable else start)
        if records.blamed:
            self._stats.lose(end.value, 0, 0 if end is End.CUT else unread)
        else:
            lost = end is End.BROKEN or not records.count
            self._stats.lose(end.value, int(lost), unread)
        self._readable += records.readable
        self._window.seek(stop)

    def _member_begins(self) -> bool:
        ahead = self._window.peek(4)
        return self._codec.start.match(ahead) is not None or (
            len(ahead) < 4 and self._codec.magic.startswith(ahead)  # cut by the end
        )
