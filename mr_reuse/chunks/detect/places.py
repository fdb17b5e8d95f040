"""Places of labels: every page that has a label, in the order of `places.tsv`.

    place/PART  PAGES  pages with their labels in this partition of the labels
    place/PART  ROWS   rows of the table, sorted

Labels are numbered in the order of their hashes, so ranges of numbers are partitions in
the order of the table. The lines of mappers and those of reducers have the same keys.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from mr_reuse.archives import rids
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.shuffle import packing, sorting
from mr_reuse.shuffle.partitions import (
    pack_texts,
    partition_key,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line

UNIT = 'place'
MAX_TEXTS = 32 << 20  # bytes of texts in the memory of a mapper
OVERHEAD = 60  # bytes that Python takes for a text besides its characters, about
DIGITS = 14  # decimal digits of the number of any label


def has_places(match: Match) -> bool:
    """Test whether the labels of a match are listed: those of files are not.

    >>> page = Match(b'a:0', b'http://a/', b'', 1, 2, b'8,4:AAAA')
    >>> has_places(page), has_places(page._replace(total=None))
    (True, False)
    """
    return match.is_kept and match.labels != matching.NO_LABELS


def parts_of_labels(labels: np.ndarray, chunks: int, bits: int) -> np.ndarray:
    """Return the partitions of labels, among so many labels of chunks.

    >>> parts_of_labels(np.array([0, 4, 5, 9], np.uint64), chunks=10, bits=1).tolist()
    [0, 0, 1, 1]
    """
    return labels * np.uint64(1 << bits) // np.uint64(max(chunks, 1))


class PlaceCollector:
    """A `Collector` of matches: pages by partition of their labels."""

    def __init__(self, chunks: int, bits: int):
        self._chunks, self._bits = chunks, bits
        self._pages: list[Match] = []
        self._texts: dict[int, list[bytes]] = {}
        self._packed = self._size = 0

    def add(self, match: Match) -> Iterator[Line]:
        """Add the labels of a page."""
        if not has_places(match):
            return
        self._pages.append(match)
        self._packed += len(match.labels) + OVERHEAD
        if self._packed > matching.BATCH_BYTES:
            self._unpack()
        if self._size > MAX_TEXTS:
            yield from self._drain()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the remaining pages."""
        self._unpack()
        yield from self._drain()

    def _unpack(self) -> None:
        """Unpack the labels of the pages; make a text of each page and partition."""
        if not self._pages:
            return
        owners, numbers, _ = matching.unpack_labels([p.labels for p in self._pages])
        is_chunk = numbers < self._chunks
        owners, numbers = owners[is_chunk].astype(np.uint64), numbers[is_chunk]
        parts = parts_of_labels(numbers, self._chunks, self._bits)
        starts = packing.group_starts(packing.join_halves(owners, parts))
        groups = zip(owners[starts].tolist(), parts[starts].tolist(), strict=True)
        bounds, labels = [*starts.tolist(), len(numbers)], numbers.tolist()
        for (owner, part), (start, end) in zip(groups, pairwise(bounds), strict=True):
            text = page_text(self._pages[owner], labels[start:end])
            self._texts.setdefault(part, []).append(text)
            self._size += len(text) + OVERHEAD
        self._pages, self._packed = [], 0

    def _drain(self) -> Iterator[Line]:
        for part, texts in self._texts.items():
            for value in pack_texts(texts):
                yield partition_key(UNIT, part), value
        self._texts, self._size = {}, 0


def page_text(page: Match, labels: Iterable[int]) -> bytes:
    """Make the text of a page and some of its labels.

    >>> page = Match(b'a:0', b'http://a/', b'2020-01-02', 1, 2, b'8,4:AAAA')
    >>> page_text(page, [3, 10])
    b'a:0\\thttp://a/\\t2020-01-02\\t3 10'
    """
    numbers = ' '.join(map(str, labels)).encode()
    return b'\t'.join([page.rid, page.url, page.date, numbers])


def list_places(values: Iterable[bytes], labels: Labels) -> Iterator[bytes]:
    """Make the sorted rows of a partition from the texts of its pages."""
    texts = (text for value in values for text in unpack_texts(value))
    lines = sorting.sort_lines(line for text in texts for line in keyed_places(text))
    return name_labels(lines, labels.chunks)


def keyed_places(text: bytes) -> Iterator[bytes]:
    """Yield a line for each label of the text of a page, with its sort key.

    >>> for line in sorted(keyed_places(b'a:9\\thttp://a/\\t2020-01-02\\t3 10')):
    ...     print(line[:14], line[-24:])
    b'00000000000003' b'a:9\\thttp://a/\\t2020-01-02'
    b'00000000000010' b'a:9\\thttp://a/\\t2020-01-02'
    """
    place, _, numbers = text.rpartition(b'\t')
    rid, _, _ = place.split(b'\t')
    order = sorting.add_key(rids.sort_key(rid), place)
    for number in numbers.split(b' '):
        yield number.zfill(DIGITS) + order


def name_labels(lines: Iterable[bytes], digests: np.ndarray) -> Iterator[bytes]:
    """Turn sorted lines into rows of the table, with the hash of each label."""
    before, name = b'', b''
    for line in lines:
        if line[:DIGITS] != before:
            before = line[:DIGITS]
            name = digests[int(before)].tobytes().hex().encode()
        yield b'%b\t%b' % (name, sorting.split_key(line)[1])
