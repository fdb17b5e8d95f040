"""Blocks of grams: what a task found, in lines `gram/PART  SEGMENTS;COLUMNS`.

The documents of a block have numbers of their own, so that two bytes are enough for
each. Segments say which documents these are.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from mr_reuse.pages.documents import numbering, segments
from mr_reuse.pages.documents.numbering import Numbers
from mr_reuse.pages.documents.segments import Segment
from mr_reuse.quilts.grams.pure_table import cut_lists
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import partition_key
from mr_reuse.shuffle.protocol import Line
from mr_reuse.text.gram_block import Grams

UNIT = 'gram'
GRAM_BYTES, DOCUMENT_BYTES = 11, 2  # of a gram and of each of its documents in a line


def pack_blocks(grams: Grams, covered: Iterable[Segment]) -> Iterator[bytes]:
    """Pack grams into values of bounded length."""
    head = segments.format_segments(covered)
    sizes = GRAM_BYTES + DOCUMENT_BYTES * grams.sizes.astype(np.int64)
    for piece in grams.split(ragged.cut_by_size(sizes, ragged.MAX_BYTES)):
        yield b'%b;%b' % (head, ragged.pack_columns(piece))


def unpack_block(value: bytes) -> tuple[Grams, list[Segment]]:
    """Unpack a value of `pack_blocks`.

    >>> one, two, both = np.array([9]), np.array([2]), np.array([0, 1])
    >>> [value] = pack_blocks(Grams(one, one, two, both), [Segment('7', 2)])
    >>> unpack_block(value)[1]
    [Segment(first='7', count=2)]
    """
    head, _, columns = value.partition(b';')
    return Grams(*ragged.unpack_columns(columns)), segments.parse_segments(head)


class BlockDivider:
    """Divides the blocks of a task among partitions, without documents passed over."""

    def __init__(self, numbers: Numbers, skipped: np.ndarray, limit: int, bits: int):
        self._numbers, self._skipped = numbers, skipped
        self._limit, self._bits = limit, bits

    def divide(self, value: bytes) -> Iterator[Line]:
        """Yield the lines of a block for the reducers."""
        grams, covered = unpack_block(value)
        numbered = [segments.number_segment(s, self._numbers) for s in covered]
        if len(self._skipped):
            kept = ~numbering.are_among(segments.numbers_of(numbered), self._skipped)
            grams = keep_documents(grams, kept[grams.documents])
        grams = cut_lists(grams, self._limit + 1)
        parts = grams.keys >> np.uint64(64 - self._bits)
        for piece in grams.split(ragged.runs_of(parts)):
            part = int(piece.keys[0]) >> (64 - self._bits)
            for packed in pack_blocks(piece, numbered):
                yield partition_key(UNIT, part), packed


def keep_documents(grams: Grams, is_kept: np.ndarray) -> Grams:
    """Keep some documents of grams, and the grams that still have one.

    >>> keys, sizes = np.array([3, 7], np.uint64), np.array([2, 1], np.uint64)
    >>> grams = Grams(keys, keys, sizes, np.array([0, 1, 1], np.uint64))
    >>> kept = keep_documents(grams, np.array([True, False, False]))
    >>> kept.keys.tolist(), kept.sizes.tolist(), kept.documents.tolist()
    ([3], [1], [0])
    """
    if not len(grams.keys):
        return grams
    starts = ragged.starts_of(grams.sizes)
    sizes = np.add.reduceat(is_kept, starts, dtype=np.uint64)
    left = sizes > 0
    return Grams(
        grams.keys[left], grams.checks[left], sizes[left], grams.documents[is_kept]
    )
