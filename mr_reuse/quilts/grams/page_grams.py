"""The distinct grams of one large page, sorted in bounded memory."""

from collections.abc import Callable, Iterable, Iterator
from typing import IO

import numpy as np

from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.spilling import MergeTable
from mr_reuse.text.gram_hash import hash_grams

WIDTH = 10  # bytes of a gram


def join_gram(keys: np.ndarray, checks: np.ndarray) -> np.ndarray:
    """Join keys and checks to rows of bytes, which sort like the keys.

    >>> rows = join_gram(np.array([1], np.uint64), np.array([2], np.uint16))
    >>> rows.tobytes().hex(), split_gram(rows)
    ('00000000000000010002', (array([1], dtype=uint64), array([2], dtype=uint16)))
    """
    rows = np.empty((len(keys), WIDTH), np.uint8)
    rows[:, :8] = keys.astype('>u8').view(np.uint8).reshape(-1, 8)
    rows[:, 8:] = checks.astype('>u2').view(np.uint8).reshape(-1, 2)
    return rows


def split_gram(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Split the result of `join_gram`."""
    keys = np.ascontiguousarray(rows[:, :8]).view('>u8').ravel().astype(np.uint64)
    checks = np.ascontiguousarray(rows[:, 8:]).view('>u2').ravel().astype(np.uint16)
    return keys, checks


class PageGrams:
    """The grams of a page whose words come in parts, given by their lanes."""

    def __init__(
        self, k: int, parts: Iterable[np.ndarray], spill: Callable[[], IO[bytes]]
    ):
        self._table = MergeTable([], spill)
        for lanes in join_ends(parts, k):
            rows = join_gram(*hash_grams(lanes, k))
            self._table.add(Rows(rows, ()))

    def distinct(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield keys and checks of all distinct grams, sorted, in pieces."""
        for rows in self._table.drain():
            if len(rows.keys):
                yield split_gram(rows.keys)


def join_ends(parts: Iterable[np.ndarray], k: int) -> Iterator[np.ndarray]:
    """Yield parts of a page with the last k - 1 words before each.

    Each gram is in exactly one of them.

    >>> parts = [np.array([1, 2, 3]), np.array([4]), np.array([5, 6])]
    >>> [part.tolist() for part in join_ends(parts, 3)]
    [[1, 2, 3], [2, 3, 4], [3, 4, 5, 6]]
    """
    end = None
    for part in parts:
        joined = part if end is None else np.concatenate([end, part])
        end = joined[max(0, len(joined) - k + 1) :]
        yield joined
