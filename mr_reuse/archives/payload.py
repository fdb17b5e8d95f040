"""Decode the bodies of HTTP messages: transfer and content encodings.

If the first bytes of a body do not belong to the declared encoding, the body is taken
as it is. If an encoding breaks off, the bytes before the break are kept.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from mr_reuse.archives import causes
from mr_reuse.archives.decoding import (
    DECODERS,
    BlockStream,
    Broken,
    read_rest,
    starts_like,
)
from mr_reuse.archives.headers import unfold
from mr_reuse.archives.window import Window

MAX_HEAD = 1 << 20  # bytes of a head
MAX_LAYERS = 8  # nested encodings; more than servers use
MAX_BODY = 2 << 30  # bytes; a body that decodes to more counts as a bomb
PIECE = 256  # bytes; a smaller chunk, member or frame is as much work
STATUS = re.compile(rb'(?:[A-Z]{1,8}/\d(?:\.\d)?|ICY)[ \t]+(\d{3})')
HEAD_END = re.compile(rb'\r?\n\r?\n')
FIRST_OF_BODY = re.compile(rb'\n(?![^\s:<>]+[ \t]*:|[ \t]|\r?\n)')
ENCODINGS = re.compile(rb'\n(transfer|content)-encoding[ \t]*:([^\r\n]*)', re.I)
CONTENT_TYPE = re.compile(rb'\ncontent-type[ \t]*:([^\r\n]*)', re.I)


class Bomb(Exception):
    """A body that decodes to more than `MAX_BODY` bytes."""


class Message(NamedTuple):
    """The parsed head of an HTTP message."""

    status: int
    start: int  # offset of the body
    encodings: tuple[tuple[str, str], ...]  # kind and name, in the order of decoding
    content_type: bytes = b''  # values of all fields, joined by commas


def read_head(block: bytes) -> Message | None:
    """Parse the head of a message; None if the block holds no HTTP message.

    >>> read_head(b'HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\n\\r\\nbody')
    Message(status=200, start=43, encodings=(('content', 'gzip'),), content_type=b'')
    >>> read_head(b'<html>')
    """
    status = STATUS.match(block)
    if not status:
        return None
    end = HEAD_END.search(block, 0, MAX_HEAD)
    if not end:  # the empty line is missing: the first line that is no field follows
        end = FIRST_OF_BODY.search(block, 0, MAX_HEAD)
    start = end.end() if end else len(block)
    head = unfold(bytes(block[:start]))
    fields = ENCODINGS.findall(head)
    types = b', '.join(CONTENT_TYPE.findall(head))
    return Message(int(status[1]), start, _in_order(fields) if fields else (), types)


def _in_order(fields: list[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
    """Order the encodings of header fields: transfer first, the last applied first."""
    encodings = []
    for kind in ('transfer', 'content'):
        values = [v for k, v in fields if k.decode('ascii').lower() == kind]
        names = b','.join(values).decode('latin-1').lower().split(',')
        encodings += [(kind, _bare(name)) for name in reversed(names)]
    encodings = [(k, n) for k, n in encodings if n not in ('', 'identity')]
    too_many = (('content', 'too many'),)  # an unknown encoding: the body stays as is
    return tuple(encodings) if len(encodings) <= MAX_LAYERS else too_many


def _bare(name: str) -> str:
    """Strip what some servers write around the name of an encoding.

    >>> _bare(' "gzip";q=1'), _bare('br')
    ('gzip', 'br')
    """
    return name.partition(';')[0].strip(' \t"\'')


def decode(
    blocks: Iterable[bytes],
    encodings: Iterable[tuple[str, str]],
    note: Callable[[str], None],
) -> Iterator[bytes]:
    """Undo encodings in the given order, a piece at a time.

    Raise `Broken` behind the last piece if one breaks off, `Bomb` for a large body.

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
        window = Window(lambda _, blocks=blocks: BlockStream(blocks))
        blocks = _bounded(_decode_layer(window, kind, name, note), breaks)
    yield from blocks
    if breaks:
        raise breaks[0]


def _bounded(blocks: Iterable[bytes], breaks: list[Broken]) -> Iterator[bytes]:
    """End a layer at its break, so that the next one decodes all bytes before it."""
    size = 0
    try:
        for block in blocks:
            size += max(len(block), PIECE)
            if size > MAX_BODY:
                raise Bomb
            if block:
                yield block
    except Broken as broken:
        breaks.append(broken)


def _decode_layer(
    window: Window, kind: str, name: str, note: Callable[[str], None]
) -> Iterator[bytes]:
    if not window.need(1):
        return
    if name not in DECODERS:
        note(kind + causes.UNKNOWN_ENCODING)
        yield from read_rest(window)
    elif not starts_like(name, window):
        note(kind + causes.OTHER_ENCODING)
        yield from read_rest(window)
    else:
        yield from DECODERS[name](window)
