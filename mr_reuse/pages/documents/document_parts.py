"""Partitions of documents: ranges of their numbers, so in the order of their rids."""

from collections.abc import Iterator

import numpy as np

from mr_reuse.shuffle import ragged

FEW, MANY = 4, 64  # least numbers; many keep the reducers of a small cluster busy
SMALL = 100_000  # rows; so few need few partitions
MAX_PARTS = 1 << 16


def parts_for(rows: int, per_part: int, total: int) -> int:
    """Choose the number of partitions, for about so many rows of `total` documents.

    >>> parts_for(10, 100, 1000), parts_for(10**6, 100, 10**6), parts_for(5, 1, 3)
    (4, 10000, 3)
    """
    least = FEW if rows < SMALL else MANY
    return max(1, min(total, MAX_PARTS, max(least, rows // per_part)))


def few_parts_for(rows: int, per_part: int, total: int) -> int:
    """Choose the number of partitions if each of them has costs of its own.

    >>> few_parts_for(10, 100, 1000), few_parts_for(10**6, 100, 10**6)
    (4, 10000)
    """
    return max(1, min(total, MAX_PARTS, max(FEW, rows // per_part)))


def parts_of(numbers: np.ndarray, parts: int, total: int) -> np.ndarray:
    """Return the partitions of documents.

    >>> parts_of(np.array([0, 4, 5, 9], np.uint64), 2, 10).tolist()
    [0, 0, 1, 1]
    """
    return numbers.astype(np.uint64) * np.uint64(parts) // np.uint64(max(1, total))


def part_of_number(number: int, parts: int, total: int) -> int:
    """Return the partition of a document."""
    return number * parts // max(1, total)


def first_of_part(part: int, parts: int, total: int) -> int:
    """Return the number of the first document of a partition.

    >>> [first_of_part(part, 3, 10) for part in range(4)]
    [0, 4, 7, 10]
    """
    return -(-part * total // parts)


def split_by_part(parts: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each partition with the indexes of its rows, in their order.

    >>> [(part, rows.tolist()) for part, rows in split_by_part(np.array([1, 0, 1]))]
    [(0, [1]), (1, [0, 2])]
    """
    order = np.argsort(parts, kind='stable')
    for where in ragged.runs_of(parts[order]):
        yield int(parts[order[where.start]]), order[where]
