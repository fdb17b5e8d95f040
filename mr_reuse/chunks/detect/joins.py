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
from mr_reuse.chunks.detect.assembling import PartialMatches
from mr_reuse.chunks.detect.matching import Lookup, Match
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.page_lines import DATE, URL, Batch, Fields
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

HOT = 64  # occurrences in a batch; `Ask` looks such a digest up in the mapper
REMEMBERED = 100_000  # numbers of such digests


class JoinOptions(NamedTuple):
    """The options for counting, and the number of partitions of pages, as bits."""

    scope: str  # `--stop-scope`
    distinct: bool  # a chunk counts once a page
    bits: int


class Join(ABC):
    """A `Collector` of page lines; a subclass looks up their digests."""

    def __init__(self, labels: Labels, counted: JoinOptions):
        self._labels, self._counted = labels, counted
        self._stops = matching.StopChunks(labels, counted.scope)
        self._batch = Batch(labels.recipe.width)
        self._parts = PartialMatches(counted.bits)

    def add(self, key: bytes, value: bytes) -> Iterator[Line]:
        """Add a page line."""
        if self._batch.add(key, value):
            yield from self._flush()

    def finish(self) -> Iterator[Line]:
        """Look up the last batch; yield the remaining lines."""
        yield from self._flush()
        yield from self._parts.finish()

    def _flush(self) -> Iterator[Line]:
        if self._batch.lines:
            wanted = matching.collect_digests(
                self._batch, self._stops, self._counted.distinct
            )
            yield from self._look(wanted)

    @abstractmethod
    def _look(self, wanted: Lookup) -> Iterator[Line]:
        """Look up the digests of a batch of lines."""

    def _fact(self, key: bytes, fields: Fields, total: int) -> Iterator[Line]:
        rid, page = rid_of(key), b'1' if matching.is_page(fields) else b''
        fact = rid, fields[URL], fields[DATE], b'%d' % total, page
        yield from self._parts.add_fact(name_digest(rid), fact)


class MemoryJoin(Join):
    """Looks all digests up in the mapper; the labels are mapped into memory."""

    def __init__(self, labels: Labels, counted: JoinOptions):
        super().__init__(labels, counted)
        self._chunks, self._files = (
            DigestIndex(labels.chunks),
            DigestIndex(labels.files),
        )

    def _look(self, wanted: Lookup) -> Iterator[Line]:
        chunks, files = self._chunks, self._files
        labels = matching.join_labels(
            wanted,
            chunks.find(wanted.keys),
            files.find(wanted.file_keys),
            len(chunks),
        )
        count = len(wanted.lines)
        bad, packed_labels = labels.bad(len(chunks), count), labels.packed(count)
        pages = zip(wanted.lines, wanted.totals, bad, packed_labels, strict=True)
        texts = []
        for (key, fields), total, of_page, packed in pages:
            if matching.is_part(fields):
                yield from self._fact(key, fields, total)
                yield from self._labels_of(key, packed)
            elif matching.is_page(fields):
                match = Match(key, fields[URL], fields[DATE], of_page, total, packed)
                texts.append(b'\t'.join(match.to_line()))
            elif packed != matching.NO_LABELS:
                match = Match(key, fields[URL], fields[DATE], 0, None, packed)
                texts.append(b'\t'.join(match.to_line()))
        part = part_of_name(wanted.lines[0][0], self._counted.bits)
        for value in pack_texts(texts):
            yield partition_key('whole', part), value

    def _labels_of(self, key: bytes, packed: bytes) -> Iterator[Line]:
        """Add the labels of a line that may be only a part of a page."""
        _, numbers, copies = matching.unpack_labels([packed])
        page = np.frombuffer(name_digest(rid_of(key)), np.uint8)
        pages = np.broadcast_to(page, (len(numbers), 16))
        yield from self._parts.add_labels(pages, numbers, copies)


