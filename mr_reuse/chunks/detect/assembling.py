"""Assemble the match of a page from the lines of several tasks.

whole/PART  BASE64    complete matches, many in a line
part/PART   f:BASE64  facts of pages whose labels arrive separately
part/PART   l:ROWS    labels of such pages: (page and label; copies)

PART is the partition of the digest of the page's rid.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, pairwise
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import LineLabels, Match
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.shuffle import packing, sorting, spilling
from mr_reuse.shuffle.packing import SUM, Rows
from mr_reuse.shuffle.partitions import (
    NAME_WIDTH,
    pack_texts,
    part_of_digest,
    partition_key,
    unit_of,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line, read_lines
from mr_reuse.shuffle.spilling import MergeTable

MAX_FACTS = 8 << 20  # bytes of facts in memory
OVERHEAD = 60  # bytes that Python takes for a fact besides its text, about
FACT, LABELS = b'f', b'l'  # kinds of values
PAGE = b'1'
PAGE_HEX = 2 * NAME_WIDTH  # hexadecimal digits of the digest of a page


class Fact(NamedTuple):
    """The fields of a line of a page, after the digest of the page."""

    rid: bytes
    url: bytes
    date: bytes
    total: bytes
    kind: bytes  # PAGE, matching.SKIPPED, or b'' for a file or the rest of a page


class PartialMatches:
    """A `Collector` of facts and labels of pages, by partition of the pages."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._facts: dict[int, list[bytes]] = {}
        self._labels = MergeTable([SUM])
        self._size = 0

    def add_fact(self, page: bytes, fact: Fact) -> Iterator[Line]:
        """Add the fact of a line; `page` is a digest of 16 bytes."""
        part = part_of_digest(page, self._bits)
        text = b'\t'.join([page.hex().encode(), *fact])
        self._facts.setdefault(part, []).append(text)
        self._size += len(text) + OVERHEAD
        if self._size > MAX_FACTS:
            yield from self._drain_facts()

    def add_labels(
        self, pages: np.ndarray, numbers: np.ndarray, copies: np.ndarray
    ) -> Iterator[Line]:
        """Add labels of pages; a row of `pages` is a digest of 16 bytes."""
        keys = np.concatenate([pages, matching.keys_of(numbers)], axis=1)
        if self._labels.add(Rows(keys, (copies,))):
            yield from self._drain_labels()

    def _drain_facts(self) -> Iterator[Line]:
        for part, texts in self._facts.items():
            for value in pack_texts(texts):
                yield partition_key('part', part), FACT + b':' + value
        self._facts, self._size = {}, 0

    def _drain_labels(self) -> Iterator[Line]:
        for key, line in spilling.drain_lines(self._labels, 'part', self._bits):
            yield key, LABELS + b':' + line

    def finish(self) -> Iterator[Line]:
        """Yield the remaining facts and labels."""
        yield from self._drain_facts()
        yield from self._drain_labels()


