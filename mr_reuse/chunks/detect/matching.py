"""Which labels a page has, and how many chunks in all.

A label is a number here: its place among the labeled chunks of a label file, or
behind them among its labeled files.
"""

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pybase64 as base64

from mr_reuse.archives import sniff
from mr_reuse.chunks.labels.label_format import Labels
from mr_reuse.chunks.page_lines import (
    PACKED,
    SIZE,
    TYPE,
    Batch,
    Fields,
    Lines,
    file_digests,
)
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import Rows

NONE = b'8,4:'  # labels, packed, of which there are none
NUMBER_BITS = np.uint64(44)
SCOPES = ('both', 'labels', 'none')


class Match(NamedTuple):
    """An item and the labels it has; a line: rid, url, date, bad, total, labels."""

    rid: bytes
    url: bytes
    date: bytes
    bad: int  # chunks that are labels
    total: int | None  # chunks without stop chunks; None: not a text, so not a page
    labels: bytes  # packed: number of the label; copies

    def pair(self) -> tuple[bytes, bytes]:
        """The match as key and value."""
        rid, url, date, bad, total, labels = self
        count = b'' if total is None else b'%d' % total
        return rid, b'\t'.join([url, date, b'%d' % bad, count, labels])


def read_match(key: bytes, value: bytes) -> Match:
    """A match from its key and value.

    >>> page = Match(b'a:0', b'http://a/', b'', 1, 2, b'8,4:')
    >>> read_match(*page.pair()) == page
    True
    """
    url, date, bad, total, labels = value.split(b'\t')
    return Match(key, url, date, int(bad), int(total) if total else None, labels)


