"""Find where the reading of a damaged archive continues, and what kind it is."""

from mr_reuse.archives.containers import frames, members
from mr_reuse.archives.containers.codec import Codec, End
from mr_reuse.archives.headers import ARC, WARC, Syntax, syntax_at
from mr_reuse.archives.window import BLOCK, LOOKAHEAD, Window

CHAIN = 3  # sound members in a row are hardly found by chance
MAX_AGAIN = 64 << 20  # bytes


def codec_of(window: Window) -> Codec | None:
    """Detect how an archive is compressed, possibly behind junk; None if it is not."""
    ahead = window.peek(4)
    if members.MEMBER.match(ahead):
        return members.GZIP
    if frames.START.match(ahead):
        return frames.make_codec(frames.read_dictionary(window.reopen(0)))
    if syntax_at(window.peek(LOOKAHEAD)):
        return None
    start = window.offset
    member = window.offset if MemberSearch(window, members.GZIP).seek() else None
    window.seek(start)
    if member is None:
        return None
    plain = window.offset if _seek_record(window) else None
    window.seek(start)
    return members.GZIP if plain is None or member < plain else None


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


class MemberSearch:
    """Finds members in a damaged archive.

    In a hostile file, each member may seem to extend over all members behind it. What
    was inflated once is inflated again only up to a bound. Behind that bound, the
    search leaves out what earlier members have extended over.
    """

    def __init__(self, window: Window, codec: Codec):
        self.window, self.codec = window, codec
        self._reached = 0  # the offset up to which members were inflated
        self._again = 0  # bytes that were inflated again

    def seek(self, spliced: bool = False) -> bool:
        """Move to the next member from which records can be read, or to the end.

        It begins with a record, or, if `spliced`, it is sound. The magic of a member
        also occurs by chance in compressed data.
        """
        window = self.window
        while window.search(self.codec.start):
            start = window.offset
            if self._is_tired(start):
                window.seek(self._reached)
                continue
            ahead = b'' if spliced else self.codec.peek(window, start, LOOKAHEAD)
            is_found = (
                self._are_sound(start, 1 if spliced else CHAIN)
                if (spliced or ahead) and not syntax_at(ahead)
                else bool(ahead)
            )
            window.seek(start)
            if is_found:
                return True
            window.seek(start + 1)
        return False

    def end_of(self, start: int) -> End:
        """Return how the member at an offset ends; move behind it if it is sound."""
        if self._is_tired(start):
            return End.BROKEN
        window, size = self.window, 0
        member = self.codec.stream(window, start)
        while block := member.read(BLOCK):
            size += len(block)
        self._note(start, member.stop, size)
        if member.end is End.SOUND:
            window.seek(member.stop)
        return member.end or End.CUT

    def end_before_next(self, start: int, spliced: bool = False) -> End:
        """Return the end of a member; move to where reading continues.

        A broken member may seem to extend over the members behind it, so its own end
        means nothing. The next member is therefore searched from its first byte on.

        >>> import gzip
        >>> member = gzip.compress(b'WARC/1.0\\r\\nA: b')
        >>> window = Window.of(member[:-9] + member)
        >>> search = MemberSearch(window, members.GZIP)
        >>> search.end_before_next(0), window.offset == len(member) - 9
        (<End.BROKEN: 'gzip member does not inflate'>, True)
        """
        end = self.end_of(start)
        if end is not End.SOUND:
            self.window.seek(start + 1)
            # A member that seems cut although a sound one follows is broken.
            if self.seek(spliced) and end is End.CUT:
                return End.BROKEN
        return end

    def _are_sound(self, start: int, count: int) -> bool:
        """Test for sound members in a row, or up to the end of the file."""
        window = self.window
        window.seek(start)
        for _ in range(count):
            at = window.offset
            if not window.need(1):
                break
            if not self.codec.start.match(window.peek(4)):
                return False
            if (data := self.codec.inflate(window)) is not None:
                self._note(at, window.offset, len(data))
            elif self.end_of(at) is not End.SOUND:
                return False
        return True

    def _note(self, start: int, stop: int, size: int) -> None:
        if start < self._reached:
            self._again += size
        self._reached = max(self._reached, stop)

    def _is_tired(self, start: int) -> bool:
        return start < self._reached and self._again > MAX_AGAIN + 16 * start
