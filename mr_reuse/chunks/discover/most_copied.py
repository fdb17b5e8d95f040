"""The limits of `--top`: the digests with the most copies, by one pass over the counts.

A chunk that may not be a label is passed over, so that there are as many labels as the
user wants.
"""

import heapq
from collections import Counter
from collections.abc import Iterable

import numpy as np

from mr_reuse.chunks.discover.label_rule import ChosenThreshold, Limit, StopList
from mr_reuse.messages import format_count
from mr_reuse.shuffle import packing, protocol
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.partitions import unit_of

ONE_COPY = 1  # of a digest that is not copied at all
SPARE = 100_000  # digests in memory beyond those that are wanted


class MostCopied:
    """The most copied of many digests: most copies first, then by digest."""

    def __init__(self, size: int):
        self._size = size
        self._kept: list[Rows] = []
        self._rows = 0
        self.limit = Limit(ONE_COPY)

    def add(self, rows: Rows) -> None:
        """Add counted digests; those with one copy are ignored.

        >>> top = MostCopied(2)
        >>> top.add(packing.make_rows(b'aabbccdd', 2, [5, 9, 5, 1]))
        >>> top.finish()
        Limit(threshold=4, last='6161')
        """
        rows = Rows(rows.keys, rows.columns[:1])
        rows = rows.take(self.limit.select(rows))
        self._kept.append(rows)
        self._rows += len(rows.keys)
        if self._rows > 2 * self._size + SPARE:
            self._prune()

    def finish(self) -> Limit:
        """Return the limit of the digests to keep."""
        self._prune()
        return self.limit

    def _prune(self) -> None:
        if self._rows <= self._size:
            return
        rows = packing.join(self._kept)
        copies = rows.columns[0]
        least = int(
            -np.partition(-copies.astype(np.int64), self._size - 1)[self._size - 1]
        )
        missing = self._size - int((copies > least).sum())
        ties = (key.tobytes() for key in rows.keys[copies == least])
        last = heapq.nsmallest(missing, ties)[-1]
        self.limit = Limit(least - 1, last.hex())
        self._kept = [rows.take(self.limit.select(rows))]
        self._rows = len(self._kept[0].keys)


def choose_limits(
    parts: Iterable[str], size: int, min_len: int, stop_list: StopList
) -> ChosenThreshold:
    """Choose the limits of chunks and of files by the counts of all digests."""
    top = {unit: MostCopied(size) for unit in ('chunk', 'file')}
    for key, value in protocol.read_parts(parts):
        unit, rows = unit_of(key), packing.unpack(value)
        if unit == 'chunk':
            copies, _, length = rows.columns
            rows = rows.take((copies > ONE_COPY) & (length > min_len))
            rows = rows.take(~stop_list.test(rows.keys, Counter()))
        top[unit].add(rows)
    chunks, files = (top[unit].finish() for unit in ('chunk', 'file'))
    reason = f'the {format_count(size, "chunk")} with the most copies'
    return ChosenThreshold(chunks.threshold, reason, chunks.last, files)
