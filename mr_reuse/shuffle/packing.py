"""Pack many small rows into a line, and merge rows by key.

A row is a key of fixed width, which is a digest, and a few integers. A line of at most
a megabyte holds a column of keys and columns of numbers, in base64.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pybase64 as base64

MAX_ROWS = 12_000  # of a line; with the widest columns they fill most of a megabyte


class Rows(NamedTuple):
    """Keys, as an array with a row of bytes a key, and columns of numbers."""

    keys: np.ndarray
    columns: tuple[np.ndarray, ...]

    def take(self, index) -> 'Rows':
        """Return the rows of an index: a slice, a mask or row numbers."""
        return Rows(self.keys[index], tuple(c[index] for c in self.columns))


def make_rows(data: bytes, width: int, *columns: Sequence[int]) -> Rows:
    """Make rows from concatenated keys and columns of numbers.

    >>> make_rows(b'aabb', 2, [1, 2]).columns[0].tolist()
    [1, 2]
    """
    keys = np.frombuffer(data, np.uint8).reshape(-1, width)
    return Rows(keys, tuple(np.asarray(c, np.uint64) for c in columns))


def join(parts: Sequence[Rows]) -> Rows:
    """Concatenate rows."""
    columns = zip(*(part.columns for part in parts), strict=True)
    return Rows(
        np.concatenate([part.keys for part in parts]),
        tuple(np.concatenate(column) for column in columns),
    )


def pack(rows: Rows) -> bytes:
    """Pack rows into the value of a line: the widths, then all columns in base64.

    >>> line = pack(make_rows(b'aabb', 2, [1, 2], [3, 70000])); line
    b'2,1,4:YWFiYgECAwAAAHARAQA='
    >>> [c.tolist() for c in unpack(line).columns]
    [[1, 2], [3, 70000]]
    """
    columns = [column.astype(_narrowest(column)) for column in rows.columns]
    parts = [rows.keys.tobytes(), *(column.tobytes() for column in columns)]
    widths = [rows.keys.shape[1], *(column.itemsize for column in columns)]
    return b'%b:%b' % (_head(widths), base64.b64encode(b''.join(parts)))


def _head(widths: Sequence[int]) -> bytes:
    return ','.join(map(str, widths)).encode('ascii')


def _narrowest(column: np.ndarray) -> str:
    top = int(column.max(initial=0))
    return next(f'<u{n}' for n in (1, 2, 4, 8) if top < 1 << (8 * n))


def unpack(line: bytes) -> Rows:
    """Unpack the rows of a value, which may end with a tab that Hadoop has added."""
    head, _, data = line.rstrip(b'\t').partition(b':')
    return unpack_raw(head, [base64.b64decode(data, validate=True)])


def first_key(line: bytes) -> bytes:
    """Return the first key of a value, without unpacking the others.

    >>> first_key(pack(make_rows(b'aabb', 2, [1, 2])))
    b'aa'
    """
    head, _, data = line.partition(b':')
    width = int(head.partition(b',')[0])
    return base64.b64decode(data[: -(-width // 3) * 4])[:width]


class Columns:
    """A buffer of the rows of many lines with the same widths."""

    def __init__(self, head: bytes):
        self._widths = [int(width) for width in head.split(b',')]
        self._size = sum(self._widths)
        self._payloads: list[bytes] = []
        self.counts: list[int] = []  # of the rows of each line

    def add(self, payload: bytes) -> int:
        """Add the decoded columns of a line; return its number of rows."""
        count, rest = divmod(len(payload), self._size)
        if rest:
            raise ValueError('a line is damaged: its columns have different lengths')
        self._payloads.append(payload)
        self.counts.append(count)
        return count

    def rows(self) -> Rows:
        """Return all rows."""
        keys, *columns = map(self._join_column, range(len(self._widths)))
        numbers = zip(columns, self._widths[1:], strict=True)
        return Rows(
            np.frombuffer(keys, np.uint8).reshape(-1, self._widths[0]),
            tuple(np.frombuffer(c, f'<u{w}').astype(np.uint64) for c, w in numbers),
        )

    def _join_column(self, number: int) -> bytes:
        start = sum(self._widths[:number])
        end = start + self._widths[number]
        lines = zip(self._payloads, self.counts, strict=True)
        return b''.join([data[start * n : end * n] for data, n in lines])


def unpack_raw(head: bytes, payloads: Iterable[bytes]) -> Rows:
    """Unpack the decoded columns of several lines with the same widths."""
    columns = Columns(head)
    for payload in payloads:
        columns.add(payload)
    return columns.rows()


def prefixes(keys: np.ndarray) -> np.ndarray:
    """Return the first eight bytes of keys as numbers, which sort like the keys."""
    return _words(keys[:, :8])[:, 0]


def _words(keys: np.ndarray) -> np.ndarray:
    """Return keys as rows of numbers, which sort like the keys; zeros fill the last.

    >>> _words(make_rows(b'a' * 8 + b'b', 9).keys).tolist() == [
    ...     [int.from_bytes(b'a' * 8, 'big'), int.from_bytes(b'b' + bytes(7), 'big')]
    ... ]
    True
    """
    count, width = keys.shape
    padded = np.zeros((count, -(-width // 8) * 8), np.uint8)
    padded[:, :width] = keys
    return padded.view('>u8').astype(np.uint64)


def _order_words(words: np.ndarray) -> np.ndarray:
    """Return the order that sorts rows of numbers.

    >>> _order_words(np.array([[7, 2], [5, 9], [7, 1]], np.uint64)).tolist()
    [1, 2, 0]
    """
    order = np.argsort(words[:, -1])
    for column in words.T[-2::-1]:
        order = order[stable_order(column[order])]
    return order


def order_and_groups(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order that sorts keys, and the index in it of each distinct key.

    >>> order, groups = order_and_groups(make_rows(b'bbaabb', 2).keys)
    >>> order[0], groups.tolist()
    (np.int64(1), [0, 1])
    """
    first = prefixes(keys)
    order = np.argsort(first)
    first = first[order]
    same = first[1:] == first[:-1]
    at = np.flatnonzero(same)
    # Sorting by prefixes is fast. Keys with equal prefixes are nearly always equal; if
    # any are not, sort by all bytes.
    if (keys[order[at]] != keys[order[at + 1]]).any():
        order = _order_words(_words(keys))
        sorted_keys = keys[order]
        same = (sorted_keys[1:] == sorted_keys[:-1]).all(axis=1)
    starts = np.flatnonzero(~same) + 1
    return order, np.concatenate([[0], starts]) if len(keys) else starts


