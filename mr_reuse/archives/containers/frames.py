"""Inflate frames of Zstandard: small ones in one call, others as a stream.

In an archive, a frame holds a record, or the whole file. A skippable frame in front may
hold a dictionary that all others need.
"""

import contextlib
import re
from typing import NamedTuple

import zstandard

from mr_reuse.archives.containers.codec import NO_LIMIT, SMALL, Codec, End, Stream
from mr_reuse.archives.window import BLOCK, Window

MAGIC = zstandard.FRAME_HEADER
SKIPPABLE = re.compile(rb'[\x50-\x5f]\x2a\x4d\x18')
DICTIONARY = b'\x5d\x2a\x4d\x18'  # the magic of the frame with the dictionary
START = re.compile(rb'\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18')
FIRST = MAGIC[:1] + bytes(range(0x50, 0x60))
MAX_WINDOW = 128 << 20  # bytes; zstd itself refuses more unless it is told otherwise
MAX_DICTIONARY = 64 << 20  # bytes
MAX_BLOCK = 128 << 10  # bytes that a block inflates to at most
HEAD = 18  # bytes; no header of a frame is longer
COUNT_BYTES = (0, 2, 4, 8)
ID_BYTES = (0, 1, 2, 4)


class Frame(NamedTuple):
    """The header of a frame: its length, and what the frame inflates to, if known."""

    length: int
    content: int | None
    has_checksum: bool


def parse_frame(head: bytes) -> Frame | None:
    """Parse the header of a frame; None if it is not valid.

    >>> parse_frame(zstandard.compress(b'page'))
    Frame(length=6, content=4, has_checksum=False)
    """
    if len(head) < 6 or not head.startswith(MAGIC) or head[4] & 8:
        return None
    flags = head[4]
    is_single = flags >> 5 & 1
    at = 5 + (not is_single) + ID_BYTES[flags & 3]
    size = COUNT_BYTES[flags >> 6] or is_single
    content = int.from_bytes(head[at : at + size], 'little') + 256 * (size == 2)
    return Frame(at + size, content if size else None, bool(flags & 4))


def find_end(data: bytes, at: int) -> int:
    """Find the end of the frame at an index of the data; 0 if it is not in the data.

    >>> find_end(zstandard.compress(b'page') + b'junk', 0)
    13
    """
    frame = parse_frame(data[at : at + HEAD])
    if not frame or (frame.content or 0) > SMALL:
        return 0
    at += frame.length
    while at + 3 <= len(data):
        head = data[at] | data[at + 1] << 8 | data[at + 2] << 16
        at += 3 + (1 if head & 6 == 2 else head >> 3)
        if head & 1:
            at += 4 * frame.has_checksum
            return at if at <= len(data) else 0
    return 0


class FrameBytes:
    """The bytes of the frame at the window's offset, and none behind it.

    `is_whole` is true behind the last byte, `is_broken` if the frame is not valid.
    """

    def __init__(self, window: Window, limit: int):
        self._window, self._limit = window, limit
        self.is_whole = self.is_broken = False
        self._left = 0  # bytes of the current part
        self._is_last = False
        head = window.peek(HEAD)
        if SKIPPABLE.match(head) and len(head) >= 8:
            self._left = 8 + int.from_bytes(head[4:8], 'little')
            self._is_last, self._trailer = True, 0
        elif frame := parse_frame(head):
            self._left, self._trailer = frame.length, 4 * frame.has_checksum
        else:
            self.is_broken = head[:4] != MAGIC or len(head) == HEAD

    def read(self, size: int) -> bytes:
        """Read up to `size` bytes."""
        parts: list[bytes] = []
        while size and (self._left or self._next_part()):
            ahead = min(size, self._left, self._limit - self._window.offset)
            piece = self._window.take(ahead) if ahead > 0 else b''
            if not piece:
                break
            parts.append(piece)
            self._left -= len(piece)
            size -= len(piece)
        return b''.join(parts)

    def read_part(self) -> bytes:
        """Read the rest of the header, a block or the checksum; b'' at the end."""
        return self.read(self._left or (self._next_part() and self._left))

    def _next_part(self) -> bool:
        """Begin the next block, with its header, or the checksum; False at the end."""
        if self.is_whole or self.is_broken:
            return False
        if self._is_last:
            self._left, self._trailer = self._trailer, 0
            self.is_whole = not self._left
            return bool(self._left)
        head = int.from_bytes(self._window.peek(3), 'little')
        kind, size = head >> 1 & 3, head >> 3
        self.is_broken = kind == 3 or size > MAX_BLOCK
        self._is_last = bool(head & 1)
        self._left = 3 + (1 if kind == 1 else size)
        return not self.is_broken


