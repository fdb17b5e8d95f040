"""Large stars and small stars: operations that shorten the paths of a graph.

R. Kiveris, S. Lattanzi, V. Mirrokni, V. Rastogi, S. Vassilvitskii, *Connected
Components in MapReduce and Beyond* (SoCC 2014). Both keep components as they are.

Small star: each number joins its smaller neighbors, and itself, to the smallest one.
Large star: each number joins its larger neighbors to the smallest of all, or itself.

If the edges are stars around the smallest number of each component, a large star
returns them unchanged. No operation increases the sum of the numbers of all edges, and
edges that are no such stars decrease it within a round. So rounds of both come to an
end.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from mr_reuse import storage
from mr_reuse.components import edges
from mr_reuse.components.edges import Edges
from mr_reuse.shuffle import packing, spilling
from mr_reuse.shuffle.protocol import Line


class Groups:
    """Neighbors of sorted numbers that arrive in pieces, so a group may be divided.

    >>> groups = Groups()
    >>> for rows in ([[5, 5, 7], [1, 2, 3]], [[7, 8], [6, 9]]):
    ...     print(groups.add(Edges(*np.array(rows))).tolist())
    [1, 1, 3]
    [3, 9]
    """

    def __init__(self) -> None:
        self._last = (-1, -1)  # a number, and its smallest neighbor

    def add(self, rows: Edges) -> np.ndarray:
        """Return the smallest neighbor of the number of each row."""
        starts = packing.group_starts(rows.numbers)
        smallest = rows.neighbors[starts]
        if int(rows.numbers[0]) == self._last[0]:
            smallest[0] = self._last[1]
        self._last = int(rows.numbers[-1]), int(smallest[-1])
        return np.repeat(smallest, np.diff(starts, append=len(rows.numbers)))


def sort_edges(values: Iterable[bytes]) -> Iterator[Edges]:
    """Yield the distinct edges of lines, sorted by both numbers, in pieces."""
    table = spilling.MergeTable([], storage.open_scratch)
    for value in values:
        table.add(edges.to_keys(edges.unpack(value)))
    yield from (edges.from_keys(rows) for rows in table.drain() if len(rows.keys))


def make_small_stars(pieces: Iterable[Edges]) -> Iterator[Edges]:
    """Yield the small stars of sorted edges, the larger number of each first.

    >>> pieces = [Edges(*np.array([[5, 5, 7], [1, 2, 3]]))]
    >>> [column.tolist() for column in next(make_small_stars(pieces))]
    [[5, 2, 7], [1, 1, 3]]
    """
    groups = Groups()
    for rows in pieces:
        smallest = groups.add(rows)
        # The row of the smallest neighbor is the edge of the number itself.
        is_smallest = rows.neighbors == smallest
        yield Edges(np.where(is_smallest, rows.numbers, rows.neighbors), smallest)


class LargeStars:
    """Makes large stars of sorted edges, which are there in both directions.

    `counts` describe the edges that were read. If `unsettled` is 0 in all partitions,
    they are stars around the smallest number of each component.
    """

    def __init__(self) -> None:
        self.counts = {'edges': 0, 'unsettled': 0, 'components': 0, 'largest': 0}
        self._center, self._size = -1, 0  # the last number without smaller neighbors

    def make(self, pieces: Iterable[Edges]) -> Iterator[Edges]:
        """Yield the large stars of the edges of a partition."""
        groups = Groups()
        for rows in pieces:
            smallest = groups.add(rows)
            is_center = smallest > rows.numbers
            self._count_stars(rows.numbers[is_center])
            is_unsettled = (rows.neighbors != smallest) & ~is_center
            self.counts['unsettled'] += int(is_unsettled.sum())
            larger = rows.neighbors > rows.numbers
            self.counts['edges'] += int(larger.sum())
            yield Edges(
                rows.neighbors[larger], np.minimum(rows.numbers, smallest)[larger]
            )

    def _count_stars(self, centers: np.ndarray) -> None:
        """Count the stars of sorted centers, one for each edge of theirs."""
        if not len(centers):
            return
        starts = packing.group_starts(centers)
        sizes = np.diff(starts, append=len(centers))
        is_same = int(centers[0]) == self._center
        sizes[0] += self._size if is_same else 1
        sizes[1:] += 1  # the center itself
        self.counts['components'] += len(starts) - is_same
        self.counts['largest'] = max(self.counts['largest'], int(sizes.max()))
        self._center, self._size = int(centers[-1]), int(sizes[-1])

    @property
    def stats(self) -> dict[str, Any]:
        """The counts, for the last line of the task."""
        return dict(self.counts)


def pack_by_number(bits: int) -> Callable[[Edges], Iterator[Line]]:
    """Return a function that packs edges for the partitions of their first numbers."""
    return lambda piece: edges.divide(piece, edges.parts_by_hash(piece.numbers, bits))


def pack_both_ways(bits: int) -> Callable[[Edges], Iterator[Line]]:
    """Return a function that packs edges for the partitions of both numbers."""
    pack = pack_by_number(bits)

    def pack_both(piece: Edges) -> Iterator[Line]:
        yield from pack(piece)
        yield from pack(piece.reverse())

    return pack_both
