"""The decoders of transfer and content encodings."""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator

import brotli
import zstandard

from mr_reuse.archives.window import BLOCK, Window

PROBE = 512  # bytes of a body, to detect its encoding
MAX_CHUNK = 1 << 20  # bytes of a first chunk whose end is checked
MAX_WINDOW = 8 << 20  # bytes; RFC 9659 allows no larger window in HTTP
GZIP = b'\x1f\x8b\x08'
SIZE_LINE = re.compile(rb'[ \t]*([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n')


class Broken(Exception):
    """An encoding breaks off; the bytes before the break are valid."""


class BlockStream:
    """A stream of blocks.

    >>> BlockStream([b'ab', b'', b'c']).read(9)
    b'ab'
    """

    def __init__(self, blocks: Iterable[bytes]):
        self._blocks = iter(blocks)
        self._rest = b''

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes; b'' only at the end."""
        while not self._rest:
            if (block := next(self._blocks, None)) is None:
                return b''
            self._rest = block
        piece, self._rest = self._rest[:size], self._rest[size:]
        return piece


def read_rest(window: Window) -> Iterator[bytes]:
    """Yield the rest of a stream."""
    while window.need(1):
        yield window.take(BLOCK)


def starts_like(name: str, window: Window) -> bool:
    """Test whether the body begins like this encoding."""
    head = window.peek(PROBE)
    if name == 'chunked':
        return _is_chunked(window)
    if name in ('gzip', 'x-gzip'):
        return head.startswith(GZIP)
    if name == 'zstd':
        return head.startswith(zstandard.FRAME_HEADER)
    try:
        if name == 'deflate':
            inflater = zlib.decompressobj(_wbits(head))
            decoded, at_end = inflater.decompress(head, BLOCK), inflater.eof
        else:
            inflater = brotli.Decompressor()
            decoded = inflater.process(head, output_buffer_limit=BLOCK)
            at_end = inflater.is_finished()
    except (zlib.error, brotli.error):
        return False
    # Neither format has a magic, and a decoder may read much text before it refuses it.
    # An empty body takes fewer than 6 bytes.
    return bool(decoded) or not head[:64].isascii() or (at_end and len(head) < 6)


def _is_chunked(window: Window) -> bool:
    """Test for a size line, which a text may have, and the end of its chunk."""
    line = SIZE_LINE.match(window.peek(PROBE))
    if not line:
        return False
    size = int(line[1], 16)
    if size == 0 or size > MAX_CHUNK:
        return True
    behind = window.peek(line.end() + size + 2)[line.end() + size :]
    if not behind:  # cut: believe the size line if it ends as the standard says
        return line[0].endswith(b'\r\n')
    return behind[:1] == b'\n' or behind.startswith(b'\r')


def _wbits(head: bytes) -> int:
    """Select zlib's mode, as servers send "deflate" with a zlib header or without."""
    may_be = len(head) > 1 and head[0] & 15 == 8 and not head[1] & 32
    return 15 if may_be and (head[0] * 256 + head[1]) % 31 == 0 else -15


def _dechunk(window: Window) -> Iterator[bytes]:
    while True:
        size_line = SIZE_LINE.match(window.peek(4096))
        if not size_line:
            raise Broken
        window.at += size_line.end()
        size = int(size_line[1], 16)
        if size == 0:
            return
        while size:
            piece = window.take(min(size, BLOCK))
            if not piece:
                raise Broken
            size -= len(piece)
            yield piece
        line_end = window.peek(2)  # some servers send a bare line feed, or none
        window.at += 2 if line_end == b'\r\n' else line_end[:1] == b'\n'


def _ungzip(window: Window) -> Iterator[bytes]:
    while window.peek(3) == GZIP:  # padding may follow the last member
        is_empty = True
        for decoded in _unzip(window, 31):
            is_empty = False
            yield decoded
        if is_empty:
            yield b''  # it was work


def _undeflate(window: Window) -> Iterator[bytes]:
    return _unzip(window, _wbits(window.peek(2)))


def _unzip(window: Window, wbits: int) -> Iterator[bytes]:
    inflater = zlib.decompressobj(wbits)
    while not inflater.eof:
        piece = inflater.unconsumed_tail or window.take(1 << 16)
        before = inflater.copy()
        try:
            decoded = inflater.decompress(piece, BLOCK)
        except zlib.error as error:
            yield from _before_break(before, piece)
            raise Broken from error
        if decoded:
            yield decoded
        elif not piece:
            raise Broken
    window.at -= len(inflater.unused_data)  # the next member or padding


def _before_break(inflater, piece: bytes) -> Iterator[bytes]:
    """Inflate a piece byte by byte, up to the byte that breaks it."""
    for i in range(len(piece)):
        try:
            yield inflater.decompress(piece[i : i + 1])
        except zlib.error:
            return


def _unbrotli(window: Window) -> Iterator[bytes]:
    inflater, decoded = brotli.Decompressor(), b''
    while not inflater.is_finished():
        # Buffered output first; `can_accept_more_data` alone may miss some of it.
        has_output = decoded or not inflater.can_accept_more_data()
        # The output of a piece is lost if the piece breaks, so pieces are short.
        piece = b'' if has_output else window.take(256)
        if not has_output and not piece:
            raise Broken
        try:
            decoded = inflater.process(piece, output_buffer_limit=BLOCK)
        except brotli.error as error:
            raise Broken from error
        if decoded:
            yield decoded


def _unzstd(window: Window) -> Iterator[bytes]:
    inflater = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
    while window.peek(4) == zstandard.FRAME_HEADER:
        frame = inflater.decompressobj()
        while not frame.eof:
            # 256 bytes inflate to a few megabytes at most, so memory stays bounded.
            piece = window.take(256)
            if not piece:
                raise Broken
            try:
                decoded = frame.decompress(piece)
            except zstandard.ZstdError as error:
                raise Broken from error
            yield decoded
        window.at -= len(frame.unused_data)


DECODERS: dict[str, Callable[[Window], Iterator[bytes]]] = {
    'chunked': _dechunk,
    'gzip': _ungzip,
    'x-gzip': _ungzip,
    'deflate': _undeflate,
    'br': _unbrotli,
    'brotli': _unbrotli,
    'zstd': _unzstd,
}