def stable_order(values: np.ndarray) -> np.ndarray:
    """Return the order that sorts numbers of 64 bits, and keeps that of equal ones.

    >>> stable_order(np.array([9, 7, 9, 7], np.uint64)).tolist()
    [1, 3, 0, 2]
    """
    # numpy sorts fast only if the sort need not be stable.
    order = np.argsort(values)
    groups = number_groups(group_starts(values[order]), len(order))
    joined = join_halves(groups, order.astype(np.uint64))
    joined.sort()
    return split_halves(joined)[1].astype(np.uint32)


def group_starts(values: np.ndarray) -> np.ndarray:
    """Return the indexes at which runs of equal values or equal keys begin.

    >>> group_starts(np.array([5, 5, 7])).tolist()
    [0, 2]
    >>> group_starts(make_rows(b'aaaabb', 2).keys).tolist()
    [0, 2]
    """
    is_start = np.ones(len(values), bool)
    differs = values[1:] != values[:-1]
    is_start[1:] = differs.any(axis=1) if values.ndim > 1 else differs
    return np.flatnonzero(is_start)


def number_groups(starts: np.ndarray, count: int) -> np.ndarray:
    """Return the number of the group of each of `count` rows, from 0.

    >>> number_groups(np.array([0, 2]), 5).tolist()
    [0, 0, 1, 1, 1]
    """
    numbers = np.arange(len(starts), dtype=np.uint64)
    return np.repeat(numbers, np.diff(starts, append=count))


def join_halves(upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
    """Join two columns of numbers below 2^32, to sort by both at once.

    >>> upper, lower = split_halves(join_halves(*np.array([[1, 2], [9, 8]], np.uint64)))
    >>> upper.tolist(), lower.tolist()
    ([1, 2], [9, 8])
    """
    return upper << np.uint64(32) | lower


def split_halves(joined: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Split the result of `join_halves`."""
    return joined >> np.uint64(32), joined & np.uint64((1 << 32) - 1)


Merge = Callable[[np.ndarray, np.ndarray], np.ndarray]
SUM: Merge = np.add.reduceat
MAX: Merge = np.maximum.reduceat


def merge(rows: Rows, merges: Sequence[Merge]) -> Rows:
    """Sort rows, and merge the numbers of equal keys, column by column.

    >>> merged = merge(make_rows(b'bbaabb', 2, [1, 2, 3]), [SUM])
    >>> merged.keys.tobytes(), merged.columns[0].tolist()
    (b'aabb', [2, 4])
    """
    if not len(rows.keys):
        return rows
    order, groups = order_and_groups(rows.keys)
    columns = zip(rows.columns, merges, strict=True)
    return Rows(
        rows.keys[order[groups]],
        tuple(merge_(column[order], groups) for column, merge_ in columns),
    )


def partition(rows: Rows, bits: int) -> Iterator[tuple[int, Rows]]:
    """Divide sorted rows by the first bits of keys; yield partitions that have rows.

    >>> [(n, len(part.keys)) for n, part in partition(make_rows(b'\\1\\2\\x80', 1), 1)]
    [(0, 2), (1, 1)]
    """
    for part, where in part_slices(rows.keys, bits):
        yield part, rows.take(where)


def part_slices(keys: np.ndarray, bits: int) -> Iterator[tuple[int, slice]]:
    """Divide sorted keys by their first bits; yield partitions that have keys."""
    number = prefixes(keys) >> np.uint64(64 - bits)
    for start, end in itertools.pairwise([*group_starts(number), len(number)]):
        yield int(number[start]), slice(start, end)


def pack_lines(pieces: Iterable[Rows]) -> Iterator[bytes]:
    """Pack rows into values of bounded length."""
    for rows in pieces:
        for start in range(0, len(rows.keys), MAX_ROWS):
            yield pack(rows.take(slice(start, start + MAX_ROWS)))
