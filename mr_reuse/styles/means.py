"""How similar the fingerprints of a cluster are: exact sums, in linear time."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mr_reuse.algorithms.agreement import count_agreeing
from mr_reuse.styles.fingerprints import empty_of

AT_ONCE = 32 << 20  # bytes of keys to sort at a time; sorting takes ten times as many


def count_matches(keys: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the sum of the matches of each row with all others.

    A match is a dimension in which both have the same key. `keys` has the fingerprints
    of all documents, and `rows` are those of a cluster.

    >>> keys = np.array([[1, 2], [1, 2], [0, 0], [1, 255]], np.uint8)
    >>> count_matches(keys, np.array([0, 1, 3])).tolist()
    [3, 3, 2]
    """
    sums = np.zeros(len(rows), np.int64)
    for columns in divide_columns(keys.shape[1], len(rows) * keys.itemsize):
        sums += _matches_of(np.ascontiguousarray(keys[:, columns][rows].T))
    return sums


def divide_columns(count: int, size: int) -> Iterator[slice]:
    """Divide columns of some bytes each into slices that are sorted together.

    >>> list(divide_columns(128, 16 << 20))[:2]
    [slice(0, 2, None), slice(2, 4, None)]
    """
    step = max(1, AT_ONCE // size)
    for start in range(0, count, step):
        yield slice(start, start + step)


def _matches_of(columns: np.ndarray) -> np.ndarray:
    """Return the sum of the matches of each row, given the columns one by one."""
    order = np.argsort(columns, axis=1, kind='stable')  # linear for 16 bits
    values = np.take_along_axis(columns, order, axis=1)
    is_start = np.ones(values.shape, bool)
    is_start[:, 1:] = values[:, 1:] != values[:, :-1]
    starts = np.flatnonzero(is_start)
    sizes = np.diff(starts, append=values.size)
    others = sizes - 1
    others[values.ravel()[starts] == empty_of(values)] = 0
    matches = np.empty(values.shape, np.int64)
    of_row = np.repeat(others, sizes).reshape(values.shape)
    np.put_along_axis(matches, order, of_row, axis=1)
    return matches.sum(axis=0)


def mean_similarity(matches: np.ndarray, m: int) -> Fraction:
    """Return the mean similarity of two different rows, by the matches of each.

    >>> mean_similarity(np.array([3, 3, 2]), 2)
    Fraction(2, 3)
    """
    count = len(matches)
    return Fraction(int(matches.sum()), m * count * (count - 1))


def normalized_mean(keys: np.ndarray, rows: np.ndarray, matches: int) -> Fraction:
    """Return the same if dimensions that are empty in both rows do not count.

    `matches` is the sum of all matches. Different rows with empty dimensions are
    compared with each other, so this is not linear in their number.

    >>> keys = np.array([[1, 2], [1, 255], [1, 255]], np.uint8)
    >>> normalized_mean(keys, np.arange(3), 6)
    Fraction(2, 3)
    """
    count, m = len(rows), keys.shape[1]
    pairs = count * (count - 1)
    has_empty = np.concatenate(
        [
            (keys[rows[start : start + 4096]] == empty_of(keys)).any(axis=1)
            for start in range(0, count, 4096)
        ]
    )
    some = rows[has_empty]
    both_empty = _sum_by_empty(keys, some) if len(some) > 1 else {}
    within = sum(both_empty.values())
    sums = both_empty | {0: both_empty.get(0, 0) + matches - within}
    mean = sum(Fraction(total, m - empty) for empty, total in sums.items() if total)
    return Fraction(mean) / pairs


def _sum_by_empty(keys: np.ndarray, rows: np.ndarray) -> dict[int, int]:
    """Return the sums of matches by the number of dimensions that are empty in both."""
    distinct, counts = np.unique(keys[rows], axis=0, return_counts=True)
    sums: dict[int, int] = {}
    for at, count in enumerate(counts.tolist()):
        agreeing, both_empty = count_agreeing(distinct[at], distinct[at:])
        # Each pair of different rows counts twice, once from either end.
        weights = 2 * counts[at:]
        weights[0] = count - 1
        totals = np.zeros(keys.shape[1] + 1, np.int64)
        np.add.at(totals, both_empty, weights * agreeing)
        for empty in np.flatnonzero(totals).tolist():
            sums[empty] = sums.get(empty, 0) + count * int(totals[empty])
    return sums
