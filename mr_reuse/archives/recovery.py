"""Find where the reading of a damaged archive continues, and what kind it is."""

from mr_reuse.archives.containers.members import (
    MEMBER,
    End,
    end_of_member,
    inflate_member,
    member_start,
)
from mr_reuse.archives.headers import ARC, WARC, Syntax, syntax_at
from mr_reuse.archives.window import LOOKAHEAD, Window

CHAIN = 3  # sound members in a row are hardly found by chance


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


def seek_member(window: Window, spliced: bool = False) -> bool:
    """Move to the next member from which records can be read, or to the end.

    It begins with a record, or, if `spliced`, it is sound. The magic of a member also
    occurs by chance in compressed data.
    """
    while window.search(MEMBER):
        start = window.offset
        if spliced:
            is_found = _is_sound(window, start)
        else:
            ahead = member_start(window, start, LOOKAHEAD)
            is_found = syntax_at(ahead) or (ahead and _is_chain(window, start))
        window.seek(start)
        if is_found:
            return True
        window.seek(start + 1)
    return False


def _is_sound(window: Window, start: int) -> bool:
    """Test whether a member is sound; move behind it."""
    window.seek(start)
    return (
        inflate_member(window) is not None or end_of_member(window, start) is End.SOUND
    )


def _is_chain(window: Window, start: int) -> bool:
    """Test for a few sound members in a row, or up to the end of the file."""
    window.seek(start)
    return all(
        not window.need(1)
        or (MEMBER.match(window.peek(4)) and _is_sound(window, window.offset))
        for _ in range(CHAIN)
    )


def find_member_end(window: Window, start: int, spliced: bool = False) -> End:
    """Return the end of the member at an offset; move to where reading continues.

    A broken member may seem to extend over the members behind it, so its own end means
    nothing. The next member is therefore searched from its first byte on.

    >>> import gzip
    >>> member = gzip.compress(b'WARC/1.0\\r\\nA: b')
    >>> window = Window.of(member[:-9] + member)
    >>> find_member_end(window, 0), window.offset == len(member) - 9
    (<End.BROKEN: 'gzip member does not inflate'>, True)
    """
    end = end_of_member(window, start)
    if end is not End.SOUND:
        window.seek(start + 1)
        # A member that seems cut although a sound one follows is broken.
        if seek_member(window, spliced) and end is End.CUT:
            return End.BROKEN
    return end