class Assembler:
    """A reducer that joins the facts and labels of pages to matches."""

    def __init__(self, labels: Labels):
        self._chunks = len(labels.chunks)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the matches of a partition of the pages."""
        if unit_of(key) == 'whole':
            for value in values:
                for text in unpack_texts(value):
                    yield tuple(text.split(b'\t', 1))
            return
        labels = MergeTable([SUM], storage.open_scratch)
        # Sorting reads all values, so the table of labels is complete. Facts and labels
        # are then in the order of pages: a merge join.
        texts = sorting.sort_lines(_separate_facts(values, labels))
        pieces = groupby(_divide_by_page(labels), key=lambda piece: piece[0])
        labeled_page, of_labeled = next(pieces, _END)
        for page, texts_of_page in groupby(texts, key=lambda text: text[:PAGE_HEX]):
            while labeled_page < page:
                labeled_page, of_labeled = next(pieces, _END)
            facts = [Fact(*text.split(b'\t')[1:]) for text in texts_of_page]
            of_page = of_labeled if labeled_page == page else ()
            yield from self._assemble(facts, (labels for _, labels in of_page))

    def _assemble(
        self, facts: list[Fact], pieces: Iterable[LineLabels]
    ) -> Iterator[Line]:
        """Yield the match of a page; nothing for a file that is no page and no label.

        The pieces have the labels of the page.
        """
        # Only the first line of a long page has the mark of a page. Older versions
        # wrote the date only there, too.
        first = max(facts, key=lambda fact: (fact.kind, fact.date))
        total = sum(int(fact.total) for fact in facts)
        total_of_page = total if first.kind == PAGE else None
        is_skipped = first.kind == matching.SKIPPED
        names = first.rid, first.url, first.date
        match = Match(*names, 0, total_of_page, matching.NO_LABELS, is_skipped)
        lines = map(self._count_labels, _join_pieces(pieces))
        bad, packed = next(lines, (0, b''))
        if second := next(lines, None):
            yield from _divide_match(match, chain([(bad, packed), second], lines))
        elif packed or first.kind:
            packed = packed or matching.NO_LABELS
            yield match._replace(bad=bad, labels=packed).to_line()

    def _count_labels(self, labels: LineLabels) -> tuple[int, bytes]:
        """Return the number of labeled chunks, and the packed labels."""
        [bad], [packed] = labels.count_bad(self._chunks, 1), labels.pack(1)
        return bad, packed


# After the labels of all pages, as `g` sorts after all hexadecimal digits.
_END = (b'g', ())


def _divide_match(match: Match, pieces: Iterable[tuple[int, bytes]]) -> Iterator[Line]:
    """Yield the lines of a match with many labels, from numbers and packed labels."""
    with storage.open_scratch() as further:
        sum_bad = 0
        for number, (bad, packed) in enumerate(pieces, 1):
            line = match._replace(bad=bad, total=None, labels=packed, line=number)
            further.write(b'\t'.join(line.to_line()) + b'\n')
            sum_bad += bad
        yield match._replace(bad=sum_bad, labels=matching.IN_FURTHER).to_line()
        further.seek(0)
        yield from read_lines(further)


def _join_pieces(pieces: Iterable[LineLabels]) -> Iterator[LineLabels]:
    """Join and divide the labels of a page, so that each piece fills a line."""
    held: list[LineLabels] = []
    count = 0
    for piece in pieces:
        held.append(piece)
        count += len(piece.numbers)
        if count < matching.LINE_LABELS:
            continue
        joined = LineLabels(*map(np.concatenate, zip(*held, strict=True)))
        starts = range(0, count, matching.LINE_LABELS)
        *full, last = (slice(n, n + matching.LINE_LABELS) for n in starts)
        for where in full:
            yield LineLabels(*(column[where] for column in joined))
        held = [LineLabels(*(column[last] for column in joined))]
        count = len(held[0].numbers)
    if held:
        yield LineLabels(*map(np.concatenate, zip(*held, strict=True)))


def _separate_facts(values: Iterable[bytes], labels: MergeTable) -> Iterator[bytes]:
    """Yield the facts among the values of a partition; add its labels to a table."""
    for value in values:
        kind, _, data = value.partition(b':')
        if kind == FACT:
            yield from unpack_texts(data)
        else:
            labels.add(packing.unpack(data))


def _divide_by_page(labels: MergeTable) -> Iterator[tuple[bytes, LineLabels]]:
    """Yield the labels of pages, in the order of the hexadecimal page digests.

    The labels of a page may be in several pieces.
    """
    for rows in labels.drain():
        pages = np.ascontiguousarray(rows.keys[:, :NAME_WIDTH])
        numbers = matching.numbers_of(rows.keys[:, NAME_WIDTH:])
        owners = np.zeros(len(pages), np.uint64)
        columns = owners, numbers, rows.columns[0]
        starts = packing.group_starts(pages).tolist()
        for start, end in pairwise([*starts, len(pages)]):
            page = pages[start].tobytes().hex().encode()
            yield page, LineLabels(*(column[start:end] for column in columns))
