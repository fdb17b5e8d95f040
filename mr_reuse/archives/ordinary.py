"""Parse sound WARC records fast, as nearly all are: by the kernel, or in Python."""

import re
from collections.abc import Callable

from mr_reuse import kernel
from mr_reuse.archives.framing import Record
from mr_reuse.archives.headers import FOLD, REVISIT, WARC, Head, parse_warc_head
from mr_reuse.archives.payload import Message
from mr_reuse.archives.window import LOOKAHEAD, Window

MAX_RECORD = 1 << 20  # bytes; a larger record is not copied to be parsed
LENGTH = re.compile(rb'\n[Cc]ontent-[Ll]ength: (\d{1,7})\r')
END = b'\r\n\r\n'

Parser = Callable[[bytes | bytearray], Record | None]
Reader = Callable[[Window], Record | None]


def ordinary_parser() -> Parser:
    """Select the fastest parser for members that hold one sound record."""
    native = kernel.load()
    if not native:
        return pure_ordinary

    def parse(data: bytes | bytearray) -> Record | None:
        fields = native.ordinary(data)
        return _record_of(fields, data, 0, 0) if fields else None

    return parse


def ordinary_reader() -> Reader:
    """Select the fastest reader of sound records from a window.

    It returns None without moving if the record at the window's offset is unusual.
    """
    native = kernel.load()
    if not native:
        return read_pure

    def read(window: Window) -> Record | None:
        if len(window.data) - window.at < LOOKAHEAD:  # the test saves most calls
            window.need(LOOKAHEAD)
        fields = native.ordinary_at(window.data, window.at)
        if not fields and _buffer(window):
            fields = native.ordinary_at(window.data, window.at)
        if not fields or (size := fields[0][4] + fields[1] + len(END)) > MAX_RECORD:
            return None
        record = _record_of(fields, window.data, window.at, window.offset)
        window.at += size
        return record

    return read


def _record_of(fields: tuple, data: bytes | bytearray, at: int, offset: int) -> Record:
    values, start, status, body, content_type = fields
    head = Head._make(values)
    if head.type == REVISIT:  # the kernel does not read references
        head = parse_warc_head(bytes(memoryview(data)[at : at + start - len(END)]))
    message = Message(status, body, (), content_type) if status >= 0 else None
    block = memoryview(data)[at + start : at + start + head.length]
    return Record(offset, head, block, False, message)


def pure_ordinary(data: bytes | bytearray) -> Record | None:
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


def read_pure(window: Window) -> Record | None:
    """Read the record at the window's offset; None without moving if it is unusual.

    >>> record = b'WARC/1.0\\r\\nContent-Length: 4\\r\\n\\r\\npage\\r\\n\\r\\n'
    >>> window = Window.of(record + b'WARC')
    >>> bytes(read_pure(window).block), window.offset
    (b'page', 39)
    """
    window.need(LOOKAHEAD)
    size = _buffer(window)
    start = window.at
    record = pure_ordinary(window.data[start : start + size]) if size else None
    if record:
        record = record._replace(at=window.offset)
        window.at += size
    return record


def _buffer(window: Window) -> int:
    """Buffer the next record; return its size, or 0 if it is large or unusual."""
    data, at = window.data, window.at
    end = data.find(END, at, at + LOOKAHEAD)
    length = LENGTH.search(data, at, end + 2) if end >= 0 else None
    if not length:
        return 0
    size = end + len(END) + int(length[1]) + len(END) - at
    return size if size <= MAX_RECORD and window.need(size) >= size else 0
