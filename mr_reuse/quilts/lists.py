"""Lists of documents, each with the grams that exactly these documents have.

    list/PART  COLUMNS  numbers of grams; sizes; documents; keys and checks of the grams

Grams with the same list are interchangeable in a cover. The lists of a partition of the
grams have their grams (`ListDocuments`). Merged over all partitions, they are classes
of the hash of the list, and have the numbers of grams alone (`MergeLists`).
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import partition_key
from mr_reuse.shuffle.protocol import Line
from mr_reuse.text.gram_block import Grams
from mr_reuse.text.gram_hash import mix

UNIT = 'list'
ROUND = 1_000_000  # documents of lists to handle at a time
MAX_GRAMS = 50_000  # of a list in a line


class Lists(NamedTuple):
    """Lists of documents; keys and checks are empty without the grams."""

    counts: np.ndarray  # numbers of grams
    sizes: np.ndarray
    documents: np.ndarray
    keys: np.ndarray
    checks: np.ndarray

    def take(self, lists: np.ndarray) -> 'Lists':
        """Return some lists in the order of their indexes."""
        at = ragged.indexes_of(self.sizes, lists)
        grams = ragged.indexes_of(self.counts, lists) if len(self.keys) else slice(0, 0)
        return Lists(
            self.counts[lists],
            self.sizes[lists],
            self.documents[at],
            self.keys[grams],
            self.checks[grams],
        )

    def owners(self) -> np.ndarray:
        """Return the index of the list of each document."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes.astype(np.int64))


def of_grams(grams: Grams) -> Lists:
    """Make a list of the documents of each gram."""
    ones = np.ones(len(grams.keys), np.uint64)
    return Lists(ones, grams.sizes, grams.documents, grams.keys, grams.checks)


def hash_lists(lists: Lists) -> np.ndarray:
    """Return a hash of the documents of each list.

    >>> empty = np.zeros(0, np.uint64)
    >>> sizes, documents = np.array([2, 1, 2]), np.array([1, 2, 1, 1, 2], np.uint64)
    >>> one, two, three = hash_lists(Lists(sizes, sizes, documents, empty, empty))
    >>> bool(one == three != two)
    True
    """
    if not len(lists.sizes):
        return np.zeros(0, np.uint64)
    mixed = mix(lists.documents.astype(np.uint64) + np.uint64(1))
    sums = np.add.reduceat(mixed, ragged.starts_of(lists.sizes))
    return mix(sums)


def merge(lists: Lists) -> tuple[Lists, np.ndarray]:
    """Merge equal lists; return them and their hashes, which ascend.

    The documents are compared, not only the hashes. Lists with one hash by chance may
    keep a list apart from its equal, which changes no cover.
    """
    hashes = hash_lists(lists)
    order = np.argsort(hashes, kind='stable')
    lists, hashes = lists.take(order), hashes[order]
    if not len(order):
        return lists, hashes
    is_first = np.ones(len(order), bool)
    is_first[1:] = (hashes[1:] != hashes[:-1]) | (lists.sizes[1:] != lists.sizes[:-1])
    later = np.flatnonzero(~is_first)
    ours = lists.documents[ragged.indexes_of(lists.sizes, later)]
    before = lists.documents[ragged.indexes_of(lists.sizes, later - 1)]
    differs = (ours != before).astype(np.int64)
    if differs.any():
        starts = ragged.starts_of(lists.sizes[later])
        is_first[later] = np.add.reduceat(differs, starts) > 0
    starts = np.flatnonzero(is_first)
    counts = np.add.reduceat(lists.counts.astype(np.uint64), starts)
    kept = lists._replace(keys=lists.keys[:0], checks=lists.checks[:0]).take(starts)
    merged = kept._replace(counts=counts, keys=lists.keys, checks=lists.checks)
    return merged, hashes[starts]


def split_large(lists: Lists, most: int = MAX_GRAMS) -> Lists:
    """Divide lists with many grams, so that a line has bounded length.

    >>> numbers = np.array([1, 2, 3], np.uint64)
    >>> one = Lists(numbers[2:], numbers[1:2], numbers[:2], numbers, numbers)
    >>> split = split_large(one, 2)
    >>> split.counts.tolist(), split.documents.tolist(), split.keys.tolist()
    ([2, 1], [1, 2, 1, 2], [1, 2, 3])
    """
    counts = lists.counts.astype(np.int64)
    if not len(counts) or counts.max() <= most:
        return lists
    times = -(-counts // most)
    divided = without_grams(lists).take(np.repeat(np.arange(len(counts)), times))
    parts = np.full(len(divided.counts), most)
    parts[np.cumsum(times) - 1] = counts - (times - 1) * most
    return divided._replace(counts=parts, keys=lists.keys, checks=lists.checks)


def pack_lines(lists: Lists, parts: np.ndarray) -> Iterator[Line]:
    """Yield the lines of lists, of which these are the ascending partitions."""
    counts = lists.counts if len(lists.keys) else np.zeros(len(lists.counts), np.int64)
    sizes = 2 + 4 * lists.sizes.astype(np.int64) + 10 * counts.astype(np.int64)
    for part in ragged.runs_of(parts):
        for where in ragged.cut_by_size(sizes[part], ragged.MAX_BYTES):
            chosen = np.arange(part.start + where.start, part.start + where.stop)
            value = ragged.pack_columns(lists.take(chosen))
            yield partition_key(UNIT, int(parts[part.start])), value


def unpack(value: bytes) -> Lists:
    """Unpack the value of a line."""
    return Lists(*ragged.unpack_columns(value))


def join(pieces: Iterable[Lists]) -> Lists:
    """Join lists."""
    empty = np.zeros(0, np.uint64)
    columns = zip(Lists(*[empty] * len(Lists._fields)), *pieces, strict=True)
    return Lists(*map(np.concatenate, columns))


def without_grams(lists: Lists) -> Lists:
    """Return the lists without their grams."""
    return lists._replace(keys=lists.keys[:0], checks=lists.checks[:0])


def up_to(lists: Lists, m: int) -> Lists:
    """Return the lists of at most m documents."""
    return lists.take(np.flatnonzero(lists.sizes <= m))


class ListMerger:
    """A `Collector` of lists: merges equal ones, and divides them by their hashes."""

    def __init__(self, bits: int):
        self._bits = bits
        self._pieces: list[Lists] = []
        self._size = 0

    def add(self, lists: Lists) -> Iterator[Line]:
        """Add lists."""
        self._pieces.append(lists)
        self._size += len(lists.documents)
        if self._size >= ROUND:
            yield from self.finish()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of all lists in memory."""
        merged, hashes = merge(join(self._pieces))
        self._pieces, self._size = [], 0
        yield from pack_lines(merged, hashes >> np.uint64(64 - self._bits))


def is_list_line(key: bytes) -> bool:
    """Test by its key whether a line is of lists.

    >>> is_list_line(b'list/0000'), is_list_line(b'gram/0000'), is_list_line(b'@')
    (True, False, False)
    """
    return key.startswith(b'list/')
