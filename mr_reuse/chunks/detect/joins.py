"""How page lines and labels come together: in memory, or in the shuffle.

    chunk/PART  ROWS  digests that somebody has to look up: digest; page, copies
    file/PART   ROWS  the same for whole files

Whatever the join, `assembling.py` puts the pages together; the result is the same.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.archives.rids import rid_of
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.assembling import Parts
from mr_reuse.chunks.detect.matching import Lookup, Match
from mr_reuse.chunks.labels.label_format import Labels
from mr_reuse.chunks.page_lines import DATE, URL, Batch, Fields
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.bloom import Bloom
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.partitions import (
    NAME_WIDTH,
    name_digest,
    packed_lines,
    part_of,
    part_of_name,
    partition_key,
    unit_of,
)
from mr_reuse.shuffle.protocol import Line
from mr_reuse.shuffle.text_lines import pack_texts

HOT = 64  # so often in a batch, a digest is looked up at once: see `Ask`
REMEMBERED = 100_000


class Counted(NamedTuple):
    """What is counted of a page, and into how many partitions pages are divided."""

    scope: str  # of stop chunks
    distinct: bool  # a chunk counts once a page
    bits: int


class Join(ABC):
    """A `Collector` of page lines; a subclass looks up what is in them."""

    def __init__(self, labels: Labels, counted: Counted):
        self._labels, self._counted = labels, counted
        self._stops = matching.Stops(labels, counted.scope)
        self._batch = Batch(labels.recipe.width)
        self._parts = Parts(counted.bits)

    def add(self, key: bytes, value: bytes) -> Iterator[Line]:
        """Take a page line."""
        if self._batch.add(key, value):
            yield from self._flush()

    def finish(self) -> Iterator[Line]:
        """Look up the rest; yield what is left."""
        yield from self._flush()
        yield from self._parts.finish()

    def _flush(self) -> Iterator[Line]:
        if self._batch.lines:
            wanted = matching.lookup(self._batch, self._stops, self._counted.distinct)
            yield from self._look(wanted)

    @abstractmethod
    def _look(self, wanted: Lookup) -> Iterator[Line]:
        """Look up what a batch of lines needs."""

    def _fact(self, key: bytes, fields: Fields, total: int) -> Iterator[Line]:
        rid, page = rid_of(key), b'1' if matching.is_page(fields) else b''
        fact = rid, fields[URL], fields[DATE], b'%d' % total, page
        yield from self._parts.add_fact(name_digest(rid), fact)


class InMemory(Join):
    """Looks everything up at once: the labels are mapped into memory."""

    def __init__(self, labels: Labels, counted: Counted):
        super().__init__(labels, counted)
        self._chunks, self._files = (
            DigestIndex(labels.chunks),
            DigestIndex(labels.files),
        )

    def _look(self, wanted: Lookup) -> Iterator[Line]:
        chunks, files = self._chunks, self._files
        found = matching.found(
            wanted,
            chunks.find(wanted.keys),
            files.find(wanted.file_keys),
            len(chunks),
        )
        count = len(wanted.lines)
        bad = found.bad(len(chunks), count)
        known = zip(wanted.lines, wanted.totals, bad, found.packed(count), strict=True)
        texts = []
        for (key, fields), total, of_it, packed in known:
            if matching.is_part(fields):
                yield from self._fact(key, fields, total)
                yield from self._labels_of(key, packed)
            elif matching.is_page(fields):
                match = Match(key, fields[URL], fields[DATE], of_it, total, packed)
                texts.append(b'\t'.join(match.pair()))
            elif packed != matching.NONE:
                match = Match(key, fields[URL], fields[DATE], 0, None, packed)
                texts.append(b'\t'.join(match.pair()))
        part = part_of_name(wanted.lines[0][0], self._counted.bits)
        for value in pack_texts(texts):
            yield partition_key('whole', part), value

    def _labels_of(self, key: bytes, packed: bytes) -> Iterator[Line]:
        """The labels of a line that may be a part of a page only."""
        _, numbers, copies = matching.unpack_labels([packed])
        page = np.frombuffer(name_digest(rid_of(key)), np.uint8)
        pages = np.broadcast_to(page, (len(numbers), 16))
        yield from self._parts.add_labels(pages, numbers, copies)


class Ask(Join):
    """Asks the reducers, each of which has a part of the labels.

    A Bloom filter of all labels keeps back nearly all that would be asked in vain. What
    is frequent in a batch is looked up in the label file at once, so that no reducer
    drowns in one label that is everywhere.
    """

    def __init__(
        self,
        labels: Labels,
        counted: Counted,
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
        pages = packing.rows_of(keys, NAME_WIDTH).keys
        ones = np.ones(len(wanted.file_keys), np.uint64)
        of_chunks = pages[wanted.owners.astype(np.intp)]
        of_files = pages[wanted.file_owners.astype(np.intp)]
        yield from self._ask('chunk', wanted.keys, of_chunks, wanted.copies)
        yield from self._ask('file', wanted.file_keys, of_files, ones)

    def _ask(
        self, unit: str, keys: np.ndarray, pages: np.ndarray, copies
    ) -> Iterator[Line]:
        if self._maybe:
            kept = self._maybe.maybe(keys)
            keys, pages, copies = keys[kept], pages[kept], copies[kept]
        order, groups = packing.order_and_groups(keys)
        keys, pages, copies = keys[order], pages[order], copies[order]
        sizes = np.diff(groups, append=len(order))
        often = np.repeat(sizes >= HOT, sizes)
        if often.any():
            yield from self._at_once(unit, keys[often], pages[often], copies[often])
        words = pages[~often].view('>u8').reshape(-1, 2).astype(np.uint64)
        rows = Rows(keys[~often], (words[:, 0], words[:, 1], copies[~often]))
        yield from packed_lines(unit, packing.partition(rows, self._bits))

    def _at_once(self, unit: str, keys: np.ndarray, pages, copies) -> Iterator[Line]:
        """Look up sorted keys, of which there are few that differ."""
        order, groups = packing.order_and_groups(keys)
        found = [self._number(unit, keys[i].tobytes()) for i in order[groups]]
        numbers = np.repeat(found, np.diff(groups, append=len(order)))
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


def place_of(keys: np.ndarray, digest: bytes) -> int:
    """Where a digest is or would be among sorted ones; looks at a few only."""
    return bisect_left(range(len(keys)), digest, key=lambda i: keys[i].tobytes())


def section(labels: Labels, unit: str) -> tuple[np.ndarray, int]:
    """The digests of a unit, and the number of the first as a label."""
    return (labels.chunks, 0) if unit == 'chunk' else (labels.files, len(labels.chunks))


def number_of(labels: Labels, unit: str, digest: bytes) -> int:
    """The number of a label, -1 if it is none."""
    keys, first = section(labels, unit)
    at = place_of(keys, digest)
    return first + at if at < len(keys) and keys[at].tobytes() == digest else -1


class Answer:
    """A `Collector` of what `Ask` asks: looks it up in one part of the labels."""

    def __init__(self, labels: Labels, bits: int, page_bits: int):
        self._labels, self._bits = labels, bits
        self._parts = Parts(page_bits)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Answer all lines of a partition of the digests."""
        unit = unit_of(key)
        keys, first = section(self._labels, unit)
        begin, end = (
            place_of(keys, bound) for bound in bounds(part_of(key), self._bits)
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
        """Look up the rest; yield what is left."""
        yield from self._parts.finish()


def bounds(part: int, bits: int) -> tuple[bytes, bytes]:
    """The first digest of a part, and the first behind it.

    >>> bounds(1, 2), bounds(3, 2)[1] > bytes([255]) * 32
    ((b'@', b'\x80'), True)
    """
    width = -(-bits // 8)
    low, high = part << (8 * width - bits), (part + 1) << (8 * width - bits)
    top = high >> (8 * width)
    return low.to_bytes(width, 'big'), (
        b'\xff' * 65 if top else high.to_bytes(width, 'big')
    )
