"""What a line between two jobs looks like.

A page:     rid  url  date  ip  type  size  file_hash  chunks  WIDTHS:COLUMNS
Counts:     chunk/PART or file/PART  WIDTHS:COLUMNS       digest; copies, pages, length
The last:   @  JSON                                       what a task tells the driver

Columns are packed (`packing.py`). A page's are digest and length, in the page's
order, or digest, length and copies. The rows of a page may repeat a digest within a
line, never across lines: a page that needs more than one goes on in `rid#1`, …
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

LAST = b'@'


def count_key(unit: str, part: int) -> bytes:
    """The key of a line of counts: a part of the digests of chunks or of files.

    >>> count_key('chunk', 10)
    b'chunk/000a'
    """
    return b'%b/%04x' % (unit.encode(), part)


def unit_of(key: bytes) -> str:
    """The unit that a line of counts counts.

    >>> unit_of(b'file/0000')
    'file'
    """
    return key.partition(b'/')[0].decode()


def last(told: dict[str, Any]) -> tuple[bytes, bytes]:
    """The last line of a task."""
    return LAST, json.dumps(told, sort_keys=True).encode()


def told(line: bytes) -> dict[str, Any]:
    """What the last line of a task says; nothing if there is no such line.

    >>> told(b'@\\t{"n": 1}\\n'), told(b'')
    ({'n': 1}, {})
    """
    key, _, value = line.rstrip(b'\t\n').partition(b'\t')
    return json.loads(value) if key == LAST else {}


class Lines:
    """How jobs read and write lines: keys and values are bytes, always."""

    def read(self, line: bytes) -> tuple[bytes, bytes]:
        key, _, value = line.partition(b'\t')
        return key, value

    def write(self, key: bytes, value: bytes) -> bytes:
        return key + b'\t' + value


def read_lines(stream: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """The lines of a part file as keys and values, Hadoop's trailing tab taken off."""
    for line in stream:
        key, _, value = line.rstrip(b'\t\n').partition(b'\t')
        yield key, value
