"""Operations on sets of digests that do not fit into memory.

A set is a sorted array, which may be a mapped file. Slices of it are read in order.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np

from mr_reuse.shuffle.digest_index import DigestIndex, sort_distinct

ROWS = 1 << 20  # of a slice, over all arrays


def slice_arrays(arrays: Sequence[np.ndarray], rows: int = ROWS) -> Iterator[list]:
    """Divide sorted arrays at the same digests; yield a list of slices, one an array.

    The slices of a list have at most `rows` rows, or one row each if that is more.

    >>> a, b = (np.frombuffer(d, np.uint8).reshape(-1, 2) for d in (b'aaccee', b'bb'))
    >>> [[s.tobytes() for s in both] for both in slice_arrays([a, b], 2)]
    [[b'aa', b'bb'], [b'cc', b''], [b'ee', b'']]
    """
    step = max(1, rows // max(1, len(arrays)))
    cuts = {a[i].tobytes() for a in arrays for i in range(step, len(a), step)}
    starts = [0] * len(arrays)
    for cut in [*sorted(cuts), None]:
        ends = [
            len(array) if cut is None else _index_of(array, cut, start)
            for array, start in zip(arrays, starts, strict=True)
        ]
        bounds = zip(arrays, starts, ends, strict=True)
        yield [array[a:b] for array, a, b in bounds]
        starts = ends


def _index_of(array: np.ndarray, cut: bytes, start: int) -> int:
    rows = range(len(array))
    return bisect_left(rows, cut, lo=start, key=lambda i: array[i].tobytes())


def unite(arrays: Sequence[np.ndarray], rows: int = ROWS) -> Iterator[np.ndarray]:
    """Yield the union of sorted arrays, sorted, in pieces."""
    for parts in slice_arrays(arrays, rows):
        yield sort_distinct(np.concatenate(parts))


def subtract(
    array: np.ndarray, others: Sequence[np.ndarray], rows: int = ROWS
) -> Iterator[np.ndarray]:
    """Yield the digests of a sorted array that are in none of the others, in pieces."""
    for keys, *parts in slice_arrays([array, *others], rows):
        rest = keys
        for part in parts:
            rest = rest[DigestIndex(part).find(rest) < 0]
        yield rest


def count_shared(left: np.ndarray, right: np.ndarray) -> int:
    """Count the digests that are in both of two sorted arrays.

    >>> a, b = (np.frombuffer(d, np.uint8).reshape(-1, 2) for d in (b'aabb', b'bbcc'))
    >>> count_shared(a, b)
    1
    """
    pairs = slice_arrays([left, right])
    return sum(int((DigestIndex(b).find(a) >= 0).sum()) for a, b in pairs)
