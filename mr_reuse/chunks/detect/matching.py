"""Matches: the labels of a page, and its numbers of labeled chunks and of all chunks.

A page with very many labels has several lines. The first line has its numbers and no
labels. The further lines, with the keys `rid#1`, `rid#2`, …, follow it in the file.

In this module a label is a number: its index among the labeled chunks of a label file,
or for a file, the number of labeled chunks plus its index among the labeled files.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pybase64 as base64

from mr_reuse.archives.rids import rid_of
from mr_reuse.chunks.labels.stop_chunks import StopChunks
from mr_reuse.chunks.page_lines import (
    PACKED,
    Batch,
    Fields,
    SplitLine,
    file_digests,
)
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.packing import Rows

NO_LABELS = b'8,4:'  # packed labels of a page without labels; all others begin with it
LABEL_BYTES, COPIES_BYTES = 8, 4  # of a label and of its copies, in packed labels
NUMBER_BITS = np.uint64(44)  # of a label; a line or a neighborhood has the other 20
SKIPPED = b'-'  # total of a page whose capture is not kept
FURTHER = b'+'  # begins the total of a further line
IN_FURTHER = b'+'  # in place of labels that are in further lines
LINE_LABELS = 50_000  # of a line; they take 0.8 MB
BATCH_BYTES = 4 << 20  # of packed labels, to unpack together
MAX_HEAD = 20  # bytes of the widths of packed columns
SCOPES = ('both', 'labels')  # values of `--stop-scope`


class Match(NamedTuple):
    """An item with its labels. Its line: rid, URL, date, bad, total, labels."""

    rid: bytes
    url: bytes
    date: bytes
    bad: int  # chunks that are labels; in a further line, those of this line
    # Chunks without stop chunks; None for a file that is no page, and for a capture
    # that is not kept.
    total: int | None
    labels: bytes  # packed rows (number of the label; copies)
    is_skipped: bool = False  # a page, of whose capture only the date counts
    line: int = 0  # number of the line of the page

    @property
    def is_kept(self) -> bool:
        """Whether the labels are those of a page whose capture is kept."""
        return self.total is not None or (self.line > 0 and not self.is_skipped)

    def to_line(self) -> tuple[bytes, bytes]:
        """Return the match as key and value."""
        rid, url, date, bad, total, labels, is_skipped, line = self
        none = SKIPPED if is_skipped else b''
        count = none if total is None else b'%d' % total
        key, mark = (b'%b#%d' % (rid, line), FURTHER) if line else (rid, b'')
        return key, b'\t'.join([url, date, b'%d' % bad, mark + count, labels])


def read_match(key: bytes, value: bytes) -> Match:
    """Parse a match from its key and value.

    >>> page = Match(b'a:0', b'http://a/', b'', 1, 2, b'8,4:')
    >>> read_match(*page.to_line()) == page
    True
    >>> later = page._replace(total=None, is_skipped=True)
    >>> read_match(*later.to_line()) == later
    True
    >>> further = later._replace(line=7)
    >>> read_match(*further.to_line()) == further
    True
    """
    url, date, bad, total, labels = value.split(b'\t')
    if total[:1] == FURTHER:
        rid = rid_of(key)
        number = int(key[len(rid) + 1 :])
        is_skipped = total[1:] == SKIPPED
        return Match(rid, url, date, int(bad), None, labels, is_skipped, number)
    is_skipped = total == SKIPPED
    count = None if is_skipped or not total else int(total)
    return Match(key, url, date, int(bad), count, labels, is_skipped)


def batch_matches(matches: Iterable[Match], most: int) -> Iterator[list[Match]]:
    """Group matches, at most so many, whose labels can be unpacked together.

    >>> page = Match(b'a:0', b'http://a/', b'', 1, 2, b'8,4:')
    >>> list(map(len, batch_matches([page] * 5, 2)))
    [2, 2, 1]
    """
    batch: list[Match] = []
    size = 0
    for match in matches:
        batch.append(match)
        size += len(match.labels)
        if len(batch) >= most or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def count_once(rows: Rows, owners: np.ndarray) -> np.ndarray:
    """Return the copies of each row under `--distinct`.

    The first row of a digest in a line has 1, the others have 0.

    >>> rows = packing.make_rows(b'aabbaa', 2, [5, 6, 5], [1, 1, 1])
    >>> count_once(rows, np.array([0, 0, 0], np.uint64)).tolist()
    [1, 1, 0]
    """
    order, groups = packing.order_and_groups(rows.keys)
    numbers = np.empty(len(order), np.uint64)
    numbers[order] = packing.number_groups(groups, len(order))
    pairs = packing.join_halves(numbers, owners)
    _, first = np.unique(pairs, return_index=True)
    copies = np.zeros(len(order), np.uint64)
    copies[first] = 1
    return copies


def sum_by_owner(owners: np.ndarray, numbers: np.ndarray, count: int) -> list[int]:
    """Sum the numbers of each owner."""
    totals = np.bincount(owners.astype(np.intp), numbers, count)
    return totals.astype(np.int64).tolist()


def may_be_part(fields: Fields) -> bool:
    """Test whether a line may be a part of a page.

    Only the lines of long pages have three columns: digest, length, copies.
    """
    return fields[PACKED].count(b',', 0, MAX_HEAD) == 2


class Query(NamedTuple):
    """The lines of a batch, their totals, and the digests to look up.

    The owner of a digest is the index of its line.
    """

    lines: Sequence[SplitLine]
    totals: list[int]
    keys: np.ndarray  # of chunks
    owners: np.ndarray
    copies: np.ndarray
    file_keys: np.ndarray
    file_owners: np.ndarray


def make_query(batch: Batch, stops: StopChunks, distinct: bool) -> Query:
    """Collect the digests of a batch of page lines that may be labels."""
    rows, owners, lines = batch.take()
    copies = count_once(rows, owners) if distinct else rows.columns[1]
    in_total, may_be_label = stops.masks(rows)
    totals = sum_by_owner(owners[in_total], copies[in_total], len(lines))
    asked = may_be_label & (copies > 0)
    files = file_digests(lines, rows.keys.shape[1])
    return Query(lines, totals, rows.keys[asked], owners[asked], copies[asked], *files)


class LineLabels(NamedTuple):
    """The labels of lines: distinct pairs of line and label, sorted."""

    owners: np.ndarray
    numbers: np.ndarray
    copies: np.ndarray

    def count_bad(self, chunks: int, count: int) -> list[int]:
        """Count the labeled chunks of each of `count` lines, including repetitions.

        `chunks` is the number of the first labeled file.
        """
        is_chunk = self.numbers < chunks
        return sum_by_owner(self.owners[is_chunk], self.copies[is_chunk], count)

    def pack(self, count: int) -> Iterator[bytes]:
        """Yield the packed labels of each of `count` lines."""
        starts = np.searchsorted(self.owners, np.arange(count + 1, dtype=np.uint64))
        numbers = self.numbers.astype('>u8').tobytes()
        copies = self.copies.astype('<u4').tobytes()
        for start, end in itertools.pairwise(starts.tolist()):
            payload = numbers[start * LABEL_BYTES : end * LABEL_BYTES]
            payload += copies[start * COPIES_BYTES : end * COPIES_BYTES]
            yield NO_LABELS + base64.b64encode(payload)


def join_labels(
    query: Query, chunks: np.ndarray, files: np.ndarray, first_file: int
) -> LineLabels:
    """Return the labels of lines, from the indexes of chunks and files among labels.

    An index below 0 means that the digest is not a label. `first_file` is the number of
    the first labeled file.
    """
    hit, file_hit = chunks >= 0, files >= 0
    owners = np.concatenate([query.owners[hit], query.file_owners[file_hit]])
    numbers = np.concatenate([chunks[hit], files[file_hit] + first_file])
    numbers = numbers.astype(np.uint64)
    ones = np.ones(int(file_hit.sum()), np.uint64)
    copies = np.concatenate([query.copies[hit], ones])
    pairs = owners.astype(np.uint64) << NUMBER_BITS | numbers
    order = np.argsort(pairs, kind='stable')
    pairs = pairs[order]
    starts = packing.group_starts(pairs)
    return LineLabels(
        owners[order][starts],
        numbers[order][starts],
        np.add.reduceat(copies[order], starts),
    )


def unpack_labels(packed: Iterable[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Unpack the labels of pages: index of the page, label and copies of each row."""
    payloads = [
        base64.b64decode(value[len(NO_LABELS) :], validate=True) for value in packed
    ]
    rows = packing.unpack_raw(NO_LABELS.rstrip(b':'), payloads)
    counts = [len(payload) // (LABEL_BYTES + COPIES_BYTES) for payload in payloads]
    owners = np.repeat(np.arange(len(payloads)), counts)
    return owners, numbers_of(rows.keys), rows.columns[0]


def last_label(packed: bytes) -> int:
    """Return the last label of a page, -1 without labels.

    Labels of files have the highest numbers, so a label of the file is the last.

    >>> nine = base64.b64encode(bytes(7) + b'\\t' + bytes(4))
    >>> last_label(NO_LABELS), last_label(NO_LABELS + nine)
    (-1, 9)
    """
    payload = base64.b64decode(packed[len(NO_LABELS) :])
    end = len(payload) // (LABEL_BYTES + COPIES_BYTES) * LABEL_BYTES
    return int.from_bytes(payload[end - LABEL_BYTES : end], 'big') if end else -1


def numbers_of(keys: np.ndarray) -> np.ndarray:
    """Convert keys of eight bytes to numbers."""
    return np.ascontiguousarray(keys).view('>u8').ravel().astype(np.uint64)


def keys_of(numbers: np.ndarray) -> np.ndarray:
    """Convert numbers to keys of eight bytes, which sort in the same order."""
    return numbers.astype('>u8').view(np.uint8).reshape(-1, 8)
