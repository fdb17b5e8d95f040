"""A forest of the edges of a task: few edges travel, and join the same numbers."""

from collections.abc import Callable, Iterator

from mr_reuse.components import edges, union_find
from mr_reuse.components.edges import Edges
from mr_reuse.shuffle.protocol import Line


class ForestCollector:
    """A `Collector` of edges: replaces them by a forest of at most so many edges.

    `pack` makes the lines of a forest. A forest that has grown to half of the bound is
    sent, and a new one begins.
    """

    def __init__(
        self, pack: Callable[[Edges], Iterator[Line]], most: int = edges.MAX_EDGES
    ):
        self._pack, self._most = pack, most
        self._pieces: list[Edges] = []
        self._size = 0

    def add(self, piece: Edges) -> Iterator[Line]:
        """Add edges."""
        self._pieces.append(piece)
        self._size += len(piece.numbers)
        if self._size >= self._most:
            self._shrink()
            if self._size > self._most // 2:
                yield from self._flush()

    def _shrink(self) -> None:
        self._pieces = [union_find.to_forest(edges.join(self._pieces))]
        self._size = len(self._pieces[0].numbers)

    def _flush(self) -> Iterator[Line]:
        pieces, self._pieces, self._size = self._pieces, [], 0
        for forest in pieces:
            yield from self._pack(forest)

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the remaining edges."""
        self._shrink()
        yield from self._flush()
