"""The grams of many documents, sorted. `gram_hash` defines a gram."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse import kernel
from mr_reuse.text.gram_hash import hash_grams

MAX_PACKED = 1 << 32  # documents with smaller numbers are sorted faster
KINDS = np.uint64, np.uint16, np.uint32, np.uint32  # of the columns of a block


class Grams(NamedTuple):
    """Distinct grams in the order of their keys, with the documents of each."""

    keys: np.ndarray
    checks: np.ndarray
    sizes: np.ndarray  # numbers of documents
    documents: np.ndarray  # of one gram after another, ascending

    def split(self, slices: Iterable[slice]) -> Iterator['Grams']:
        """Divide the grams into slices, which are adjacent."""
        start = 0
        for where in slices:
            sizes = self.sizes[where]
            end = start + int(sizes.sum())
            documents = self.documents[start:end]
            yield Grams(self.keys[where], self.checks[where], sizes, documents)
            start = end


def sort_grams(keys: np.ndarray, checks: np.ndarray, documents: np.ndarray) -> Grams:
    """Sort the grams of documents, and remove repetitions.

    >>> keys, checks = np.array([7, 3, 7, 7], np.uint64), np.zeros(4, np.uint16)
    >>> grams = sort_grams(keys, checks, np.array([2, 2, 1, 2], np.uint64))
    >>> grams.keys.tolist(), grams.sizes.tolist(), grams.documents.tolist()
    ([3, 7], [1, 2], [2, 1, 2])
    """
    if not len(keys):
        empty = np.zeros(0, np.uint64)
        return Grams(keys, checks, empty, documents.astype(np.uint64))
    order = np.argsort(keys)
    keys, checks, documents = keys[order], checks[order], documents[order]
    is_same = keys[1:] == keys[:-1]
    has_collision = (is_same & (checks[1:] != checks[:-1])).any()
    if has_collision or int(documents.max()) >= MAX_PACKED:
        order = np.lexsort((documents, checks, keys))
        keys, checks, documents = keys[order], checks[order], documents[order]
        is_same = (keys[1:] == keys[:-1]) & (checks[1:] == checks[:-1])
        starts = np.concatenate([[0], np.flatnonzero(~is_same) + 1])
        is_kept = np.ones(len(keys), bool)
        is_kept[1:] = ~is_same | (documents[1:] != documents[:-1])
        sizes = np.add.reduceat(is_kept, starts, dtype=np.uint64)
        return Grams(keys[starts], checks[starts], sizes, documents[is_kept])
    # Sorting the numbers of groups and documents, in a word each, takes half as long.
    starts = np.concatenate([[0], np.flatnonzero(~is_same) + 1])
    groups = np.zeros(len(keys), np.uint64)
    groups[1:] = np.cumsum(~is_same)
    packed = groups << np.uint64(32) | documents.astype(np.uint64)
    packed.sort()
    packed = packed[np.append(True, packed[1:] != packed[:-1])]
    sizes = np.bincount((packed >> np.uint64(32)).astype(np.int64)).astype(np.uint64)
    documents = packed & np.uint64(MAX_PACKED - 1)
    return Grams(keys[starts], checks[starts], sizes, documents)


class PureBlock:
    """Collects the grams of documents. The kernel has the same."""

    def __init__(self, k: int):
        self._k = k
        self._found: list[Grams] = []

    def add(self, lanes: bytes, document: int) -> int:
        """Add a document by the lanes of its words; return its number of grams."""
        rows = np.frombuffer(lanes, np.uint64).reshape(-1, 2)
        keys, checks = hash_grams(rows, self._k)
        found = sort_grams(keys, checks, np.full(len(keys), document, np.uint64))
        self._found.append(found)
        return len(found.keys)

    def take(self) -> tuple[bytes, bytes, bytes, bytes]:
        """Return the columns of `GramBlock.take`, and begin anew."""
        empty = np.zeros(0, np.uint64)
        columns = zip(Grams(*[empty] * len(Grams._fields)), *self._found, strict=True)
        keys, checks, _, documents = map(np.concatenate, columns)
        self._found = []
        found = sort_grams(keys, checks.astype(np.uint16), documents)
        columns = zip(found, KINDS, strict=True)
        return tuple(column.astype(kind).tobytes() for column, kind in columns)


class GramBlock:
    """Collects the grams of documents, with the kernel if there is one."""

    def __init__(self, k: int):
        loaded = kernel.load()
        self._block = loaded.Grams(k) if loaded else PureBlock(k)

    def add(self, lanes: np.ndarray, document: int) -> int:
        """Add a document by the lanes of its words; return its number of grams.

        Documents are added in the order of their numbers, which have 32 bits.
        """
        return self._block.add(lanes.tobytes(), document)

    def take(self) -> Grams:
        """Return all grams since the last call.

        >>> block = GramBlock(2)
        >>> lanes = np.array([[1, 5], [2, 6], [1, 5], [2, 6]], np.uint64)
        >>> block.add(lanes, 3), block.add(lanes[:2], 4), block.take().sizes.tolist()
        (2, 1, [2, 1])
        """
        columns = zip(self._block.take(), KINDS, strict=True)
        return Grams(*(np.frombuffer(data, kind) for data, kind in columns))
