"""The documents of the grams of a partition, without the kernel."""

import numpy as np

from mr_reuse.quilts import lists
from mr_reuse.shuffle import ragged
from mr_reuse.text.gram_block import KINDS, Grams, sort_grams


class PureTable:
    """Collects the documents of grams. The kernel has the same as `GramTable`.

    It has at most `limit` + 1 documents of a gram, so many only of a common one. The
    first `bits` bits of all keys are the same, which makes the kernel faster.
    """

    def __init__(self, limit: int, bits: int):
        del bits
        self._limit = limit
        self._begin()

    def _begin(self) -> None:
        kinds = np.uint64, np.uint16, np.uint64
        self._entries = [tuple(np.zeros(0, kind) for kind in kinds)]
        self._count = 0

    def add(self, *block: bytes) -> int:
        """Add grams, and numbers of which their documents are indexes.

        The columns are those of `KINDS`, and numbers of 64 bits. Return how many
        entries there are. An entry is a gram in a document.

        >>> columns = [7, 3], [0, 0], [2, 1], [0, 1, 1], [20, 30]
        >>> kinds = (*KINDS, np.uint64)
        >>> table = PureTable(9, 0)
        >>> table.add(*(np.array(*c).tobytes() for c in zip(columns, kinds)))
        3
        >>> np.frombuffer(table.take()[3], np.uint64).tolist()
        [30, 20, 30]
        """
        keys, checks, sizes, documents, numbers = (
            np.frombuffer(column, kind)
            for column, kind in zip(block, (*KINDS, np.uint64), strict=True)
        )
        sizes = sizes.astype(np.int64)
        columns = np.repeat(keys, sizes), np.repeat(checks, sizes), numbers[documents]
        self._entries.append(columns)
        self._count += len(documents)
        return self._count

    def _sort(self) -> Grams:
        columns = zip(*self._entries, strict=True)
        return cut_lists(sort_grams(*map(np.concatenate, columns)), self._limit + 1)

    def compact(self) -> int:
        """Merge the documents of equal grams; return how many entries remain."""
        grams = self._sort()
        sizes = grams.sizes.astype(np.int64)
        keys, checks = np.repeat(grams.keys, sizes), np.repeat(grams.checks, sizes)
        self._entries = [(keys, checks, grams.documents)]
        self._count = len(keys)
        return self._count

    def take(self) -> tuple[bytes, ...]:
        """Return the columns of all grams, with documents of 64 bits; begin anew."""
        grams = self._sort()
        self._begin()
        kinds = (*KINDS[:3], np.uint64)
        columns = zip(grams, kinds, strict=True)
        return tuple(column.astype(kind).tobytes() for column, kind in columns)

    def lists(self) -> tuple:
        """Return the number of grams, and the columns of the lists; begin anew.

        The columns have 32, 32, 64, 64 and 16 bits.
        """
        grams = self._sort()
        self._begin()
        merged, _ = lists.merge(lists.of_grams(select_shared(grams, self._limit)))
        kinds = np.uint32, np.uint32, np.uint64, np.uint64, np.uint16
        columns = zip(merged, kinds, strict=True)
        packed = (column.astype(kind).tobytes() for column, kind in columns)
        return len(grams.keys), *packed


def cut_lists(grams: Grams, limit: int) -> Grams:
    """Cut the documents of each gram to the first `limit`.

    >>> keys, sizes = np.array([3, 7], np.uint64), np.array([2, 1], np.uint64)
    >>> grams = Grams(keys, keys, sizes, np.array([0, 1, 1], np.uint64))
    >>> cut_lists(grams, 1).documents.tolist()
    [0, 1]
    """
    long = np.flatnonzero(grams.sizes > limit)
    if not len(long):
        return grams
    sizes = grams.sizes.copy()
    sizes[long] = limit
    is_kept = np.ones(len(grams.documents), bool)
    starts = ragged.starts_of(grams.sizes)[long] + limit
    is_kept[ragged.indexes_at(starts, grams.sizes[long] - limit)] = False
    return grams._replace(sizes=sizes, documents=grams.documents[is_kept])


def select_shared(grams: Grams, limit: int) -> Grams:
    """Select the grams in at least two documents, and in at most `limit`.

    >>> keys, sizes = np.array([3, 7], np.uint64), np.array([2, 1], np.uint64)
    >>> grams = Grams(keys, keys, sizes, np.array([0, 1, 1], np.uint64))
    >>> shared = select_shared(grams, 2)
    >>> shared.keys.tolist(), shared.documents.tolist()
    ([3], [0, 1])
    """
    shared = (grams.sizes >= 2) & (grams.sizes <= limit)
    where = np.flatnonzero(shared)
    documents = grams.documents[ragged.indexes_of(grams.sizes, where)]
    return Grams(grams.keys[where], grams.checks[where], grams.sizes[where], documents)
