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

from mr_reuse.archives import causes
from mr_reuse.archives.window import BLOCK, Window

MAX_HEAD = 1 << 20  # a head longer than this is none
PROBE = 512  # bytes by which an encoding is told
MAX_CHUNK = 1 << 20  # a first chunk up to this size is looked at to its end
GZIP = b'\x1f\x8b\x08'
MAX_LAYERS = 8  # of encodings in one another; nobody means more
MAX_BODY = 2 << 30  # a body that decodes to more is taken for a bomb
STATUS = re.compile(rb'HTTP/\d(?:\.\d)?[ \t]+(\d{3})')
HEAD_END = re.compile(rb'\r?\n\r?\n')
FIRST_OF_BODY = re.compile(rb'\n(?![^\s:<>]+[ \t]*:|[ \t]|\r?\n)')
ENCODINGS = re.compile(rb'\n(transfer|content)-encoding[ \t]*:([^\r\n]*)', re.I)
CONTENT_TYPE = re.compile(rb'\ncontent-type[ \t]*:([^\r\n]*)', re.I)
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
    content_type: bytes = b''  # all such fields, with a comma between two


def read_head(block: bytes) -> Message | None:
    """The head of a message, None if the block holds no HTTP message.

    >>> read_head(b'HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\n\\r\\nbody')
    Message(status=200, start=43, encodings=(('content', 'gzip'),), content_type=b'')
    >>> read_head(b'<html>')
    """
    status = STATUS.match(block)
    if not status:
        return None
    end = HEAD_END.search(block, 0, MAX_HEAD)
    if not end:  # the empty line is missing: the first line that is no field ends it
        end = FIRST_OF_BODY.search(block, 0, MAX_HEAD)
    start = end.end() if end else len(block)
    found = ENCODINGS.findall(block, 0, start)
    types = b', '.join(CONTENT_TYPE.findall(block, 0, start))
    return Message(int(status[1]), start, _in_order(found) if found else (), types)


def _in_order(found: list[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
    """Transfer encodings go first, each kind from the last applied to the first."""
    coded = []
    for kind in ('transfer', 'content'):
        values = [v for k, v in found if k.decode('ascii').lower() == kind]
        names = b','.join(values).decode('latin-1').lower().split(',')
        coded += [(kind, name.strip()) for name in reversed(names)]
    coded = [(k, n) for k, n in coded if n not in ('', 'identity')]
    return tuple(coded) if len(coded) <= MAX_LAYERS else (('content', 'too many'),)


def decode(
    blocks: Iterable[bytes],
    encodings: Iterable[tuple[str, str]],
    note: Callable[[str], None],
) -> Iterator[bytes]:
    """Undo encodings one after another, a piece at a time.

    Raises `Broken` behind the last piece if any of them broke off.

    >>> coded = [b'3\\r\\nabc\\r\\n0\\r\\n\\r\\n']
    >>> list(decode(coded, [('transfer', 'chunked')], print))
    [b'abc']
    >>> list(decode([b'plain'], [('content', 'gzip')], print))
    content encoding not as declared
    [b'plain']
    """
    breaks: list[Broken] = []
    blocks = _bounded(blocks, breaks)
    for kind, name in encodings:
        window = Window(lambda _, blocks=blocks: Joined(blocks))
        blocks = _bounded(_decode_one(window, kind, name, note), breaks)
    yield from blocks
    if breaks:
        raise breaks[0]


def _bounded(blocks: Iterable[bytes], breaks: list[Broken]) -> Iterator[bytes]:
    """End a layer where it breaks, so that the one above gets all that was there."""
    size = 0
    try:
        for block in blocks:
            size += len(block)
            if size > MAX_BODY:
                raise Bomb
            yield block
    except Broken as broken:
        breaks.append(broken)


def _decode_one(
    window: Window, kind: str, name: str, note: Callable[[str], None]
) -> Iterator[bytes]:
    if not window.need(1):
        return
    if name not in CODES:
        note(kind + causes.UNKNOWN_ENCODING)
        yield from rest(window)
    elif not _starts(name, window):
        note(kind + causes.OTHER_ENCODING)
        yield from rest(window)
    else:
        yield from CODES[name](window)


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
            found, over = inflater.decompress(head, BLOCK), inflater.eof
        else:
            inflater = brotli.Decompressor()
            found = inflater.process(head, output_buffer_limit=BLOCK)
            over = inflater.is_finished()
    except (zlib.error, brotli.error):
        return False
    # Neither has a magic, and a decoder may wait for long before it refuses a text.
    # What is empty takes a few bytes.
    return bool(found) or not head[:64].isascii() or (over and len(head) < 6)


def _is_chunked(window: Window) -> bool:
    """A text may begin with a line that reads as a size, but it ends elsewhere."""
    line = SIZE_LINE.match(window.peek(PROBE))
    if not line:
        return False
    size = int(line[1], 16)
    if size == 0 or size > MAX_CHUNK:
        return True
    behind = window.peek(line.end() + size + 2)[line.end() + size :]
    if not behind:  # it is cut; a true size line has the line end of the standard
        return line[0].endswith(b'\r\n')
    return behind[:1] == b'\n' or behind.startswith(b'\r')


def _wbits(head: bytes) -> int:
    """Servers send "deflate" with a zlib head, as the standard says, or bare."""
    zlib_head = len(head) > 1 and head[0] & 15 == 8 and not head[1] & 32
    return 15 if zlib_head and (head[0] * 256 + head[1]) % 31 == 0 else -15


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
    while window.peek(3) == GZIP:  # behind the last member is padding
        yield from _unzip(window, 31)


def _undeflate(window: Window) -> Iterator[bytes]:
    return _unzip(window, _wbits(window.peek(2)))


def _unzip(window: Window, wbits: int) -> Iterator[bytes]:
    inflater = zlib.decompressobj(wbits)
    while not inflater.eof:
        piece = inflater.unconsumed_tail or window.take(1 << 16)
        before = inflater.copy()
        try:
            found = inflater.decompress(piece, BLOCK)
        except zlib.error as error:
            yield from _before_break(before, piece)
            raise Broken from error
        if found:
            yield found
        elif not piece:
            raise Broken
    window.at -= len(inflater.unused_data)


def _before_break(inflater, piece: bytes) -> Iterator[bytes]:
    """What a piece still gives before it is refused."""
    for i in range(len(piece)):
        try:
            yield inflater.decompress(piece[i : i + 1])
        except zlib.error:
            return


def _unbrotli(window: Window) -> Iterator[bytes]:
    inflater, found = brotli.Decompressor(), b''
    while not inflater.is_finished():
        # Output that waits goes first; a decoder that is full says so only sometimes.
        waiting = found or not inflater.can_accept_more_data()
        # What a piece gives before a break in it is lost, so it is short.
        piece = b'' if waiting else window.take(256)
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
            # A few bytes inflate to megabytes at the most, so memory stays bounded.
            piece = window.take(256)
            if not piece:
                raise Broken
            try:
                found = inflater.decompress(piece)
            except zstandard.ZstdError as error:
                raise Broken from error
            if found:
                yield found
        window.at -= len(inflater.unused_data)


CODES: dict[str, Callable[[Window], Iterator[bytes]]] = {
    'chunked': _dechunk,
    'gzip': _ungzip,
    'x-gzip': _ungzip,
    'deflate': _undeflate,
    'br': _unbrotli,
    'zstd': _unzstd,
}
