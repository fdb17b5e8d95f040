"""The records of an archive, damaged or not, with the places where they start.

A place is the offset in the archive. A record that does not begin its gzip member
has the member's offset, a plus sign, and its offset in what the member inflates to.
"""

from collections.abc import Generator, Iterator

from mr_reuse.archives import causes
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.framing import Record, Records, ordinary
from mr_reuse.archives.headers import ARC, LINE_ENDS, WARC, Syntax
from mr_reuse.archives.members import MAGIC, MEMBER, End, Inflated, whole
from mr_reuse.archives.window import BLOCK, LINE, Window

Placed = Iterator[tuple[str, Record]]


def records(window: Window, stats: ArchiveStats) -> Placed:
    """All records from the window's place on, with their places.

    >>> record = b'WARC/1.0\\r\\nContent-Length: 4\\r\\n\\r\\npage\\r\\n\\r\\n'
    >>> [(place, bytes(r.block)) for place, r in
    ...  records(Window.of(record + b'junk' + record), ArchiveStats('x'))]
    [('0', b'page'), ('43', b'page')]
    """
    start = window.offset
    if not window.need(1):
        stats.lose(causes.EMPTY)
    elif is_packed(window):
        yield from _of_members(window, stats)
    elif syntax := syntax_of(window):
        for record in Records(window, stats, syntax, End.CUT):
            yield str(record.at), record
    else:
        stats.lose(causes.NO_ARCHIVE, 0, window.to_end() - start)


def is_packed(window: Window) -> bool:
    """Whether gzip members lie ahead, be it behind junk."""
    if MEMBER.match(window.peek(4)):
        return True
    if syntax_at(window.peek(LINE)):
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
    """The format of the record that begins here, if one does."""
    ahead = ahead.lstrip(LINE_ENDS)
    if WARC.start.match(ahead):
        return WARC
    return ARC if ARC.start.match(ahead) else None


def syntax_of(window: Window) -> Syntax | None:
    """The format of a stream that may be damaged at its beginning."""
    found = syntax_at(window.peek(LINE))
    if not found:
        start = window.offset
        found = _seek_record(window)
        window.seek(start)
    return found


def _seek_record(window: Window) -> Syntax | None:
    """Move to the first record ahead, and tell its format."""
    start = window.offset
    for syntax in (WARC, ARC):
        window.seek(start)
        if window.search(syntax.search):
            return syntax
    return None


def seek_member(window: Window) -> bool:
    """Move to the next member that begins with a record, or to the end."""
    while window.search(MEMBER):
        here = window.offset
        found = syntax_at(beginning(window, here, LINE))
        window.seek(here)
        if found:
            return True
        window.seek(here + 1)
    return False


def beginning(window: Window, start: int, size: int) -> bytes:
    """The first bytes of a member, as many as can be had.

    No more is read than so many bytes can take, for a name may stand before them.
    """
    limit = start + size + LINE
    return Window(lambda at: Inflated(window, start, at, limit)).peek(size)


def survey(window: Window, start: int) -> End:
    """How the member at a place ends; moves to where reading goes on behind it.

    A broken one may run on into its neighbours. Where it ends by its own bytes means
    nothing then, and the next one is looked for from its beginning.

    >>> import gzip
    >>> member = gzip.compress(b'WARC/1.0\\r\\nA: b')
    >>> window = Window.of(member[:-9] + member)
    >>> survey(window, 0), window.offset == len(member) - 9
    (<End.BROKEN: 'gzip member does not inflate'>, True)
    """
    member = Inflated(window, start)
    while member.read(BLOCK):
        pass
    if member.end is End.SOUND:
        window.seek(member.stop)
        return End.SOUND
    window.seek(start + 1)
    # What runs to the end of the file, over sound members, was not cut by that end.
    if seek_member(window) and member.end is End.CUT:
        return End.BROKEN
    return member.end


def _of_members(window: Window, stats: ArchiveStats) -> Placed:
    read = ordinary()
    good = 0
    # Calls are spared here: this is done for every page.
    while window.at < len(window.data) or window.need(1):
        start = window.base + window.at
        looks = window.data[window.at] == MAGIC[0]
        data = whole(window) if looks else None
        plain = read(data) if data is not None else None
        if plain:
            good += 1
            yield str(start), plain
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
        len(ahead) < 4 and MAGIC.startswith(ahead)  # all that a cut has left of one
    )


def _in_member(
    window: Window, stats: ArchiveStats, start: int, data: bytearray | None
) -> Generator[tuple[str, Record], None, int]:
    """The records of a member that is large, broken, or holds more than one.

    Returns how many of them stand.
    """
    end = End.SOUND if data is not None else survey(window, start)
    stop = window.offset
    if data is not None:
        inner = Window.of(bytes(data))
    else:
        inner = Window(lambda at: Inflated(window, start, at, stop))
    found = Records(inner, stats, syntax_of(inner) or WARC, end)
    for record in found:
        yield f'{start}+{record.at}' if record.at else str(start), record
    if end is not End.SOUND:
        broke = stop if end is End.CRC else inner.stream.stop
        _blame(stats, found, stop - (broke if found.good else start))
    window.seek(stop)
    return found.good


def _blame(stats: ArchiveStats, found: Records, unread: int) -> None:
    """Write down what a member that does not end well has cost."""
    if found.blamed:
        stats.lose(found.end.value, 0, 0 if found.end is End.CUT else unread)
    else:
        lost = found.end is End.BROKEN or not found.count
        stats.lose(found.end.value, int(lost), unread)
