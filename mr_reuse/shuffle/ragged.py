"""Columns of numbers with different lengths in a line, and lists laid end to end.

A list of lists is two columns: the sizes of the lists, and their elements one after
another.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pybase64 as base64

MAX_BYTES = 600_000  # of the columns of a line; in base64 they make 800,000


def pack_columns(columns: Sequence[np.ndarray]) -> bytes:
    """Pack columns of numbers: `LENGTH*WIDTH,…:BASE64`, each as narrow as it can be.

    >>> line = pack_columns([np.array([1, 2]), np.array([700])]); line
    b'2*1,1*2:AQK8Ag=='
    >>> [column.tolist() for column in unpack_columns(line)]
    [[1, 2], [700]]
    """
    narrow = [column.astype(_narrowest(column), copy=False) for column in columns]
    head = ','.join(f'{len(c)}*{c.itemsize}' for c in narrow).encode()
    return head + b':' + base64.b64encode(b''.join([c.tobytes() for c in narrow]))


def _narrowest(column: np.ndarray) -> str:
    top = int(column.max(initial=0))
    return next(f'<u{n}' for n in (1, 2, 4, 8) if top < 1 << (8 * n))


def unpack_columns(value: bytes) -> list[np.ndarray]:
    """Unpack columns; raise ValueError if the value is damaged."""
    head, _, text = value.rstrip(b'\t').partition(b':')
    data, columns, start = base64.b64decode(text, validate=True), [], 0
    for shape in head.split(b','):
        length, width = map(int, shape.split(b'*'))
        end = start + length * width
        columns.append(np.frombuffer(data[start:end], f'<u{width}'))
        start = end
    if start != len(data):
        raise ValueError('a line is damaged: its columns have different lengths')
    return columns


def starts_of(sizes: np.ndarray) -> np.ndarray:
    """Return the index at which each list begins.

    >>> starts_of(np.array([2, 1, 3])).tolist()
    [0, 2, 3]
    """
    return np.cumsum(sizes, dtype=np.int64) - sizes.astype(np.int64)


def indexes_of(sizes: np.ndarray, lists: np.ndarray) -> np.ndarray:
    """Return the indexes of the elements of some lists, in their order.

    >>> indexes_of(np.array([2, 1, 3]), np.array([2, 0])).tolist()
    [3, 4, 5, 0, 1]
    """
    return indexes_at(starts_of(sizes)[lists], sizes[lists])


def indexes_at(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the indexes of the elements of lists that begin there, in their order.

    >>> indexes_at(np.array([3, 0]), np.array([3, 2])).tolist()
    [3, 4, 5, 0, 1]
    """
    wanted = sizes.astype(np.int64)
    shift = starts - starts_of(wanted)
    return np.repeat(shift, wanted) + np.arange(int(wanted.sum()))


def cut_by_size(sizes: np.ndarray, bound: int) -> Iterator[slice]:
    """Divide rows with these sizes into slices of about `bound` in all.

    >>> list(cut_by_size(np.array([3, 3, 9, 1]), 5))
    [slice(0, 1, None), slice(1, 2, None), slice(2, 4, None)]
    """
    return runs_of(np.cumsum(sizes, dtype=np.int64) // bound)


def runs_of(values: np.ndarray) -> Iterator[slice]:
    """Yield the slices of equal neighbors.

    >>> list(runs_of(np.array([7, 7, 3])))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    ends = [*(np.flatnonzero(values[1:] != values[:-1]) + 1).tolist(), len(values)]
    start = 0
    for end in ends:
        if end > start:
            yield slice(start, end)
        start = end
