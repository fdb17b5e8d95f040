"""Sort lines in bounded memory, by their bytes or by a key before them.

A keyed line is `KEY \\0 ROW`. A key has no NUL; a row may have any, but no line feed.
"""

import heapq
from collections.abc import Iterable, Iterator
from itertools import groupby

from mr_reuse import storage

IN_MEMORY = 64 << 20  # bytes of lines, including the overhead of each
OVERHEAD = 60  # bytes of a line in Python, besides its content
MAX_RUNS = 64  # files to merge at a time; a process may open some hundred
DIGITS = 20  # decimal digits of any number of 64 bits
Keyed = tuple[bytes, bytes]  # sort key and row


def sort_lines(lines: Iterable[bytes], in_memory: int = 0) -> Iterator[bytes]:
    """Sort lines by their bytes; spill sorted runs to disk above a bound.

    >>> list(sort_lines([b'b', b'c', b'a'], in_memory=1))
    [b'a', b'b', b'c']
    """
    bound = in_memory or IN_MEMORY
    runs = _Runs()
    buffer: list[bytes] = []
    size = 0
    for line in lines:
        buffer.append(line)
        size += len(line) + OVERHEAD
        if size > bound:
            buffer.sort()
            runs.add(buffer)
            buffer, size = [], 0
    buffer.sort()
    return runs.merge(buffer)


class _Runs:
    """Sorted lines in files. Many short files are merged to a longer one."""

    def __init__(self) -> None:
        self._levels: list[list[Iterator[bytes]]] = []  # the shortest files first

    def add(self, lines: Iterable[bytes], level: int = 0) -> None:
        """Write sorted lines to a file on disk, to be read back once."""
        if level == len(self._levels):
            self._levels.append([])
        runs = self._levels[level]
        runs.append(_spill(lines))
        if len(runs) == MAX_RUNS:
            self._levels[level] = []
            self.add(heapq.merge(*runs), level + 1)

    def merge(self, rest: list[bytes]) -> Iterator[bytes]:
        """Yield the lines of all files and other sorted lines, sorted."""
        runs = [run for level in self._levels for run in level]
        return heapq.merge(*runs, rest) if runs else iter(rest)


def _spill(lines: Iterable[bytes]) -> Iterator[bytes]:
    file = storage.open_scratch()
    file.writelines(line + b'\n' for line in lines)
    file.seek(0)
    return (line[:-1] for line in file)


def add_key(key: bytes, row: bytes) -> bytes:
    """Make a keyed line.

    >>> add_key(b'a', b'x') < add_key(b'a', b'y') < add_key(b'ab', b'a')
    True
    """
    return b'%b\0%b' % (key, row)


def split_key(line: bytes) -> tuple[bytes, bytes]:
    """Split a keyed line into key and row.

    >>> split_key(add_key(b'a', b'x\\0y'))
    (b'a', b'x\\x00y')
    """
    key, _, row = line.partition(b'\0')
    return key, row


def sort_rows(keyed: Iterable[Keyed]) -> Iterator[bytes]:
    """Sort rows by their keys, and rows with equal keys by their bytes.

    >>> list(sort_rows([(b'2', b'a'), (b'10', b'b'), (b'10', b'a')]))
    [b'a', b'b', b'a']
    """
    lines = sort_lines(add_key(key, row) for key, row in keyed)
    return (split_key(line)[1] for line in lines)


def group_rows(lines: Iterable[bytes]) -> Iterator[tuple[bytes, Iterator[bytes]]]:
    """Sort keyed lines; yield each key with its rows.

    The rows have to be read before the next key.

    >>> [(key, list(rows)) for key, rows in group_rows([b'b\\0x', b'a\\0z', b'a\\0y'])]
    [(b'a', [b'y', b'z']), (b'b', [b'x'])]
    """
    pairs = map(split_key, sort_lines(lines))
    for key, group in groupby(pairs, lambda pair: pair[0]):
        yield key, (row for _, row in group)


def descending(number: int) -> bytes:
    """Make a part of a key by which the largest number comes first.

    >>> sorted([9, 10, 0, 10**12], key=descending)
    [1000000000000, 10, 9, 0]
    """
    return b'%0*d' % (DIGITS, 10**DIGITS - 1 - number)


def parse_descending(key: bytes) -> int:
    """Return the number of a key that begins with a part of `descending`.

    >>> parse_descending(descending(7) + b'x')
    7
    """
    return 10**DIGITS - 1 - int(key[:DIGITS])
