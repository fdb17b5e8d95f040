"""Consecutive gzip members as one stream, in which records may begin and end anywhere.

A crawler writes a member for each record. Whoever compresses an archive again, as with
bgzip, writes members that end anywhere, so that a record may extend over many of them.
"""

import bisect
import io
from array import array

from mr_reuse.archives.containers.codec import End, Stream
from mr_reuse.archives.containers.recovery import MemberSearch
from mr_reuse.archives.headers import begins_with_record
from mr_reuse.archives.window import BLOCK, LOOKAHEAD, Readable

FEW = 256  # inflated bytes that nearly always suffice to recognise a record
ENOUGH = 32 << 10  # bytes; smaller members are joined
# Members whose offsets are kept, at least. A window reads less than that many ahead,
# even if each member is a single byte.
MANY = 2 << 20


class Splice:
    """The inflated bytes of the member at `start`, and of those that continue it.

    A member continues the one before if it follows at once, is sound, and does not
    begin with a record. Behind the first such member, `spliced` is true, and any sound
    member does: the text of a page may be the header of a record.

    No byte of a damaged member is in the stream, but what is left of one that the end
    of the file has cut. `end` says how the stream ended, once that is known, and `stop`
    is the offset at which it ended.

    >>> import gzip
    >>> from mr_reuse.archives.containers.members import GZIP
    >>> from mr_reuse.archives.window import Window
    >>> archive = Window.of(b''.join(map(gzip.compress, [b'WARC/1.0', b'\\nA: b'])))
    >>> first = GZIP.inflate(archive)
    >>> splice = Splice(MemberSearch(archive, GZIP), 0, first)
    >>> splice.read(99), splice.offset_of(3), splice.offset_of(9) == (28, 1)
    (b'WARC/1.0\\nA: b', (0, 3), True)
    """

    verified = True

    def __init__(
        self,
        search: MemberSearch,
        start: int,
        first: bytes | None,
        spliced: bool = False,
    ):
        """Open the stream; `first` is the first member, None if it is large."""
        archive = search.window
        self._search, self._archive, self.spliced = search, archive, spliced
        self.end, self.stop = End.SOUND, start
        # The positions in the stream and the offsets at which members begin.
        self._positions, self._offsets = array('q', [0]), array('q', [start])
        self._record = 0  # the index of the member in which the latest record begins
        self._rest = b''
        self._at, self._ended = 0, False
        self._member: Readable = (
            search.codec.stream(archive, start) if first is None else io.BytesIO(first)
        )

    def open(self, position: int) -> 'Splice':
        """Continue at a position, at or behind the beginning of the latest record."""
        number = self._number(position)
        if position < self._at:
            del self._positions[number + 1 :], self._offsets[number + 1 :]
            self._at, self._ended, self.end = self._positions[-1], False, End.SOUND
            self._rest, self._member = b'', io.BytesIO()
            self._archive.seek(self._offsets[-1])
            self._open_member(self._offsets[-1])
        while self._at < position and (piece := self._piece()):
            self._rest = piece[len(piece) - max(0, self._at - position) :]
        self._at -= len(self._rest)
        return self

    def read(self, size: int) -> bytes:
        """Read about `size` bytes; b'' only at the end."""
        parts, have, size = [], 0, min(size, ENOUGH)
        while have < size and (piece := self._rest or self._piece()):
            if self._rest:
                self._at += len(piece)
                self._rest = b''
            parts.append(piece)
            have += len(piece)
        return b''.join(parts)

    def offset_of(self, position: int) -> tuple[int, int]:
        """Return the offset of the member with a byte, and the offset in the member.

        A record begins there: what is before it is not asked for again.
        """
        number = self._record = self._number(position)
        place = self._offsets[number], position - self._positions[number]
        if number > len(self._positions) // 2:
            del self._positions[:number], self._offsets[:number]
            self._record = 0
        return place

    def _number(self, position: int) -> int:
        return bisect.bisect_right(self._positions, position) - 1

    def _piece(self) -> bytes:
        """Return the next bytes; b'' at the end."""
        while not self._ended:
            if piece := self._member.read(BLOCK):
                self._at += len(piece)
                return piece
            self._close_member()
            start = self._archive.offset
            if not self._ended and self._open_member(start):
                self._note(start)
        return b''

    def _close_member(self) -> None:
        if isinstance(self._member, Stream):
            self._archive.seek(self._member.stop)
            if self._member.end is not End.SOUND:
                self._finish(self._member.end)

    def _finish(self, end: End) -> bool:
        self.end, self.stop, self._ended = end, self._archive.offset, True
        return False

    def _open_member(self, start: int) -> bool:
        """Open the member at an offset; False if it does not belong to the stream."""
        archive = self._archive
        if not archive.need(1):
            return self._finish(End.CUT if self.spliced else End.SOUND)
        if not self._search.codec.start.match(archive.peek(4)):
            return self._finish(End.BROKEN if self.spliced else End.SOUND)
        ahead = b'' if self.spliced else self._beginning(start)
        if begins_with_record(ahead) and start != self._offsets[0]:
            return self._finish(End.SOUND)
        data = self._search.codec.inflate(archive)
        if data is None:
            end = self._search.end_of(start)
            archive.seek(start)
            if end is not End.SOUND and not (
                end is End.CUT and (ahead or self.spliced)
            ):
                return self._finish(end if self.spliced else End.SOUND)
        stream = self._search.codec.stream
        self._member = stream(archive, start) if data is None else io.BytesIO(data)
        if start != self._offsets[0] and (data is None or data):
            self.spliced = True
        return True

    def _beginning(self, start: int) -> bytes:
        """Inflate the first bytes of a member; the archive stays at its offset."""
        archive, codec = self._archive, self._search.codec
        ahead = codec.peek(archive, start, FEW)
        if len(ahead) == FEW and not begins_with_record(ahead):  # or with a long URL
            ahead = codec.peek(archive, start, LOOKAHEAD)
        archive.seek(start)
        return ahead

    def _note(self, start: int) -> None:
        """Note where a member begins."""
        self._positions.append(self._at)
        self._offsets.append(start)
        if len(self._positions) > 2 * MANY:  # those inside a large record, half of them
            del self._positions[self._record + 1 : -MANY : 2]
            del self._offsets[self._record + 1 : -MANY : 2]
