"""The documents of grams: which of them are in a cover, and what each has to have."""

from typing import NamedTuple

import numpy as np

from mr_reuse import kernel
from mr_reuse.quilts.lists import Lists
from mr_reuse.shuffle import ragged

ENTRIES = 500_000  # documents in lists to add up together
NOBODY = -1  # position of a gram that no document of a cover has


class Covered(NamedTuple):
    """The grams of a page in the documents of its cover."""

    first: np.ndarray  # position of the first document that has each gram
    new: np.ndarray  # of each document, the grams that it has first
    shared: np.ndarray  # of each document, the grams that it has


class PureGramLists:
    """Finds the documents of covers in lists. The kernel has the same.

    All numbers have 64 bits. `starts` has the end of the last list, too.
    """

    def __init__(self, starts: bytes, documents: bytes):
        self._starts = np.frombuffer(starts, np.uint64).astype(np.int64)
        self._documents = np.frombuffer(documents, np.uint64)

    def cover(self, lists: bytes, cover: bytes) -> tuple[bytes, bytes, bytes]:
        """Return the columns of `Covered`, with 32, 64 and 64 bits.

        `lists` has the list of each gram, 32 bits, and `cover` documents, 64 bits.

        >>> starts, documents = (np.array(row, np.uint64).tobytes()
        ...                      for row in ([0, 2, 3], [7, 9, 5]))
        >>> lists = np.array([0, 0, 1], np.uint32).tobytes()
        >>> cover = np.array([9, 7], np.uint64).tobytes()
        >>> first, new, _ = PureGramLists(starts, documents).cover(lists, cover)
        >>> np.frombuffer(first, np.int32).tolist(), np.frombuffer(new, int).tolist()
        ([0, 0, -1], [2, 0])
        """
        numbers = np.frombuffer(cover, np.uint64)
        order = np.argsort(numbers)
        chosen, counts = np.unique(np.frombuffer(lists, np.uint32), return_counts=True)
        sizes = np.diff(self._starts)
        if len(chosen) and chosen[-1] >= len(sizes):
            raise ValueError('no such list')
        documents = self._documents[ragged.indexes_of(sizes, chosen)]
        owners = np.repeat(np.arange(len(chosen)), sizes[chosen])
        at = np.searchsorted(numbers[order], documents)
        inside = at < len(numbers)
        owners, documents, at = owners[inside], documents[inside], order[at[inside]]
        is_it = numbers[at] == documents
        owners, at = owners[is_it], at[is_it]
        size = len(numbers)
        first = np.full(len(chosen), size)
        np.minimum.at(first, owners, at)
        new, shared = np.zeros(size + 1, np.uint64), np.zeros(size, np.uint64)
        np.add.at(new, first, counts.astype(np.uint64))
        np.add.at(shared, at, counts[owners].astype(np.uint64))
        first[first == size] = NOBODY
        places = np.searchsorted(chosen, np.frombuffer(lists, np.uint32))
        columns = first[places].astype(np.int32), new[:size], shared
        return tuple(column.tobytes() for column in columns)


class GramLists:
    """The documents of grams, with the kernel if there is one."""

    def __init__(self, lists: Lists):
        loaded = kernel.load()
        make = loaded.GramLists if loaded else PureGramLists
        starts = np.append(ragged.starts_of(lists.sizes), lists.sizes.sum())
        columns = (column.astype(np.uint64) for column in (starts, lists.documents))
        self._lists = make(*(column.tobytes() for column in columns))
        self._of_grams = np.repeat(
            np.arange(len(lists.counts), dtype=np.uint32),
            lists.counts.astype(np.int64),
        )

    def cover(self, grams: np.ndarray, documents: list[int]) -> Covered:
        """Find some grams, by their numbers, in the documents of a cover."""
        lists = self._of_grams[grams].tobytes()
        cover = np.array(documents, np.uint64).tobytes()
        columns = zip(
            self._lists.cover(lists, cover),
            (np.int32, np.uint64, np.uint64),
            strict=True,
        )
        return Covered(*(np.frombuffer(data, kind) for data, kind in columns))


class Claims:
    """What lists say of documents: how many grams each has, and the sum of their keys.

    The documents have the numbers from `first` on, before `end`.
    """

    def __init__(self, lists: Lists, first: int, end: int):
        self._first = first
        self._counts, self._sums = np.zeros((2, end - first), np.uint64)
        if not len(lists.sizes):
            return
        sums = np.add.reduceat(lists.keys, ragged.starts_of(lists.counts))
        begin = 0
        for where in ragged.cut_by_size(lists.sizes, ENTRIES):
            sizes = lists.sizes[where].astype(np.int64)
            end = begin + int(sizes.sum())
            documents = lists.documents[begin:end].astype(np.int64) - first
            inside = (documents >= 0) & (documents < len(self._counts))
            owners = np.repeat(np.arange(where.start, where.stop), sizes)[inside]
            documents = documents[inside]
            np.add.at(self._counts, documents, lists.counts[owners].astype(np.uint64))
            np.add.at(self._sums, documents, sums[owners])
            begin = end

    def fit(self, document: int, keys: np.ndarray) -> bool:
        """Test whether these are the keys of the grams of a document.

        >>> column = np.array([1], np.uint64)
        >>> lists = Lists(2 * column, 2 * column, np.array([3, 4]),
        ...               np.array([5, 9], np.uint64), column)
        >>> claims = Claims(lists, 4, 6)
        >>> claims.fit(4, np.array([9, 5])), claims.fit(4, np.array([9, 9]))
        (True, False)
        """
        at = document - self._first
        total = int(keys.sum(dtype=np.uint64))
        return (len(keys), total) == (int(self._counts[at]), int(self._sums[at]))
