"""From an HTTP message to the body it carries: transfer and content encodings.

An encoding that is declared but not there (told by the body's first bytes) is
left alone. One that breaks off keeps what came before the break.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import brotli
import zstandard

from mr_reuse.streams import BLOCK, Window

MAX_HEAD = 1 << 20  # a head longer than this is none
MAX_BODY = 2 << 30  # a body that decodes to more is taken for a bomb
STATUS = re.compile(rb'HTTP/\d(?:\.\d)?[ \t]+(\d{3})')
HEAD_END = re.compile(rb'\r?\n\r?\n')
ENCODINGS = re.compile(
    rb'^(transfer|content)-encoding[ \t]*:[ \t]*([^\r\n]*)', re.I | re.M
)
SIZE_LINE = re.compile(rb'[ \t]*([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n')


class Broken(Exception):
    """An encoding breaks off: what came before stands, nothing comes after."""


class Bomb(Exception):
    """A body that decodes to more than `MAX_BODY` bytes."""


class Message(NamedTuple):
    """What the head of an HTTP message says."""

    status: int
    start: int  # where the body begins
    encodings: tuple[tuple[str, str], ...]  # in the order to undo them


def read_head(block: bytes) -> Message | None:
    """The head of a message, None if the block holds no HTTP message.

    >>> read_head(b'HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\n\\r\\nbody')
    Message(status=200, start=43, encodings=(('content', 'gzip'),))
    >>> read_head(b'<html>')
    """
    status = STATUS.match(block)
    if not status:
        return None
    end = HEAD_END.search(block, 0, MAX_HEAD)
    start = end.end() if end else len(block)
    found = ENCODINGS.findall(block, 0, start)
    return Message(int(status[1]), start, _in_order(found) if found else ())


def _in_order(found: list[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
    """Transfer encodings go first, each kind from the last applied to the first."""
    coded = []
    for kind in ('transfer', 'content'):
        values = [v for k, v in found if k.decode('ascii').lower() == kind]
        names = b','.join(values).decode('latin-1').lower().split(',')
        coded += [(kind, name.strip()) for name in reversed(names)]
    return tuple((k, n) for k, n in coded if n not in ('', 'identity'))


def decode(
    blocks: Iterable[bytes],
    encodings: Iterable[tuple[str, str]],
    note: Callable[[str], None],
) -> Iterator[bytes]:
    """Undo encodings one after another, a piece at a time.

    >>> list(decode([b'3\\r\\nabc\\r\\n0\\r\\n\\r\\n'], [('transfer', 'chunked')], print))
    [b'abc']
    >>> list(decode([b'plain'], [('content', 'gzip')], print))
    content encoding not as declared
    [b'plain']
    """
    for kind, name in encodings:
        blocks = _decode_one(blocks, kind, name, note)
    return _bounded(blocks)


def _bounded(blocks: Iterable[bytes]) -> Iterator[bytes]:
    size = 0
    for block in blocks:
        size += len(block)
        if size > MAX_BODY:
            raise Bomb
        yield block


def _decode_one(
    blocks: Iterable[bytes], kind: str, name: str, note: Callable[[str], None]
) -> Iterator[bytes]:
    window = Window(lambda _: Joined(blocks))
    decoder = CODES.get(name)
    if decoder is None:
        note(f'{kind} encoding unknown')
        yield from rest(window)
    elif not window.need(1):
        return
    elif not _starts(name, window):
        note(f'{kind} encoding not as declared')
        yield from rest(window)
    else:
        yield from decoder(window)


class Joined:
    """Blocks as a stream.

    >>> Joined([b'ab', b'', b'c']).read(9)
    b'ab'
    """

    def __init__(self, blocks: Iterable[bytes]):
        self._blocks = iter(blocks)
        self._left = b''

    def read(self, size: int) -> bytes:
        """At most `size` bytes, none only at the end."""
        while not self._left:
            block = next(self._blocks, None)
            if block is None:
                return b''
            self._left = block
        found, self._left = self._left[:size], self._left[size:]
        return found


def rest(window: Window) -> Iterator[bytes]:
    """All that is still ahead."""
    while window.need(1):
        yield window.take(BLOCK)


def _starts(name: str, window: Window) -> bool:
    """Whether the body begins as this encoding does."""
    head = window.peek(4096)
    if name == 'chunked':
        return SIZE_LINE.match(head) is not None
    if name in ('gzip', 'x-gzip'):
        return head.startswith(b'\x1f\x8b\x08')
    if name == 'zstd':
        return head.startswith(zstandard.FRAME_HEADER)
    if name == 'deflate':
        return _begins(zlib.decompressobj(_wbits(head)).decompress, head)
    return _begins(brotli.Decompressor().process, head)


def _begins(step: Callable[..., bytes], head: bytes) -> bool:
    try:
        if step.__name__ == 'process':
            step(head, output_buffer_limit=BLOCK)
        else:
            step(head, BLOCK)
    except (zlib.error, brotli.error):
        return False
    return True


def _wbits(head: bytes) -> int:
    """Servers send "deflate" with a zlib head, as the standard says, or bare."""
    zlib_head = len(head) > 1 and head[0] & 15 == 8
    return 15 if zlib_head and int.from_bytes(head[:2]) % 31 == 0 else -15


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
        line_end = window.peek(2)
        window.at += 2 if line_end == b'\r\n' else line_end[:1] == b'\n'


def _ungzip(window: Window) -> Iterator[bytes]:
    while window.peek(3) == b'\x1f\x8b\x08':  # behind the last member is padding
        yield from _unzip(window, 31)


def _undeflate(window: Window) -> Iterator[bytes]:
    return _unzip(window, _wbits(window.peek(2)))


def _unzip(window: Window, wbits: int) -> Iterator[bytes]:
    inflater = zlib.decompressobj(wbits)
    while not inflater.eof:
        piece = inflater.unconsumed_tail or window.take(1 << 16)
        if not piece:
            raise Broken
        before = inflater.copy()
        try:
            found = inflater.decompress(piece, BLOCK)
        except zlib.error as error:
            yield from _before_break(before.decompress, piece, zlib.error)
            raise Broken from error
        if found:
            yield found
    window.at -= len(inflater.unused_data)


def _unbrotli(window: Window) -> Iterator[bytes]:
    inflater, found = brotli.Decompressor(), b''
    while not inflater.is_finished():
        # Output that waits goes first; a decoder that is full says so only sometimes.
        waiting = found or not inflater.can_accept_more_data()
        piece = b'' if waiting else window.take(1 << 12)
        if not waiting and not piece:
            raise Broken
        try:
            found = inflater.process(piece, output_buffer_limit=BLOCK)
        except brotli.error as error:
            raise Broken from error
        if found:
            yield found


def _unzstd(window: Window) -> Iterator[bytes]:
    while window.peek(4) == zstandard.FRAME_HEADER:
        inflater = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()
        while not inflater.eof:
            # A kilobyte inflates to 32 MB at the most, so memory stays bounded.
            piece = window.take(1 << 10)
            if not piece:
                raise Broken
            try:
                found = inflater.decompress(piece)
            except zstandard.ZstdError as error:
                raise Broken from error
            if found:
                yield found
        window.at -= len(inflater.unused_data)


def _before_break(
    step: Callable[[bytes], bytes], piece: bytes, error: type[Exception]
) -> Iterator[bytes]:
    """What a piece still gives before the decoder refuses it."""
    for i in range(len(piece)):
        try:
            yield step(piece[i : i + 1])
        except error:
            return


CODES: dict[str, Callable[[Window], Iterator[bytes]]] = {
    'chunked': _dechunk,
    'gzip': _ungzip,
    'x-gzip': _ungzip,
    'deflate': _undeflate,
    'br': _unbrotli,
    'zstd': _unzstd,
}
