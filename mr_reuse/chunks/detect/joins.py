"""Joins of page lines with labels: in the memory of mappers, or in the shuffle.

    chunk/PART  ROWS  digests for a reducer to look up: (digest; page, copies)
    file/PART   ROWS  the same for whole files

All joins pass their output to `assembling.py`, and have the same result.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.archives.rids import rid_of
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.assembling import PAGE, Fact, PartialMatches
from mr_reuse.chunks.detect.matching import SKIPPED, Match, Query
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.labels.stop_chunks import StopChunks
from mr_reuse.chunks.page_lines import DATE, URL, Batch, Fields, is_page
from mr_reuse.pages.skipped import SkippedCaptures
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.bloom import Bloom
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.partitions import (
    NAME_WIDTH,
    name_digest,
    pack_lines,
    pack_texts,
    part_of,
    part_of_name,
    partition_key,
    unit_of,
)
from mr_reuse.shuffle.protocol import Line

FREQUENT = 64  # occurrences of a digest in a batch; the mapper looks it up itself
MAX_CACHED = 100_000  # frequent digests, with their numbers
MAX_DIGEST = b'\xff' * 65  # sorts after all digests


class JoinOptions(NamedTuple):
    """The options for counting, and the number of partitions of pages, as bits."""

    scope: str  # `--stop-scope`
    distinct: bool  # a chunk counts once a page
    bits: int


class Join(ABC):
    """A `Collector` of page lines; a subclass looks up their digests."""

    def __init__(
        self,
        labels: Labels,
        options: JoinOptions,
        skipped: SkippedCaptures | None = None,
    ):
        self._labels, self._options = labels, options
        self._skipped = skipped or SkippedCaptures()
        self._stops = StopChunks(labels, options.scope)
        self._batch = Batch(labels.recipe.width)
        self._partial = PartialMatches(options.bits)

    def add(self, key: bytes, value: bytes) -> Iterator[Line]:
        """Add a page line."""
        if self._batch.add(key, value):
            yield from self._flush()

    def finish(self) -> Iterator[Line]:
        """Look up the last batch; yield the remaining lines."""
        yield from self._flush()
        yield from self._partial.finish()

    def _flush(self) -> Iterator[Line]:
        if self._batch.lines:
            distinct = self._options.distinct
            yield from self._look_up(
                matching.make_query(self._batch, self._stops, distinct)
            )

    @abstractmethod
    def _look_up(self, query: Query) -> Iterator[Line]:
        """Look up the digests of a batch of lines."""

    def _add_fact(self, key: bytes, fields: Fields, total: int) -> Iterator[Line]:
        rid, kind = rid_of(key), self._kind_of(key, fields)
        if kind is not None:
            fact = Fact(rid, fields[URL], fields[DATE], b'%d' % total, kind)
            yield from self._partial.add_fact(name_digest(rid), fact)

    def _kind_of(self, key: bytes, fields: Fields) -> bytes | None:
        """Return the kind of a line, as in a `Fact`; None to leave it out.

        Of captures that are not kept, only pages count, and their first line suffices.
        """
        if self._skipped.is_skipped(key):
            return SKIPPED if is_page(fields) else None
        return PAGE if is_page(fields) else b''


class MemoryJoin(Join):
    """Looks all digests up in the mapper; the labels are mapped into memory."""

    def __init__(
        self,
        labels: Labels,
        options: JoinOptions,
        skipped: SkippedCaptures | None = None,
    ):
        super().__init__(labels, options, skipped)
        self._chunks = DigestIndex(labels.chunks)
        self._files = DigestIndex(labels.files)

    def _look_up(self, query: Query) -> Iterator[Line]:
        chunks = self._chunks.find(query.keys)
        files = self._files.find(query.file_keys)
        labels = matching.join_labels(query, chunks, files, len(self._chunks))
        count = len(query.lines)
        bad_counts = labels.count_bad(len(self._chunks), count)
        results = zip(query.totals, bad_counts, labels.pack(count), strict=True)
        texts = []
        for (key, fields), (total, bad, packed) in zip(
            query.lines, results, strict=True
        ):
            if matching.may_be_part(fields):
                yield from self._add_fact(key, fields, total)
                yield from self._add_labels(key, packed)
                continue
            kind, facts = self._kind_of(key, fields), (key, fields[URL], fields[DATE])
            if kind == PAGE:
                match = Match(*facts, bad, total, packed)
            elif kind == SKIPPED:
                match = Match(*facts, bad, None, packed, is_skipped=True)
            elif kind is not None and packed != matching.NO_LABELS:  # a labeled file
                match = Match(*facts, 0, None, packed)
            else:
                continue
            texts.append(b'\t'.join(match.to_line()))
        # Complete matches may go to any partition.
        part = part_of_name(query.lines[0][0], self._options.bits)
        for value in pack_texts(texts):
            yield partition_key('whole', part), value

    def _add_labels(self, key: bytes, packed: bytes) -> Iterator[Line]:
        """Add the labels of a line that may be only a part of a page."""
        _, numbers, copies = matching.unpack_labels([packed])
        page = np.frombuffer(name_digest(rid_of(key)), np.uint8)
        pages = np.broadcast_to(page, (len(numbers), NAME_WIDTH))
        yield from self._partial.add_labels(pages, numbers, copies)


class QueryJoin(Join):
    """Sends digests to the reducers, each of which has a part of the labels.

    A Bloom filter of all labels drops nearly all digests that are not labels. Digests
    that are frequent in a batch are looked up in the label file by the mapper, as a
    label on most pages would overload its reducer.
    """

    def __init__(
        self,
        labels: Labels,
        options: JoinOptions,
        bits: int,
        bloom: Bloom | None = None,
        skipped: SkippedCaptures | None = None,
    ):
        super().__init__(labels, options, skipped)
        self._bits, self._bloom = bits, bloom
        self._frequent: dict[tuple[str, bytes], int] = {}  # numbers of labels, or -1

    def _look_up(self, query: Query) -> Iterator[Line]:
        for (key, fields), total in zip(query.lines, query.totals, strict=True):
            yield from self._add_fact(key, fields, total)
        digests = b''.join(name_digest(rid_of(key)) for key, _ in query.lines)
        pages = packing.make_rows(digests, NAME_WIDTH).keys
        ones = np.ones(len(query.file_keys), np.uint64)
        of_chunks = pages[query.owners.astype(np.intp)]
        of_files = pages[query.file_owners.astype(np.intp)]
        yield from self._send('chunk', query.keys, of_chunks, query.copies)
        yield from self._send('file', query.file_keys, of_files, ones)

    def _send(
        self, unit: str, keys: np.ndarray, pages: np.ndarray, copies: np.ndarray
    ) -> Iterator[Line]:
        """Send digests to the reducers, each with its page and copies."""
        if self._bloom:
            kept = self._bloom.may_contain(keys)
            keys, pages, copies = keys[kept], pages[kept], copies[kept]
        order, groups = packing.order_and_groups(keys)
        keys, pages, copies = keys[order], pages[order], copies[order]
        sizes = np.diff(groups, append=len(order))
        frequent = np.repeat(sizes >= FREQUENT, sizes)
        if frequent.any():
            yield from self._look_up_frequent(
                unit, keys[frequent], pages[frequent], copies[frequent]
            )
        rest = ~frequent
        words = pages[rest].view('>u8').reshape(-1, 2).astype(np.uint64)
        rows = Rows(keys[rest], (words[:, 0], words[:, 1], copies[rest]))
        yield from pack_lines(unit, packing.partition(rows, self._bits))

    def _look_up_frequent(
        self, unit: str, keys: np.ndarray, pages: np.ndarray, copies: np.ndarray
    ) -> Iterator[Line]:
        """Look up sorted keys, of which few are distinct."""
        starts = packing.group_starts(keys)
        distinct = [self._number_of(unit, keys[row].tobytes()) for row in starts]
        numbers = np.repeat(distinct, np.diff(starts, append=len(keys)))
        hit = numbers >= 0
        yield from self._partial.add_labels(pages[hit], numbers[hit], copies[hit])

    def _number_of(self, unit: str, digest: bytes) -> int:
        if len(self._frequent) > MAX_CACHED:
            self._frequent.clear()
        key = unit, digest
        if key not in self._frequent:
            self._frequent[key] = number_of(self._labels, unit, digest)
        return self._frequent[key]


def index_of(keys: np.ndarray, digest: bytes) -> int:
    """Return the index at which a digest is or would be among sorted digests.

    The search reads few rows, so a mapped file stays mostly on disk.
    """
    return bisect_left(range(len(keys)), digest, key=lambda i: keys[i].tobytes())


def labels_of_unit(labels: Labels, unit: str) -> tuple[np.ndarray, int]:
    """Return the labels of a unit, and the label number of the first."""
    return (labels.chunks, 0) if unit == 'chunk' else (labels.files, len(labels.chunks))


def number_of(labels: Labels, unit: str, digest: bytes) -> int:
    """Return the number of a label, -1 for a digest that is not a label."""
    keys, first = labels_of_unit(labels, unit)
    index = index_of(keys, digest)
    is_label = index < len(keys) and keys[index].tobytes() == digest
    return first + index if is_label else -1


class QueryLookup:
    """A `Collector` of lines of QueryJoin: looks digests up in a part of the labels."""

    def __init__(self, labels: Labels, bits: int, page_bits: int):
        self._labels, self._bits = labels, bits
        self._partial = PartialMatches(page_bits)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Look up the digests of a partition."""
        unit = unit_of(key)
        keys, first = labels_of_unit(self._labels, unit)
        begin, end = (
            index_of(keys, bound)
            for bound in partition_bounds(part_of(key), self._bits)
        )
        digests = DigestIndex(keys[begin:end])
        for value in values:
            rows = packing.unpack(value)
            indexes = digests.find(rows.keys)
            hit = indexes >= 0
            high, low, copies = (column[hit] for column in rows.columns)
            words = np.stack([high, low], axis=1).astype('>u8')
            pages = words.view(np.uint8).reshape(-1, NAME_WIDTH)
            numbers = indexes[hit] + begin + first
            yield from self._partial.add_labels(pages, numbers, copies)

    def finish(self) -> Iterator[Line]:
        """Yield the remaining lines."""
        yield from self._partial.finish()


def partition_bounds(part: int, bits: int) -> tuple[bytes, bytes]:
    """Return the first digest of a partition, and the first after it.

    >>> partition_bounds(1, 2), partition_bounds(3, 2)[1] > bytes([255]) * 32
    ((b'@', b'\x80'), True)
    """
    width = -(-bits // 8)  # bytes of a bound, rounded up
    unused = 8 * width - bits
    first = (part << unused).to_bytes(width, 'big')
    if part + 1 == 1 << bits:
        return first, MAX_DIGEST
    return first, ((part + 1) << unused).to_bytes(width, 'big')
