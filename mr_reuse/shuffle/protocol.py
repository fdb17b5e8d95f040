"""Lines between jobs: a key, a tab and a value, as bytes.

A page:      rid  url  date  ip  type  size  file_hash  chunks  WIDTHS:COLUMNS
In shuffles: UNIT/PART  VALUE                             see `partitions.py`
Counts:      chunk/PART or file/PART  WIDTHS:COLUMNS      digest; copies, pages, length
The last:    @  JSON                                      statistics of the task

Columns are packed (`packing.py`). The columns of a page are digest and length in the
order of the page, or digest, length and copies. The rows of a page may repeat a digest
within a line, but never across lines. The further lines of a long page have the keys
`rid#1`, `rid#2`, …

Behind the columns, the first line of a page has further fields. Empty ones at the end
are left out, and lines of older versions have none:

    record_id       WARC-Record-ID without angle brackets
    payload_digest  WARC-Payload-Digest
    truncated       WARC-Truncated
    refers_to       date, id and URI of the record to which a revisit refers, separated
                    by spaces; a resolved revisit has the rid of the record as id
    kind            `page` for a file that is a page, `revisit` for a revisit as it was
                    read, `resolved` for one with the content of its target, which has
                    kind and refers_to in all its lines; empty for other records
"""

import io
import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from mr_reuse import storage

BUFFER = 256 << 10  # bytes: lines are long
LAST_KEY = b'@'  # key of the last line of a task
Line = tuple[bytes, bytes]  # key and value


class Collector(Protocol):
    """Collects the items of a task in bounded memory, and turns them into lines.

    A mapper or a reducer passes each item to `add`, and writes the lines that `add`
    yields. At the end of the task it writes the lines of `finish`, which empties the
    collector.
    """

    def add(self, *args: Any, **kwargs: Any) -> Iterator[Line]:
        """Add an item; yield lines if the memory is full."""

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the remaining items."""


def last_line(stats: dict[str, Any]) -> Line:
    """Make the last line of a task."""
    return LAST_KEY, json.dumps(stats, sort_keys=True).encode()


def parse_stats(line: bytes) -> dict[str, Any]:
    """Parse the statistics in the last line of a task; empty for any other line.

    >>> parse_stats(b'@\\t{"n": 1}\\n'), parse_stats(b'')
    ({'n': 1}, {})
    """
    key, _, value = line.rstrip(b'\t\n').partition(b'\t')
    return json.loads(value) if key == LAST_KEY else {}


class Lines:
    """The protocol of all jobs, in the sense of mrjob: keys and values are bytes."""

    def read(self, line: bytes) -> Line:
        key, _, value = line.partition(b'\t')
        return key, value

    def write(self, key: bytes, value: bytes) -> bytes:
        return key + b'\t' + value


def read_lines(stream: Iterable[bytes]) -> Iterator[Line]:
    """Yield keys and values of a part file, without the trailing tab of Hadoop."""
    for line in stream:
        key, _, value = line.rstrip(b'\t\n').partition(b'\t')
        yield key, value


def read_parts(names: Iterable[str]) -> Iterator[Line]:
    """Yield the lines of part files, without the last lines of tasks."""
    for name in names:
        with storage.open_read(name) as stream:
            for key, value in read_lines(io.BufferedReader(stream, BUFFER)):
                if key != LAST_KEY:
                    yield key, value
