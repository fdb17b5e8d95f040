"""The buckets of known fingerprints, in a file for tasks.

A bucket is the known documents that have the same key in a probed dimension. A bucket
of more than `Likeness.all_pairs` documents has only `representatives` of them here,
so no document is compared with very many. They are divided evenly among the styles in
the bucket, and those of a style are at even distances in the order of the file.

For each block of BLOCK known documents, and each probed dimension:

    two numbers of 64 bits: how many buckets, and how many rows of the style file
    numbers of 32 bits: where the rows of each bucket end; its documents; the rows
    keys of the buckets, ascending, and zeros up to a multiple of 8 bytes
"""

from collections.abc import Iterator, Sequence
from typing import IO, NamedTuple

import numpy as np

from mr_reuse.algorithms.agreement import Likeness
from mr_reuse.shuffle import packing
from mr_reuse.styles.fingerprints import empty_of
from mr_reuse.styles.style_file import StyleFile

BLOCK = 1 << 22  # known documents; their buckets take 100 MB to make
WORD = 8  # bytes


class Buckets(NamedTuple):
    """The buckets of a dimension, of a block of known documents."""

    dimension: int
    keys: np.ndarray  # ascending
    ends: np.ndarray  # of their rows
    sizes: np.ndarray  # all documents of each, with those that are left out
    rows: np.ndarray  # of the style file, ascending in each bucket

    def rows_of(self, bucket: int) -> np.ndarray:
        """Return the rows of a bucket."""
        start = int(self.ends[bucket - 1]) if bucket else 0
        return self.rows[start : int(self.ends[bucket])]

    def starts_of(self, buckets: np.ndarray) -> np.ndarray:
        """Return where the rows of some buckets begin."""
        before = self.ends[np.maximum(buckets, 1) - 1].astype(np.int64)
        return np.where(buckets > 0, before, 0)


def find_buckets(
    dimension: int, keys: np.ndarray, styles: np.ndarray, likeness: Likeness
) -> Buckets:
    """Find the buckets of documents, given their keys in a dimension and their styles.

    >>> keys, styles = np.array([7, 5, 7, 255], np.uint8), np.array([1, 1, 2, 2])
    >>> found = find_buckets(0, keys, styles, Likeness(1))
    >>> found.keys.tolist(), found.sizes.tolist(), found.rows_of(1).tolist()
    ([5, 7], [1, 2], [0, 2])
    """
    filled = np.flatnonzero(keys != empty_of(keys))
    rows = filled[np.argsort(keys[filled], kind='stable')]
    found = keys[rows]
    starts = packing.group_starts(found)
    sizes = np.diff(starts, append=len(rows))
    is_kept = np.ones(len(rows), bool)
    for bucket in np.flatnonzero(sizes > likeness.all_pairs).tolist():
        where = slice(int(starts[bucket]), int(starts[bucket] + sizes[bucket]))
        is_kept[where] = False
        chosen = choose_some(styles[rows[where]], likeness.representatives)
        is_kept[where.start + chosen] = True
    ends = np.cumsum(is_kept)[starts + sizes - 1]
    return Buckets(dimension, found[starts], ends, sizes, rows[is_kept])


def choose_some(styles: np.ndarray, most: int) -> np.ndarray:
    """Choose at most so many rows, given their styles, which are in order.

    >>> choose_some(np.array([1, 1, 1, 1, 1, 1, 2, 3]), 5).tolist()
    [0, 2, 4, 6, 7]
    """
    starts = packing.group_starts(styles)
    sizes = np.diff(starts, append=len(styles))
    chosen = [
        start + np.arange(count) * size // count
        for start, size, count in zip(
            starts.tolist(), sizes.tolist(), share_out(sizes, most), strict=True
        )
        if count
    ]
    return np.concatenate(chosen)


def share_out(sizes: np.ndarray, most: int) -> list[int]:
    """Return how many rows each group gets: as even as can be, `most` in all.

    >>> share_out(np.array([1, 9, 2]), 7), share_out(np.array([1, 9, 2]), 2)
    ([1, 4, 2], [0, 1, 1])
    """
    shares = np.zeros(len(sizes), np.int64)
    left = most
    for place, group in enumerate(np.argsort(sizes, kind='stable').tolist()):
        shares[group] = min(int(sizes[group]), left // (len(sizes) - place))
        left -= int(shares[group])
    return shares.tolist()


def write_buckets(
    stream: IO[bytes], known: StyleFile, probed: Sequence[int], likeness: Likeness
) -> None:
    """Write the file for tasks."""
    for start in range(0, len(known.keys), BLOCK):
        block = slice(start, start + BLOCK)
        styles = known.styles_of(block)
        for dimension in probed:
            keys = np.ascontiguousarray(known.keys[block, dimension])
            found = find_buckets(dimension, keys, styles, likeness)
            counts = len(found.keys), len(found.rows)
            stream.write(np.array(counts, '<u8').tobytes())
            for column in (found.ends, found.sizes, found.rows + start):
                stream.write(column.astype('<u4').tobytes())
            stream.write(found.keys.tobytes())
            stream.write(bytes(-_size_of(*counts, keys.itemsize) % WORD))


def _size_of(buckets: int, rows: int, width: int) -> int:
    """Return the bytes of a dimension without the zeros at the end."""
    return 2 * WORD + 4 * (2 * buckets + rows) + width * buckets


def read_buckets(
    data: memoryview, probed: Sequence[int], kind: np.dtype
) -> Iterator[Buckets]:
    """Yield all buckets of the file, block by block, whose keys are of a type."""
    at = 0
    while at < len(data):
        for dimension in probed:
            buckets, rows = np.frombuffer(data, '<u8', 2, at).tolist()
            start = at + 2 * WORD
            columns = []
            for count in (buckets, buckets, rows):
                columns.append(np.frombuffer(data, '<u4', count, start))
                start += 4 * count
            keys = np.frombuffer(data, kind, buckets, start)
            yield Buckets(dimension, keys, *columns)
            size = _size_of(buckets, rows, kind.itemsize)
            at += size + -size % WORD
