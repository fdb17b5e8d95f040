"""Gzip members: whole ones quickly, large and broken ones with care.

An archive is a row of members. `whole` inflates the member at a window's place
in one call of libdeflate when it is small and sound, which nearly all are. Any other
is read twice: `survey` tells how it ends, then `Inflated` streams it with zlib.
"""

import re
import zlib
from enum import Enum

import deflate

from mr_reuse import kernel
from mr_reuse.archives import causes
from mr_reuse.archives.window import BLOCK, Window

MAGIC = b'\x1f\x8b\x08'
MEMBER = re.compile(rb'\x1f\x8b\x08[\x00-\x1f]')  # the upper three flags are none
SMALL = 16 << 20  # a member that inflates to more is streamed
REACHES = (32 << 10, 512 << 10, 8 << 20)  # compressed bytes to look for the end in
TRIES = 8  # ends to try: the magic turns up by chance once in 16 MB
PIECE = 64 << 10
NEVER = 1 << 63

find = getattr(kernel.load(), 'find', bytes.find)


class End(Enum):
    """How a member's bytes ended."""

    SOUND = 'sound'
    CRC = causes.CRC
    BROKEN = causes.BROKEN
    CUT = causes.CUT


def whole(window: Window) -> bytes | None:
    """Inflate the member at the window's place, and move behind it.

    None, and no move, if it is large, broken, or does not end where the next one
    begins or the file ends.

    >>> member = bytes(deflate.gzip_compress(b'page'))
    >>> window = Window.of(member + member + b'junk')
    >>> bytes(whole(window)), window.offset == len(member), whole(window)
    (b'page', True, None)
    """
    for reach in REACHES:
        if len(window.data) - window.at < reach:  # else a call for nothing
            window.need(reach)
        data, start = window.data, window.at
        tries, stop = 0, start + 1
        while tries < TRIES and stop < len(data):
            stop = find(data, MAGIC, stop + 1)
            if stop < 0:
                if not window.ended:
                    break
                stop = len(data)
            size = int.from_bytes(data[stop - 4 : stop], 'little')
            if stop - start < 18 or size > SMALL:
                continue
            tries += 1
            if (found := _inflate(data, start, stop, size)) is not None:
                window.at = stop
                return found
        if window.ended or tries == TRIES:
            return None
    return None


def _inflate(data: bytes, start: int, stop: int, size: int) -> bytearray | None:
    try:
        found = deflate.gzip_decompress(memoryview(data)[start:stop], size or 1)
    except deflate.DeflateError:
        return None
    # libdeflate ignores what follows a member. The end is right if the checksum that
    # stands before it is the one of these bytes, and stands nowhere before that.
    trailer = deflate.crc32(found).to_bytes(4, 'little') + data[stop - 4 : stop]
    if len(found) == size and find(data, trailer, start, stop) == stop - 8:
        return found
    return None


class Inflated:
    """The bytes of one member as a stream, from byte `skip` of them on.

    Nothing at or behind `limit` belongs to it, whatever its own bytes say. `end` is
    None while there is more; `stop` is where in the archive it ended.
    """

    def __init__(self, window: Window, start: int, skip: int = 0, limit: int = NEVER):
        window.seek(start)
        self._window = window
        self._limit = limit
        self._zlib = zlib.decompressobj(wbits=31)
        self.end: End | None = None
        self.stop = start
        self._left = b''
        while skip and (block := self.read(min(skip, BLOCK))):
            self._left = block[skip:]
            skip -= min(skip, len(block))

    def read(self, size: int) -> bytes:
        """About `size` bytes, none only at the end."""
        found, self._left = self._left, b''
        while not found and self.end is None:
            most = min(PIECE, self._limit - self._window.offset)
            piece = self._zlib.unconsumed_tail or self._window.take(most)
            before = self._zlib.copy()
            try:
                found = self._zlib.decompress(piece, size)
            except zlib.error as error:
                found = self._break_off(before, piece, error)
            else:
                if self._zlib.eof:
                    self._finish(End.SOUND, len(self._zlib.unused_data))
                elif not piece and not found:
                    self._finish(End.CUT, 0)
        return found

    def _break_off(self, before, piece: bytes, error: zlib.error) -> bytes:
        """Give what a piece still holds before it breaks."""
        found = []
        for i in range(len(piece)):
            try:
                found.append(before.decompress(piece[i : i + 1]))
            except zlib.error:
                self._finish(_why(error), len(piece) - i)
                break
        return b''.join(found)

    def _finish(self, end: End, left: int) -> None:
        self.end = end
        self.stop = self._window.offset - left


def _why(error: zlib.error) -> End:
    return End.CRC if 'check' in str(error) else End.BROKEN
