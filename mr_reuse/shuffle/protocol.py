"""Lines between jobs: a key, a tab, a value, all of it bytes.

A page:      rid  url  date  ip  type  size  file_hash  chunks  WIDTHS:COLUMNS
In shuffles: UNIT/PART  VALUE                             see `partitions.py`
Counts:      chunk/PART or file/PART  WIDTHS:COLUMNS      digest; copies, pages, length
The last:    @  JSON                                      what a task tells the driver

Columns are packed (`packing.py`). A page's are digest and length, in the page's
order, or digest, length and copies. The rows of a page may repeat a digest within a
line, never across lines: a page that needs more than one goes on in `rid#1`, …
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from mr_reuse import storage

LAST = b'@'
Line = tuple[bytes, bytes]  # key and value


class Collector(Protocol):
    """Holds what tasks collect, in bounded memory, and turns it into lines.

    A mapper or a reducer passes each item to `add` and writes the lines that it
    yields. At the end of the task it writes those of `finish`, and the collector is
    empty.
    """

    def add(self, *args: Any, **kwargs: Any) -> Iterator[Line]:
        """Take an item; yield the lines of what leaves the memory to make room."""

    def finish(self) -> Iterator[Line]:
        """Yield the lines of what is left."""


def last(told: dict[str, Any]) -> Line:
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

    def read(self, line: bytes) -> Line:
        key, _, value = line.partition(b'\t')
        return key, value

    def write(self, key: bytes, value: bytes) -> bytes:
        return key + b'\t' + value


def read_lines(stream: Iterable[bytes]) -> Iterator[Line]:
    """The lines of a part file as keys and values, Hadoop's trailing tab taken off."""
    for line in stream:
        key, _, value = line.rstrip(b'\t\n').partition(b'\t')
        yield key, value


def read_parts(names: Iterable[str]) -> Iterator[Line]:
    """Read part files, without the last lines of tasks."""
    for name in names:
        with storage.open_read(name) as stream:
            for key, value in read_lines(stream):
                if key != LAST:
                    yield key, value