class QueryJoin(Join):
    """Sends digests to the reducers, each of which has a part of the labels.

    A Bloom filter of all labels drops nearly all digests that are not labels. Digests
    that are frequent in a batch are looked up in the label file by the mapper, as a
    label on most pages would overload its reducer.
    """

    def __init__(
        self,
        labels: Labels,
        counted: JoinOptions,
        bits: int,
        maybe: Bloom | None = None,
    ):
        super().__init__(labels, counted)
        self._bits, self._maybe = bits, maybe
        self._hot: dict[bytes, int] = {}

    def _look(self, wanted: Lookup) -> Iterator[Line]:
        for (key, fields), total in zip(wanted.lines, wanted.totals, strict=True):
            yield from self._fact(key, fields, total)
        keys = b''.join(name_digest(rid_of(key)) for key, _ in wanted.lines)
        pages = packing.make_rows(keys, NAME_WIDTH).keys
        ones = np.ones(len(wanted.file_keys), np.uint64)
        of_chunks = pages[wanted.owners.astype(np.intp)]
        of_files = pages[wanted.file_owners.astype(np.intp)]
        yield from self._ask('chunk', wanted.keys, of_chunks, wanted.copies)
        yield from self._ask('file', wanted.file_keys, of_files, ones)

    def _ask(
        self, unit: str, keys: np.ndarray, pages: np.ndarray, copies
    ) -> Iterator[Line]:
        if self._maybe:
            kept = self._maybe.may_contain(keys)
            keys, pages, copies = keys[kept], pages[kept], copies[kept]
        order, groups = packing.order_and_groups(keys)
        keys, pages, copies = keys[order], pages[order], copies[order]
        sizes = np.diff(groups, append=len(order))
        hot = np.repeat(sizes >= HOT, sizes)
        if hot.any():
            yield from self._look_up_hot(unit, keys[hot], pages[hot], copies[hot])
        words = pages[~hot].view('>u8').reshape(-1, 2).astype(np.uint64)
        rows = Rows(keys[~hot], (words[:, 0], words[:, 1], copies[~hot]))
        yield from pack_lines(unit, packing.partition(rows, self._bits))

    def _look_up_hot(
        self, unit: str, keys: np.ndarray, pages, copies
    ) -> Iterator[Line]:
        """Look up sorted keys, of which few are distinct."""
        order, groups = packing.order_and_groups(keys)
        distinct = [self._number(unit, keys[i].tobytes()) for i in order[groups]]
        numbers = np.repeat(distinct, np.diff(groups, append=len(order)))
        hit = numbers >= 0
        rows = order[hit]
        yield from self._parts.add_labels(pages[rows], numbers[hit], copies[rows])

    def _number(self, unit: str, digest: bytes) -> int:
        if len(self._hot) > REMEMBERED:
            self._hot.clear()
        key = unit[:1].encode() + digest
        if key not in self._hot:
            self._hot[key] = number_of(self._labels, unit, digest)
        return self._hot[key]


def index_of(keys: np.ndarray, digest: bytes) -> int:
    """Return the index at which a digest is or would be among sorted digests.

    The search reads few rows, so a mapped file stays mostly on disk.
    """
    return bisect_left(range(len(keys)), digest, key=lambda i: keys[i].tobytes())


def section(labels: Labels, unit: str) -> tuple[np.ndarray, int]:
    """Return the labels of a unit, and the label number of the first."""
    return (labels.chunks, 0) if unit == 'chunk' else (labels.files, len(labels.chunks))


def number_of(labels: Labels, unit: str, digest: bytes) -> int:
    """Return the number of a label, -1 for a digest that is not a label."""
    keys, first = section(labels, unit)
    at = index_of(keys, digest)
    return first + at if at < len(keys) and keys[at].tobytes() == digest else -1


class QueryLookup:
    """A `Collector` of lines of `Ask`: looks digests up in a part of the labels."""

    def __init__(self, labels: Labels, bits: int, page_bits: int):
        self._labels, self._bits = labels, bits
        self._parts = PartialMatches(page_bits)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Look up the digests of a partition."""
        unit = unit_of(key)
        keys, first = section(self._labels, unit)
        begin, end = (
            index_of(keys, bound)
            for bound in partition_bounds(part_of(key), self._bits)
        )
        digests = DigestIndex(keys[begin:end])
        for value in values:
            rows = packing.unpack(value)
            at = digests.find(rows.keys)
            hit = at >= 0
            high, low, copies = (column[hit] for column in rows.columns)
            pages = np.stack([high, low], axis=1).astype('>u8').view(np.uint8)
            numbers = at[hit] + begin + first
            yield from self._parts.add_labels(pages.reshape(-1, 16), numbers, copies)

    def finish(self) -> Iterator[Line]:
        """Yield the remaining lines."""
        yield from self._parts.finish()


def partition_bounds(part: int, bits: int) -> tuple[bytes, bytes]:
    """Return the first digest of a partition, and the first after it.

    >>> partition_bounds(1, 2), partition_bounds(3, 2)[1] > bytes([255]) * 32
    ((b'@', b'\x80'), True)
    """
    width = -(-bits // 8)
    low, high = part << (8 * width - bits), (part + 1) << (8 * width - bits)
    top = high >> (8 * width)
    return low.to_bytes(width, 'big'), (
        b'\xff' * 65 if top else high.to_bytes(width, 'big')
    )