class InflatedFrame(Stream):
    """The inflated bytes of a frame as a stream, as `members.Inflated` of a member."""

    def __init__(
        self,
        window: Window,
        start: int,
        skip: int = 0,
        limit: int = NO_LIMIT,
        dictionary: zstandard.ZstdCompressionDict | None = None,
    ):
        window.seek(start)
        self._window = window
        self._is_skippable = SKIPPABLE.match(window.peek(4)) is not None
        self._bytes = FrameBytes(window, limit)
        inflater = zstandard.ZstdDecompressor(dictionary, max_window_size=MAX_WINDOW)
        self._inflate = inflater.decompressobj().decompress
        super().__init__(start, skip)

    def _read(self, size: int) -> bytes:
        data = b''
        try:
            while not data and not self._is_skippable:
                # A block inflates to at most 128 KB, also if it is cut.
                if not (part := self._bytes.read_part()):
                    break
                data = self._inflate(part)
        except zstandard.ZstdError as error:
            self._finish(End.CRC if 'checksum' in str(error) else End.BROKEN)
            return b''
        if not data:
            while self._bytes.read(BLOCK):
                pass
            if self._bytes.is_whole:
                self._finish(End.SOUND)
            else:
                self._finish(End.BROKEN if self._bytes.is_broken else End.CUT)
        return data

    def _finish(self, end: End) -> None:
        self.end, self.stop = end, self._window.offset


def make_codec(dictionary: bytes = b'') -> Codec:
    """Make the codec of an archive, with the content of its dictionary."""
    shared = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
    inflater = zstandard.ZstdDecompressor(shared, max_window_size=MAX_WINDOW)

    def inflate(window: Window) -> bytes | None:
        if len(window.data) - window.at < MAX_BLOCK:  # the test saves most calls
            window.need(MAX_BLOCK)
        if stop := find_end(window.data, window.at):
            with contextlib.suppress(zstandard.ZstdError):
                data = inflater.decompress(window.data[window.at : stop], SMALL)
                window.at = stop
                return data
        start, window_bytes = window.offset, FrameBytes(window, NO_LIMIT)
        frame = parse_frame(window.peek(HEAD))
        if SKIPPABLE.match(window.peek(4)):
            while window_bytes.read(BLOCK):
                pass
            if window_bytes.is_whole:
                return b''
        elif frame and (frame.content or 0) <= SMALL:
            data = window_bytes.read(SMALL)
            if not window_bytes.read(1) and window_bytes.is_whole:
                with contextlib.suppress(zstandard.ZstdError):
                    return inflater.decompress(data, SMALL)
        window.seek(start)
        return None

    def stream(window: Window, start: int, skip: int = 0, limit: int = NO_LIMIT):
        return InflatedFrame(window, start, skip, limit, shared)

    return Codec(MAGIC, FIRST, START, inflate, stream)


def read_dictionary(window: Window) -> bytes:
    """Read the dictionary in front of an archive; b'' if there is none.

    It may itself be compressed.
    """
    head = window.peek(8)
    size = int.from_bytes(head[4:8], 'little')
    if not head.startswith(DICTIONARY) or size > MAX_DICTIONARY:
        return b''
    data = window.peek(8 + size)[8:]
    if data.startswith(MAGIC):
        try:
            return zstandard.ZstdDecompressor().decompress(data, MAX_DICTIONARY)
        except zstandard.ZstdError:
            return b''
    return data
