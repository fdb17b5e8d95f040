"""Inflate gzip members: small sound ones in one call, others as a stream.

An archive is a sequence of members. Nearly all are small and sound: `inflate_member`
inflates them in one call of libdeflate. Any other member is read twice:
`recovery.MemberSearch` finds out how it ends, then `Inflated` streams it with zlib.
"""

import re
import zlib

import deflate

from mr_reuse import kernel
from mr_reuse.archives.containers.codec import NO_LIMIT, SMALL, Codec, End, Stream
from mr_reuse.archives.window import Window

MAGIC = b'\x1f\x8b\x08'
MEMBER = re.compile(rb'\x1f\x8b\x08[\x00-\x1f]')  # the upper three flags are reserved
# Compressed bytes in which the end of a member is searched, one after another.
LOOKAHEADS = (32 << 10, 512 << 10, 8 << 20)
MAX_TRIES = 8  # of possible ends: by chance, the magic occurs once in 16 MB
PIECE = 64 << 10  # compressed bytes that are inflated at a time

find = getattr(kernel.load(), 'find', bytes.find)


def inflate_member(window: Window) -> bytes | None:
    """Inflate the member at the window's offset, and move behind it.

    Return None without moving if the member is large or broken, or if neither another
    member nor the end of the file follows it.

    >>> member = bytes(deflate.gzip_compress(b'page'))
    >>> window = Window.of(member + member + b'junk')
    >>> bytes(inflate_member(window)), window.offset == len(member)
    (b'page', True)
    >>> inflate_member(window)
    """
    for size in LOOKAHEADS:
        if len(window.data) - window.at < size:  # the test saves most calls
            window.need(size)
        data, start = window.data, window.at
        tries, stop = 0, start + 1
        while tries < MAX_TRIES and stop < len(data):
            stop = find(data, MAGIC, stop + 1)
            if stop < 0:
                if not window.ended:
                    break
                stop = len(data)
            # A trailer of CRC and inflated length ends each member.
            length = int.from_bytes(data[stop - 4 : stop], 'little')
            if stop - start < 18 or length > SMALL:  # 18 bytes: header and trailer
                continue
            tries += 1
            if (inflated := _inflate(data, start, stop, length)) is not None:
                window.at = stop
                return inflated
        if window.ended or tries == MAX_TRIES:
            return None
    return None


def _inflate(data: bytes, start: int, stop: int, size: int) -> bytearray | None:
    """Inflate the member in a range of the data; None if it does not fill the range."""
    try:
        inflated = deflate.gzip_decompress(memoryview(data)[start:stop], size or 1)
    except deflate.DeflateError:
        return None
    # libdeflate ignores bytes behind a member. The range ends with the member if it
    # ends with the right trailer, and that trailer occurs nowhere before.
    trailer = deflate.crc32(inflated).to_bytes(4, 'little') + data[stop - 4 : stop]
    if len(inflated) == size and find(data, trailer, start, stop) == stop - 8:
        return inflated
    return None


class Inflated(Stream):
    """The inflated bytes of a member as a stream."""

    def __init__(
        self, window: Window, start: int, skip: int = 0, limit: int = NO_LIMIT
    ):
        window.seek(start)
        self._window, self._limit = window, limit
        self._zlib = zlib.decompressobj(wbits=31)
        super().__init__(start, skip)

    def _read(self, size: int) -> bytes:
        inflated = b''
        while not inflated and self.end is None:
            ahead = min(PIECE, self._limit - self._window.offset)
            piece = self._zlib.unconsumed_tail or self._window.take(ahead)
            before = self._zlib.copy()  # after an error the object is useless
            try:
                inflated = self._zlib.decompress(piece, size)
            except zlib.error as error:
                inflated = self._break_off(before, piece, error)
            else:
                if self._zlib.eof:
                    self._finish(End.SOUND, len(self._zlib.unused_data))
                elif not piece and not inflated:
                    self._finish(End.CUT, 0)
        return inflated

    def _break_off(self, before, piece: bytes, error: zlib.error) -> bytes:
        """Inflate a piece byte by byte, up to the byte that breaks it."""
        inflated = []
        for i in range(len(piece)):
            try:
                inflated.append(before.decompress(piece[i : i + 1]))
            except zlib.error:
                self._finish(_end_of(error), len(piece) - i)
                break
        return b''.join(inflated)

    def _finish(self, end: End, unused: int) -> None:
        """End the stream before the last `unused` bytes that were taken."""
        self.end = end
        self.stop = self._window.offset - unused


def _end_of(error: zlib.error) -> End:
    return End.CRC if 'check' in str(error) else End.BROKEN


GZIP = Codec(MAGIC, MAGIC[:1], MEMBER, inflate_member, Inflated)
