"""In how many dimensions fingerprints agree, and whether they are alike.

A fingerprint is a row of keys. A key with all bits set says that its dimension is
empty. Such a dimension agrees with none.
"""

from typing import NamedTuple

import numpy as np

from mr_reuse import kernel

AT_ONCE = 1 << 16  # rows


class Likeness(NamedTuple):
    """When two fingerprints are alike, and which ones of a bucket are compared.

    They agree in at least t dimensions. If it normalizes, dimensions that are empty in
    both do not count: the share of the others that agree is at least t / m.

    In buckets of at most `all_pairs` rows all are compared. In larger ones each row is
    compared with at most `representatives`, which are the first that were alike none.
    """

    t: int
    normalizes: bool = False
    all_pairs: int = 1000
    representatives: int = 250


class Agreement(NamedTuple):
    """How many dimensions of rows agree with those of one row."""

    agreeing: np.ndarray
    both_empty: np.ndarray


class Nearest(NamedTuple):
    """The row that is most similar to each of some rows; the first of several."""

    rows: np.ndarray
    agreement: Agreement
    similarity: np.ndarray


def count_agreeing(one: np.ndarray, rows: np.ndarray) -> Agreement:
    """Compare a fingerprint with many.

    >>> rows = np.array([[1, 2, 255], [1, 3, 255], [4, 2, 5]], np.uint8)
    >>> found = count_agreeing(rows[0], rows)
    >>> found.agreeing.tolist(), found.both_empty.tolist()
    ([2, 1, 1], [1, 1, 0])
    """
    loaded = kernel.load()
    if loaded is None:
        return pure_agreeing(one, rows)
    found = loaded.agree(one.tobytes(), rows.tobytes(), one.itemsize)
    return Agreement(*np.frombuffer(found, np.uint8).reshape(-1, 2).T)


def pure_agreeing(one: np.ndarray, rows: np.ndarray) -> Agreement:
    """Return the same as `count_agreeing`. This defines its result."""
    found = np.zeros((2, len(rows)), np.uint8)
    is_empty = one == np.iinfo(one.dtype).max
    for start in range(0, len(rows), AT_ONCE):
        equal = rows[start : start + AT_ONCE] == one
        stop = start + len(equal)
        found[0, start:stop] = np.count_nonzero(equal & ~is_empty, axis=1)
        if is_empty.any():
            found[1, start:stop] = np.count_nonzero(equal & is_empty, axis=1)
    return Agreement(*found)


def find_nearest(some: np.ndarray, rows: np.ndarray, normalizes: bool) -> Nearest:
    """Find the nearest row of each of some fingerprints.

    >>> rows = np.array([[1, 2, 255], [1, 3, 255], [4, 2, 5]], np.uint8)
    >>> some = np.array([[1, 3, 6], [4, 2, 9], [7, 7, 7]], np.uint8)
    >>> found = find_nearest(some, rows, False)
    >>> found.rows.tolist(), found.agreement.agreeing.tolist()
    ([1, 2, 0], [2, 2, 0])
    """
    m, data, loaded = rows.shape[1], rows.tobytes(), kernel.load()
    nearest = np.zeros(len(some), np.int64)
    counts = np.zeros((2, len(some)), np.uint8)
    for number, one in enumerate(some):
        if loaded is None:
            found = np.stack(pure_agreeing(one, rows))
        else:
            pairs = loaded.agree(one.tobytes(), data, one.itemsize)
            found = np.frombuffer(pairs, np.uint8).reshape(-1, 2).T
        best = found[0]
        if normalizes:
            best = found[0] / np.maximum(1, m - found[1].astype(np.int64))
        at = nearest[number] = int(best.argmax())
        counts[:, number] = found[:, at]
    agreement = Agreement(*counts)
    return Nearest(nearest, agreement, find_similarities(agreement, m, normalizes))


def find_similarities(agreement: Agreement, m: int, normalizes: bool) -> np.ndarray:
    """Return similarities; two fractions differ if and only if these do.

    >>> find_similarities(Agreement(np.array([1]), np.array([2])), 4, True).tolist()
    [0.5]
    """
    agreeing, both_empty = (column.astype(np.int64) for column in agreement)
    return agreeing / (np.maximum(1, m - both_empty) if normalizes else m)


def compare_pairs(some: np.ndarray, rows: np.ndarray) -> Agreement:
    """Compare each fingerprint with the row of the same place.

    >>> some = np.array([[1, 2, 255], [1, 3, 255]], np.uint8)
    >>> found = compare_pairs(some, some[::-1])
    >>> found.agreeing.tolist(), found.both_empty.tolist()
    ([1, 1], [1, 1])
    """
    is_equal, is_empty = some == rows, some == np.iinfo(some.dtype).max
    columns = is_equal & ~is_empty, is_equal & is_empty
    return Agreement(*(c.sum(axis=1, dtype=np.uint8) for c in columns))


def are_alike(agreement: Agreement, m: int, likeness: Likeness) -> np.ndarray:
    """Return whether rows of m dimensions are alike.

    >>> agreement = Agreement(np.array([3, 2, 0]), np.array([0, 2, 4]))
    >>> are_alike(agreement, 4, Likeness(3)).tolist()
    [True, False, False]
    >>> are_alike(agreement, 4, Likeness(3, normalizes=True)).tolist()
    [True, True, False]
    """
    agreeing = agreement.agreeing.astype(np.int64)
    if not likeness.normalizes:
        return agreeing >= likeness.t
    both_filled = m - agreement.both_empty.astype(np.int64)
    return (agreeing > 0) & (agreeing * m >= likeness.t * both_filled)
