"""Sets of digests that need not fit into memory: sorted arrays, slice by slice.

The arrays may be mapped files, of which only a slice at a time is looked at.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np

from mr_reuse.shuffle.digest_index import DigestIndex, distinct

ROWS = 1 << 20  # in a slice, of all arrays together


def slices(arrays: Sequence[np.ndarray], rows: int = ROWS) -> Iterator[list]:
    """Sorted arrays side by side, cut at the same digests.

    No slice has more than `rows` rows (but always room for one of each array).

    >>> a, b = (np.frombuffer(d, np.uint8).reshape(-1, 2) for d in (b'aaccee', b'bb'))
    >>> [[s.tobytes() for s in both] for both in slices([a, b], 2)]
    [[b'aa', b'bb'], [b'cc', b''], [b'ee', b'']]
    """
    step = max(1, rows // max(1, len(arrays)))
    cuts = {a[i].tobytes() for a in arrays for i in range(step, len(a), step)}
    starts = [0] * len(arrays)
    for cut in [*sorted(cuts), None]:
        ends = [
            len(array) if cut is None else _place(array, cut, start)
            for array, start in zip(arrays, starts, strict=True)
        ]
        bounds = zip(arrays, starts, ends, strict=True)
        yield [array[a:b] for array, a, b in bounds]
        starts = ends


def _place(array: np.ndarray, cut: bytes, start: int) -> int:
    rows = range(len(array))
    return bisect_left(rows, cut, lo=start, key=lambda i: array[i].tobytes())


def union(arrays: Sequence[np.ndarray], rows: int = ROWS) -> Iterator[np.ndarray]:
    """What is in any of some sorted arrays, sorted, in pieces."""
    for parts in slices(arrays, rows):
        yield distinct(np.concatenate(parts))


def minus(
    array: np.ndarray, others: Sequence[np.ndarray], rows: int = ROWS
) -> Iterator[np.ndarray]:
    """What of a sorted array is in none of the others, in pieces."""
    for keys, *parts in slices([array, *others], rows):
        left = keys
        for part in parts:
            left = left[DigestIndex(part).find(left) < 0]
        yield left


def shared(one: np.ndarray, other: np.ndarray) -> int:
    """How many digests are in both of two sorted arrays.

    >>> a, b = (np.frombuffer(d, np.uint8).reshape(-1, 2) for d in (b'aabb', b'bbcc'))
    >>> shared(a, b)
    1
    """
    pairs = slices([one, other])
    return sum(int((DigestIndex(b).find(a) >= 0).sum()) for a, b in pairs)
