"""The records of an archive, damaged or not, with the places where they start.

A place is the offset in the archive. A record that does not begin its gzip member
has the member's offset, a plus sign, and its offset in what the member inflates to.
"""

from collections.abc import Iterator

from mr_reuse.account import Account
from mr_reuse.framing import ARC, LINE, WARC, Record, Records, Syntax, ordinary
from mr_reuse.members import MEMBER, End, Inflated, whole
from mr_reuse.streams import Window

BETWEEN = 'bytes between gzip members'
NOTHING = 'no readable record in it'
NO_ARCHIVE = 'not an archive'
EMPTY = 'empty file'


def records(window: Window, account: Account) -> Iterator[tuple[str, Record]]:
    """All records from the window's place on, with their places.

    >>> record = b'WARC/1.0\\r\\nContent-Length: 4\\r\\n\\r\\npage\\r\\n\\r\\n'
    >>> [(place, bytes(r.block)) for place, r in
    ...  records(Window.of(record + b'junk' + record), Account('x'))]
    [('0', b'page'), ('43', b'page')]
    """
    if not window.need(1):
        account.lose(EMPTY)
    elif MEMBER.match(window.peek(4)):
        yield from _of_members(window, account)
    elif syntax := _syntax(window, account):
        for record in Records(window, account, syntax):
            yield str(record.at), record


def _syntax(window: Window, account: Account) -> Syntax | None:
    """The format of a plain file; None, and all of it lost, if it is no archive."""
    ahead = window.peek(LINE).lstrip(b'\r\n')
    if ARC.start.match(ahead):
        return ARC
    if WARC.start.match(ahead):
        return WARC
    start = window.offset
    for syntax in (WARC, ARC):  # it may be damaged at its beginning
        if window.search(syntax.resync):
            window.seek(start)
            return syntax
        window.seek(start)
    account.lose(NO_ARCHIVE, 0, window.to_end() - start)
    return None


def _of_members(window: Window, account: Account) -> Iterator[tuple[str, Record]]:
    found = False
    while window.need(1):
        start = window.offset
        if not MEMBER.match(window.peek(4)):
            _to_next_member(window, account, start, BETWEEN)
            continue
        data = whole(window)
        plain = ordinary(data) if data is not None else None
        if plain:
            head, at = plain
            found = True
            yield str(start), Record(0, head, memoryview(data)[at : at + head.length])
            continue
        for record in _with_care(window, account, start):
            found = True
            yield f'{start}+{record.at}' if record.at else str(start), record
    if not found:
        account.lose(NOTHING)


def _with_care(window: Window, account: Account, start: int) -> Iterator[Record]:
    """The records of a member that is large, broken, or holds more than one."""
    inner = Window(lambda at: Inflated(window, start, at))

    def end_of() -> End:
        member = inner.stream
        if member.end is End.SOUND:
            window.seek(member.stop)
            if not window.need(1):
                return End.CUT  # what is missing may have been in the next member
        return member.end

    syntax = ARC if ARC.start.match(inner.peek(LINE)) else WARC
    found = Records(inner, account, syntax, end_of)
    yield from found
    end, stop = inner.stream.end, inner.stream.stop
    if end is not End.SOUND and not found.blamed:
        account.lose(end.value, int(end is not End.CRC))
    if end is End.BROKEN:
        _to_next_member(window, account, start, end.value)
        return
    window.seek(stop)
    if end is End.CRC:
        account.lose(end.value, 0, stop - start)


def _to_next_member(window: Window, account: Account, start: int, cause: str) -> None:
    """Move to the next member that begins with a record; what lies before is lost."""
    window.seek(start + 1)
    while window.search(MEMBER):
        here = window.offset - 4
        head = Inflated(window, here).read(LINE)
        window.seek(here)
        if WARC.start.match(head) or ARC.start.match(head):
            break
        window.seek(here + 1)
    account.lose(cause, 0, window.offset - start)
