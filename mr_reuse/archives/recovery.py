"""Read the records of an archive, damaged or not, with their offsets.

Offsets are text, as in rids (see `rids`). A record that does not begin its gzip member
has the offset of the member, a plus sign, and its own offset in the inflated member.
"""

from collections.abc import Generator, Iterator

from mr_reuse.archives import causes
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.framing import Record, Records, ordinary_parser
from mr_reuse.archives.headers import ARC, LINE_ENDS, WARC, Syntax
from mr_reuse.archives.members import MAGIC, MEMBER, End, Inflated, inflate_member
from mr_reuse.archives.window import BLOCK, LOOKAHEAD, Window

OffsetRecords = Iterator[tuple[str, Record]]


def read_records(window: Window, stats: ArchiveStats) -> OffsetRecords:
    """Yield all records from the window's offset on, with their offsets.

    >>> record = b'WARC/1.0\\r\\nContent-Length: 4\\r\\n\\r\\npage\\r\\n\\r\\n'
    >>> [(offset, bytes(r.block)) for offset, r in
    ...  read_records(Window.of(record + b'junk' + record), ArchiveStats('x'))]
    [('0', b'page'), ('43', b'page')]
    """
    start = window.offset
    if not window.need(1):
        if not window.failed:
            stats.lose(causes.EMPTY)
    elif is_gzipped(window):
        yield from _of_members(window, stats)
    elif syntax := syntax_of(window):
        for record in Records(window, stats, syntax, End.CUT):
            yield str(record.at), record
    else:
        stats.lose(causes.NO_ARCHIVE, 0, window.to_end() - start)


def is_gzipped(window: Window) -> bool:
    """Test whether gzip members are ahead, possibly behind junk."""
    if MEMBER.match(window.peek(4)):
        return True
    if syntax_at(window.peek(LOOKAHEAD)):
        return False
    start = window.offset
    member = window.offset if seek_member(window) else None
    window.seek(start)
    if member is None:
        return False
    plain = window.offset if _seek_record(window) else None
    window.seek(start)
    return plain is None or member < plain


def syntax_at(ahead: bytes) -> Syntax | None:
    """Return the format of the record that begins here; None if none begins."""
    ahead = ahead.lstrip(LINE_ENDS)
    if WARC.start.match(ahead):
        return WARC
    return ARC if ARC.start.match(ahead) else None


def syntax_of(window: Window) -> Syntax | None:
    """Detect the format of a stream, also if its beginning is damaged."""
    syntax = syntax_at(window.peek(LOOKAHEAD))
    if not syntax:
        start = window.offset
        syntax = _seek_record(window)
        window.seek(start)
    return syntax


def _seek_record(window: Window) -> Syntax | None:
    """Move to the first record ahead; return its format, or None without one."""
    start = window.offset
    for syntax in (WARC, ARC):
        window.seek(start)
        if window.search(syntax.search):
            return syntax
    return None


def seek_member(window: Window) -> bool:
    """Move to the next member that begins with a record, or to the end.

    The magic of a member also occurs by chance in compressed data.
    """
    while window.search(MEMBER):
        start = window.offset
        syntax = syntax_at(member_start(window, start, LOOKAHEAD))
        window.seek(start)
        if syntax:
            return True
        window.seek(start + 1)
    return False


def member_start(window: Window, start: int, size: int) -> bytes:
    """Inflate the first bytes of a member, up to `size`; fewer if it breaks before.

    Little more than `size` compressed bytes are read. A gzip header may precede them,
    with a file name in it.
    """
    limit = start + size + LOOKAHEAD
    return Window(lambda at: Inflated(window, start, at, limit)).peek(size)


def find_member_end(window: Window, start: int) -> End:
    """Return the end of the member at an offset; move to where reading continues.

    A broken member may seem to extend over the members behind it, so its own end means
    nothing. The next member is therefore searched from its first byte on.

    >>> import gzip
    >>> member = gzip.compress(b'WARC/1.0\\r\\nA: b')
    >>> window = Window.of(member[:-9] + member)
    >>> find_member_end(window, 0), window.offset == len(member) - 9
    (<End.BROKEN: 'gzip member does not inflate'>, True)
    """
    member = Inflated(window, start)
    while member.read(BLOCK):
        pass
    if member.end is End.SOUND:
        window.seek(member.stop)
        return End.SOUND
    window.seek(start + 1)
    # A member that seems cut although a sound one follows is broken.
    if seek_member(window) and member.end is End.CUT:
        return End.BROKEN
    return member.end


def _of_members(window: Window, stats: ArchiveStats) -> OffsetRecords:
    parse = ordinary_parser()
    good = 0
    # This loop runs for each page, so it avoids calls.
    while window.at < len(window.data) or window.need(1):
        start = window.base + window.at
        may_begin = window.data[window.at] == MAGIC[0]
        data = inflate_member(window) if may_begin else None
        record = parse(data) if data is not None else None
        if record:
            good += 1
            yield str(start), record
        elif data is not None or _member_begins(window):
            good += yield from _in_member(window, stats, start, data)
        else:
            seek_member(window)
            stats.lose(causes.BETWEEN, 0, window.offset - start)
    if not good:
        stats.lose(causes.NOTHING)


def _member_begins(window: Window) -> bool:
    ahead = window.peek(4)
    return MEMBER.match(ahead) is not None or (
        len(ahead) < 4 and MAGIC.startswith(ahead)  # cut by the end of the file
    )


def _in_member(
    window: Window, stats: ArchiveStats, start: int, data: bytearray | None
) -> Generator[tuple[str, Record], None, int]:
    """Yield the records of a member that is large, broken, or holds several records.

    Return the number of readable records.
    """
    end = End.SOUND if data is not None else find_member_end(window, start)
    stop = window.offset
    if data is not None:
        inner = Window.of(bytes(data))
    else:
        inner = Window(lambda at: Inflated(window, start, at, stop))
    records = Records(inner, stats, syntax_of(inner) or WARC, end)
    for record in records:
        yield f'{start}+{record.at}' if record.at else str(start), record
    if end is not End.SOUND:
        # A member that only fails its checksum was inflated completely.
        broke = stop if end is End.CRC else inner.stream.stop
        _count_loss(stats, records, stop - (broke if records.readable else start))
    window.seek(stop)
    return records.readable


def _count_loss(stats: ArchiveStats, records: Records, unread: int) -> None:
    """Count the loss by a damaged member; `records` may have counted the record."""
    if records.blamed:
        stats.lose(records.end.value, 0, 0 if records.end is End.CUT else unread)
    else:
        lost = records.end is End.BROKEN or not records.count
        stats.lose(records.end.value, int(lost), unread)