class Stops:
    """Which chunks of a page are stop chunks: the short ones, and those on the list."""

    def __init__(self, labels: Labels, scope: str = 'both'):
        self._scope, self._min_len = scope, labels.min_len
        self._list = DigestIndex(labels.stop)

    def masks(self, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
        """Which rows are counted in a page, and which of them may be labels."""
        everything = np.ones(len(rows.keys), bool)
        if self._scope == 'none':
            return everything, everything
        left = rows.columns[0] > self._min_len
        left[left] = self._list.find(rows.keys[left]) < 0
        return (left if self._scope == 'both' else everything), left


def once_a_line(rows: Rows, owners: np.ndarray) -> np.ndarray:
    """For each row its copies, 1 for the first of a digest in a line, else 0.

    >>> rows = packing.rows_of(b'aabbaa', 2, [5, 6, 5], [1, 1, 1])
    >>> once_a_line(rows, np.array([0, 0, 0], np.uint64)).tolist()
    [1, 1, 0]
    """
    order, groups = packing.order_and_groups(rows.keys)
    number = np.zeros(len(order), np.uint64)
    number[groups[1:]] = 1
    same = np.empty(len(order), np.uint64)
    same[order] = np.cumsum(number, dtype=np.uint64)
    _, first = np.unique(same << np.uint64(32) | owners, return_index=True)
    found = np.zeros(len(order), np.uint64)
    found[first] = 1
    return found


def sums(owners: np.ndarray, numbers: np.ndarray, count: int) -> list[int]:
    """The sum of the numbers of each owner."""
    found = np.bincount(owners.astype(np.intp), numbers, count)
    return found.astype(np.int64).tolist()


def is_part(fields: Fields) -> bool:
    """Whether a line may be a part of a page: those of long pages count copies."""
    return fields[PACKED].count(b',', 0, 20) == 2


class Lookup(NamedTuple):
    """The lines of a batch, their totals, and what of them may be labels."""

    lines: Lines
    totals: list[int]
    keys: np.ndarray  # of chunks
    owners: np.ndarray
    copies: np.ndarray
    file_keys: np.ndarray
    file_owners: np.ndarray


def lookup(batch: Batch, stops: Stops, distinct: bool) -> Lookup:
    """What has to be looked up in the labels for a batch of page lines."""
    rows, owners, lines = batch.take()
    copies = once_a_line(rows, owners) if distinct else rows.columns[1]
    counted, may = stops.masks(rows)
    totals = sums(owners[counted], copies[counted], len(lines))
    may = may & (copies > 0)
    files = file_digests(lines, rows.keys.shape[1])
    return Lookup(lines, totals, rows.keys[may], owners[may], copies[may], *files)


class Found(NamedTuple):
    """The labels of some lines, sorted by line and label, each pair once."""

    owners: np.ndarray
    numbers: np.ndarray
    copies: np.ndarray

    def bad(self, chunks: int, count: int) -> list[int]:
        """How many chunks of each of so many lines are labels, copies counted."""
        of_chunks = self.numbers < chunks
        return sums(self.owners[of_chunks], self.copies[of_chunks], count)

    def packed(self, count: int) -> Iterator[bytes]:
        """The packed labels of each of so many lines."""
        starts = np.searchsorted(self.owners, np.arange(count + 1, dtype=np.uint64))
        numbers = self.numbers.astype('>u8').tobytes()
        copies = self.copies.astype('<u4').tobytes()
        for a, b in itertools.pairwise(starts.tolist()):
            raw = numbers[8 * a : 8 * b] + copies[4 * a : 4 * b]
            yield NONE + base64.b64encode(raw)


def found(wanted: Lookup, chunks: np.ndarray, files: np.ndarray, first: int) -> Found:
    """The labels of some lines, from the places of their chunks and files among labels.

    `first` is the number of the first labeled file.
    """
    hit, whole = chunks >= 0, files >= 0
    owners = np.concatenate([wanted.owners[hit], wanted.file_owners[whole]])
    numbers = np.concatenate([chunks[hit], files[whole] + first]).astype(np.uint64)
    ones = np.ones(int(whole.sum()), np.uint64)
    copies = np.concatenate([wanted.copies[hit], ones])
    pairs = owners.astype(np.uint64) << NUMBER_BITS | numbers
    order = np.argsort(pairs, kind='stable')
    pairs = pairs[order]
    if not len(pairs):
        return Found(owners, numbers, copies)
    starts = np.flatnonzero(np.diff(pairs, prepend=pairs[:1] + np.uint64(1)))
    return Found(
        owners[order][starts],
        numbers[order][starts],
        np.add.reduceat(copies[order], starts),
    )


def unpack_labels(packed: Iterable[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of the labels of some pages: which page, number and copies, row by row."""
    payloads = [base64.b64decode(text[len(NONE) :]) for text in packed]
    rows = packing.unpack_raw(b'8,4', payloads)
    owners = np.repeat(np.arange(len(payloads)), [len(p) // 12 for p in payloads])
    return owners, numbers_of(rows.keys), rows.columns[0]


def last_label(packed: bytes) -> int:
    """The last label of a page, which is that of its file if there is one; or -1.

    >>> nine = base64.b64encode(bytes(7) + b'\\t' + bytes(4))
    >>> last_label(NONE), last_label(NONE + nine)
    (-1, 9)
    """
    raw = base64.b64decode(packed[len(NONE) :])
    end = len(raw) // 12 * 8
    return int.from_bytes(raw[end - 8 : end], 'big') if end else -1


def numbers_of(keys: np.ndarray) -> np.ndarray:
    """The numbers that keys of eight bytes are."""
    return np.ascontiguousarray(keys).view('>u8').ravel().astype(np.uint64)


def keys_of(numbers: np.ndarray) -> np.ndarray:
    """Numbers as keys of eight bytes, which sort as they do."""
    return numbers.astype('>u8').view(np.uint8).reshape(-1, 8)


def is_page(fields: Fields) -> bool:
    """Whether the first line of an item says that it is a page."""
    return sniff.is_text(fields[TYPE].decode()) and fields[SIZE] != b'0'
