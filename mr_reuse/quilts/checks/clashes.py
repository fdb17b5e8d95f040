"""Clashes: grams with the same hash whose words differ.

A partition compares the words of its own documents. The words of a gram that other
partitions have as well are brought to the partition of its first document.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pybase64 as base64

from mr_reuse.quilts.checks.joining import Parts
from mr_reuse.quilts.checks.patches import Patches
from mr_reuse.quilts.lists import Lists
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import pack_texts, part_of, partition_key
from mr_reuse.shuffle.protocol import Line

CLASHES, WORDS = 'clash', 'words'
COMPARED = 1_000_000  # bytes of words to compare at a time


def clash_lines(part: int, lists: Lists, grams: Iterable[int]) -> Iterator[Line]:
    """Yield the lines of grams with different words, given by their numbers."""
    numbers = sorted(grams)
    names = map(name_gram, lists.keys[numbers].tolist(), lists.checks[numbers].tolist())
    for packed in pack_texts(names):
        yield partition_key(CLASHES, part), packed


def name_gram(key: int, check: int) -> bytes:
    """Name a gram by its key and its check.

    >>> name_gram(10, 11)
    b'000000000000000a000b'
    """
    return b'%016x%04x' % (key, check)


def parse_gram(name: bytes) -> tuple[int, int]:
    """Parse a name: key and check.

    >>> parse_gram(name_gram(10, 11))
    (10, 11)
    """
    return int(name[:16], 16), int(name[16:], 16)


def word_lines(lists: Lists, patches: Patches, parts: Parts) -> Iterator[Line]:
    """Yield the words of grams that other partitions have as well."""
    if not len(lists.sizes):
        return
    starts = ragged.starts_of(lists.sizes)
    first = parts.of(lists.documents[starts]).astype(np.int64)
    last = parts.of(lists.documents[starts + lists.sizes.astype(np.int64) - 1])
    home = np.repeat(np.where(first != last, first, -1), lists.counts.astype(np.int64))
    begins, sizes, text = patches.words()
    chosen = np.flatnonzero((home >= 0) & (sizes > 0))
    order = np.lexsort((begins[chosen], home[chosen]))
    chosen = chosen[order]
    for part in ragged.runs_of(home[chosen]):
        grams = chosen[part]
        for where in ragged.cut_by_size(sizes[grams], ragged.MAX_BYTES // 2):
            some = grams[where]
            kept, at = cut_text(text, begins[some].astype(np.int64), sizes[some])
            columns = lists.keys[some], lists.checks[some], at, sizes[some]
            packed = ragged.pack_columns(columns), base64.b64encode(kept)
            yield partition_key(WORDS, int(home[grams[0]])), b';'.join(packed)


def cut_text(
    text: bytes, begins: np.ndarray, sizes: np.ndarray
) -> tuple[bytes, np.ndarray]:
    """Cut what lies between some passages out of a text; return where they are then.

    The passages ascend, and may overlap.

    >>> kept, at = cut_text(b'abcdefgh', np.array([1, 2, 6]), np.array([3, 3, 1]))
    >>> kept, at.tolist()
    (b'bcdeg', [0, 1, 4])
    """
    ends = np.maximum.accumulate(begins + sizes)
    gaps = np.maximum(0, begins - np.append(0, ends[:-1]))
    runs = np.append(np.flatnonzero(gaps), len(begins))
    if not runs[0]:
        edges = zip(runs[:-1].tolist(), runs[1:].tolist(), strict=True)
    else:
        edges = zip([0, *runs[:-1].tolist()], runs.tolist(), strict=True)
    pieces = [text[begins[a] : ends[b - 1]] for a, b in edges]
    return b''.join(pieces), begins - np.cumsum(gaps)


def compare_words(key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
    """Yield the grams of a partition whose words differ in its lines."""
    pieces, texts, size = [], [], 0
    for value in values:
        columns, _, packed = value.partition(b';')
        keys, checks, begins, sizes = ragged.unpack_columns(columns)
        pieces.append((keys, checks, begins.astype(np.int64) + size, sizes))
        texts.append(base64.b64decode(packed, validate=True))
        size += len(texts[-1])
    keys, checks, begins, sizes = map(np.concatenate, zip(*pieces, strict=True))
    order = np.lexsort((checks, keys))
    one, other = order[:-1], order[1:]
    is_same = (keys[one] == keys[other]) & (checks[one] == checks[other])
    words = Passages(np.frombuffer(b''.join(texts), np.uint8), begins, sizes)
    differ = other[is_same][words.differ(one[is_same], other[is_same])]
    grams = zip(keys[differ].tolist(), checks[differ].tolist(), strict=True)
    names = {name_gram(*gram) for gram in grams}
    for packed in pack_texts(sorted(names)):
        yield partition_key(CLASHES, part_of(key)), packed


class Passages(NamedTuple):
    """Passages of a text."""

    text: np.ndarray
    begins: np.ndarray
    sizes: np.ndarray

    def differ(self, some: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Compare passages, given by their numbers; return a mask of other bytes.

        >>> text = np.frombuffer(b'abcabd', np.uint8)
        >>> words = Passages(text, np.array([0, 3, 1, 3]), np.array([2, 2, 2, 3]))
        >>> words.differ(np.array([0, 0, 0]), np.array([1, 2, 3])).tolist()
        [False, True, True]
        """
        differs = self.sizes[some] != self.sizes[others]
        rows = np.flatnonzero(~differs)
        for where in ragged.cut_by_size(self.sizes[some[rows]], COMPARED):
            here = rows[where]
            sizes = self.sizes[some[here]]
            one, other = (
                self.text[ragged.indexes_at(self.begins[numbers[here]], sizes)]
                for numbers in (some, others)
            )
            differs[np.repeat(here, sizes)[one != other]] = True
        return differs
