"""Parse sound WARC records fast, as nearly all are: by the kernel, or in Python."""

import functools
import re
from collections.abc import Callable

from mr_reuse import kernel
from mr_reuse.archives.framing import Record
from mr_reuse.archives.headers import FOLD, WARC, Head, parse_warc_head
from mr_reuse.archives.payload import Message
from mr_reuse.archives.window import LOOKAHEAD, Window

MAX_RECORD = 1 << 20  # bytes; a larger record is not copied to be parsed
LENGTH = re.compile(rb'\n[Cc]ontent-[Ll]ength: (\d{1,7})\r')
END = b'\r\n\r\n'

Parser = Callable[[bytearray], Record | None]


def ordinary_parser() -> Parser:
    """Select the fastest parser for members that hold one sound record."""
    native = kernel.load()
    return functools.partial(_by_kernel, native.ordinary) if native else pure_ordinary


def _by_kernel(read: Callable, data: bytearray) -> Record | None:
    fields = read(data)
    if fields is None:
        return None
    values, start, status, body, content_type = fields
    head = Head._make(values)
    message = Message(status, body, (), content_type) if status >= 0 else None
    block = memoryview(data)[start : start + head.length]
    return Record(0, head, block, False, message)


def pure_ordinary(data: bytearray) -> Record | None:
    """Parse a member that holds one sound WARC record; None for any other member.

    >>> record = pure_ordinary(bytearray(
    ...     b'WARC/1.0\\r\\nContent-Length: 4\\r\\n\\r\\npage\\r\\n\\r\\n'))
    >>> record.head.length, bytes(record.block)
    (4, b'page')
    """
    end = data.find(b'\r\n\r\n')
    if end < 0 or not WARC.start.match(data) or FOLD.search(data, 0, end):
        return None
    head = parse_warc_head(data[:end])
    start = end + 4
    if head and len(data) == start + head.length + 4 and data.endswith(b'\r\n\r\n'):
        return Record(0, head, memoryview(data)[start : start + head.length])
    return None


def next_ordinary(parse: Parser, window: Window) -> Record | None:
    """Parse the record at the window's offset, and move behind it.

    Return None without moving if it is not ordinary.

    >>> record = b'WARC/1.0\\r\\nContent-Length: 4\\r\\n\\r\\npage\\r\\n\\r\\n'
    >>> window = Window.of(record + b'WARC')
    >>> bytes(next_ordinary(pure_ordinary, window).block), window.offset
    (b'page', 39)
    """
    if len(window.data) - window.at < LOOKAHEAD:  # the test saves most calls
        window.need(LOOKAHEAD)
    data, at = window.data, window.at
    end = data.find(END, at, at + LOOKAHEAD)
    length = LENGTH.search(data, at, end + 2) if end >= 0 else None
    if not length:
        return None
    size = end + len(END) + int(length[1]) + len(END) - at
    if size > MAX_RECORD or window.need(size) < size:
        return None
    start = window.at  # reading may have refilled the buffer
    record = parse(bytearray(memoryview(window.data)[start : start + size]))
    if record:
        record = record._replace(at=window.offset)
        window.at += size
    return record
