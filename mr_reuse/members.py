"""Gzip members: whole ones quickly, large and broken ones with care.

An archive is a row of members. `whole` inflates the member at a window's place
in one call of libdeflate when it is small and sound, which nearly all are.
`Inflated` streams any other with zlib and tells how it ended.
"""

import re
import zlib
from enum import Enum

import deflate

from mr_reuse.streams import Window

MAGIC = b'\x1f\x8b\x08'
MEMBER = re.compile(rb'\x1f\x8b\x08[\x00-\x1f]')  # the upper three flags are none
SMALL = 16 << 20  # a member that inflates to more is streamed
REACHES = (32 << 10, 512 << 10, 8 << 20)  # compressed bytes to look for the end in
TRIES = 8  # ends to try: the magic turns up by chance once in 16 MB
PIECE = 64 << 10


class End(Enum):
    """How a member's bytes ended."""

    SOUND = 'sound'
    CRC = 'gzip member fails its checksum'
    BROKEN = 'gzip member does not inflate'
    CUT = 'cut by the end of the file'


def whole(window: Window) -> bytes | None:
    """Inflate the member at the window's place, and move behind it.

    None, and no move, if it is large, broken, or does not end where the next one
    begins.

    >>> member = deflate.gzip_compress(b'page')
    >>> window = Window.of(member + member + b'junk')
    >>> bytes(whole(window)), window.offset == len(member), whole(window)
    (b'page', True, None)
    """
    for reach in REACHES:
        window.need(reach)
        data, start = window.data, window.at
        view, tries, stop = memoryview(data), 0, start + 1
        while tries < TRIES and stop < len(data):
            stop = data.find(MAGIC, stop + 1)
            if stop < 0:
                if not window.ended:
                    break
                stop = len(data)
            size = int.from_bytes(view[stop - 4 : stop], 'little')
            if stop - start < 18 or size > SMALL:
                continue
            tries += 1
            if (found := _inflate(view[start:stop], size)) is not None:
                window.at = stop
                return found
        if window.ended or tries == TRIES:
            return None
    return None


def _inflate(member: memoryview, size: int) -> bytes | None:
    try:
        found = deflate.gzip_decompress(member, size or 1)
    except deflate.DeflateError:
        return None
    # libdeflate ignores what follows a member; the end is right only if the
    # checksum that stands before it is the one of these bytes.
    trailer = deflate.crc32(found).to_bytes(4, 'little')
    if len(found) == size and member[-8:-4] == trailer:
        return found
    return None


class Inflated:
    """The bytes of one member as a stream, from byte `skip` of them on.

    `end` is None while there is more; `stop` is where in the archive it ended.
    """

    def __init__(self, window: Window, start: int, skip: int = 0):
        window.seek(start)
        self._window = window
        self._zlib = zlib.decompressobj(wbits=31)
        self.end: End | None = None
        self.stop = start
        while skip and (block := self.read(min(skip, 1 << 20))):
            skip -= len(block)

    def read(self, size: int) -> bytes:
        """At most `size` bytes, none only at the end."""
        found = b''
        while not found and self.end is None:
            piece = self._zlib.unconsumed_tail or self._window.take(PIECE)
            if not piece:
                self._finish(End.CUT, 0)
                break
            before = self._zlib.copy()
            try:
                found = self._zlib.decompress(piece, size)
            except zlib.error as error:
                found, left = _up_to_break(before, piece, size)
                end = End.CRC if 'check' in str(error) else End.BROKEN
                self._finish(end, left)
            else:
                if self._zlib.eof:
                    self._finish(End.SOUND, len(self._zlib.unused_data))
        return found

    def _finish(self, end: End, left: int) -> None:
        self.end = end
        self.stop = self._window.offset - left


def _up_to_break(inflater, piece: bytes, size: int) -> tuple[bytes, int]:
    """What a piece still holds before it breaks, and how much of it is left."""
    found = []
    for i in range(len(piece)):
        try:
            found.append(inflater.decompress(piece[i : i + 1]))
        except zlib.error:
            return b''.join(found), len(piece) - i
    return b''.join(found), 0
