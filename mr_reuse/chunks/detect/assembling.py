"""Assemble the match of a page from the lines of several tasks.

whole/PART  BASE64    complete matches, many in a line
part/PART   f:BASE64  facts of pages whose labels arrive separately
part/PART   l:ROWS    labels of such pages: (page and label; copies)

PART is the partition of the digest of the page's rid.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import LineLabels, Match
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.shuffle import packing, sorting, spilling
from mr_reuse.shuffle.packing import SUM, Rows
from mr_reuse.shuffle.partitions import (
    pack_texts,
    part_of_digest,
    partition_key,
    unit_of,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line
from mr_reuse.shuffle.spilling import MergeTable

MAX_FACTS = 8 << 20  # bytes of facts in memory


class PartialMatches:
    """A `Collector` of facts and labels of pages, by partition of the pages."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._facts: dict[int, list[bytes]] = {}
        self._labels = MergeTable([SUM])
        self._size = 0

    def add_fact(self, key: bytes, page: tuple[bytes, ...]) -> Iterator[Line]:
        """Add the facts of a line: rid, URL, date, total, and b'1' if it is a page."""
        part = part_of_digest(key, self._bits)
        text = b'\t'.join([key.hex().encode(), *page])
        self._facts.setdefault(part, []).append(text)
        self._size += len(text) + 60
        if self._size > MAX_FACTS:
            yield from self._drain_facts()

    def add_labels(self, pages: np.ndarray, numbers, copies) -> Iterator[Line]:
        """Add labels of pages; a row of `pages` is a digest of 16 bytes."""
        keys = np.concatenate([pages, matching.keys_of(numbers)], axis=1)
        if self._labels.add(Rows(keys, (copies,))):
            yield from self._drain_labels()

    def _drain_facts(self) -> Iterator[Line]:
        for part, texts in self._facts.items():
            for value in pack_texts(texts):
                yield partition_key('part', part), b'f:' + value
        self._facts, self._size = {}, 0

    def _drain_labels(self) -> Iterator[Line]:
        for key, line in spilling.drain_lines(self._labels, 'part', self._bits):
            yield key, b'l:' + line

    def finish(self) -> Iterator[Line]:
        """Yield the remaining facts and labels."""
        yield from self._drain_facts()
        yield from self._drain_labels()


class Assembler:
    """A reducer that joins the facts and labels of pages to matches."""

    def __init__(self, labels: Labels, bits: int):
        self._chunks, self._bits = len(labels.chunks), bits

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the matches of a partition of the pages."""
        if unit_of(key) == 'whole':
            for value in values:
                for text in unpack_texts(value):
                    yield tuple(text.split(b'\t', 1))
            return
        labels = MergeTable([SUM], storage.open_scratch, self._bits)
        facts = sorting.sort_lines(_facts(values, labels))
        by_page = groupby(facts, key=lambda fact: fact[:32])
        # Sorting has read all values, so the table of labels is complete. Facts and
        # labels are now in the order of pages: a merge join.
        labels_by_page = _by_page(labels)
        page, numbers, copies = next(labels_by_page, _END)
        for name, of_page in by_page:
            while page < name:
                page, numbers, copies = next(labels_by_page, _END)
            own = (numbers, copies) if page == name else _END[1:]
            match = self._match(list(of_page), *own)
            if match:
                yield match.to_line()

    def _match(self, facts: list[bytes], numbers: np.ndarray, copies) -> Match | None:
        cells = [fact.split(b'\t')[1:] for fact in facts]
        total = sum(int(fact[3]) for fact in cells)
        # Only the first line of a long page has a date and the mark of a page.
        rid, url, date, _, page = max(cells, key=lambda fact: fact[4] + fact[2])
        if not page and not len(numbers):
            return None
        ones = np.zeros(len(numbers), np.uint64)
        labels = LineLabels(ones, numbers, copies)
        [bad], [packed] = labels.bad(self._chunks, 1), labels.packed(1)
        return Match(rid, url, date, bad, total if page else None, packed)


_END = (b'g', np.zeros(0, np.uint64), np.zeros(0, np.uint64))  # after all hex digits


def _facts(values: Iterable[bytes], labels: MergeTable) -> Iterator[bytes]:
    """Yield the facts among the values of a partition; add its labels to a table."""
    for value in values:
        kind, _, data = value.partition(b':')
        if kind == b'f':
            yield from unpack_texts(data)
        else:
            labels.add(packing.unpack(data))


def _by_page(labels: MergeTable) -> Iterator[tuple[bytes, np.ndarray, np.ndarray]]:
    """Yield the labels of each page, in the order of the hexadecimal page digests."""
    for rows in labels.drain():
        pages = np.ascontiguousarray(rows.keys[:, :16])
        numbers = matching.numbers_of(rows.keys[:, 16:])
        starts = packing.group_starts(pages).tolist()
        for start, end in pairwise([*starts, len(pages)]):
            page = pages[start].tobytes().hex().encode()
            yield page, numbers[start:end], rows.columns[0][start:end]
