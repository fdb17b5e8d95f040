"""The most frequent items of a stream, in bounded memory.

J. Misra, D. Gries, Finding Repeated Elements, 1982.
"""

from collections.abc import Hashable, Iterator
from typing import Any


class Frequent:
    """Counts of the most frequent items.

    The counts are exact up to twice as many distinct items as the capacity. After that
    a count may be too small, by `missing` at most. All items that occur more often than
    `missing` are counted. `missing` is at most the length of the stream divided by the
    capacity.

    >>> found = Frequent(2)
    >>> for item in 'abcabdaea':
    ...     found.add(item)
    >>> list(found), found.missing
    ([('a', 3), ('b', 1)], 1)
    """

    def __init__(self, capacity: int):
        self._capacity = capacity
        self._counts: dict[Any, int] = {}
        self.missing = 0

    def add(self, item: Hashable) -> None:
        """Count an item."""
        self._counts[item] = self._counts.get(item, 0) + 1
        if len(self._counts) > 2 * self._capacity:
            self._drop()

    def _drop(self) -> None:
        # More than `capacity` items lose this count, so that it is at most one in so
        # many of all that were counted.
        least = sorted(self._counts.values(), reverse=True)[self._capacity]
        self.missing += least
        self._counts = {
            item: count - least for item, count in self._counts.items() if count > least
        }

    def __iter__(self) -> Iterator[tuple[Any, int]]:
        """Yield the items with their counts."""
        return iter(self._counts.items())
