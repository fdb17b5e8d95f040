"""Lines of captures: repeated URLs, and the captures of these to choose from.

url/PART      ROWS    digests of URLs: (digest; number of captures)
capture/PART  BASE64  captures of repeated URLs, as lines of `captures.format_capture`
skipped/PART  ROWS    digests of the captures that are not kept: (digest; 1 for a page)

The work is the same for page lines and for documents.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from mr_reuse import storage
from mr_reuse.pages import captures
from mr_reuse.pages.captures import Capture
from mr_reuse.pages.skipped import rid_digest
from mr_reuse.shuffle import ordered_parts, packing, spilling
from mr_reuse.shuffle.mapped_digests import MappedDigests
from mr_reuse.shuffle.packing import MAX, SUM, Rows
from mr_reuse.shuffle.partitions import (
    NAME_WIDTH,
    name_digest,
    pack_texts,
    part_of_digest,
    partition_key,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line

BATCH = 100_000  # URLs to merge together
MAX_TEXTS = 8 << 20  # bytes of captures in memory, with OVERHEAD for each
OVERHEAD = 100


class DigestCounter:
    """A `Collector` of digests: counts each of them."""

    def __init__(self, unit: str, bits: int):
        self._unit, self._bits = unit, bits
        self._digests: list[bytes] = []
        self._counts = spilling.MergeTable([SUM])

    def add(self, *digests: bytes) -> Iterable[Line]:
        """Add digests. This is no generator, as it has little to do for a digest."""
        self._digests += digests
        return self._flush() if len(self._digests) >= BATCH else ()

    def _flush(self) -> Iterator[Line]:
        ones = np.ones(len(self._digests), np.uint64)
        rows = packing.make_rows(b''.join(self._digests), NAME_WIDTH, ones)
        self._digests = []
        if self._counts.add(rows):
            yield from self._drain()

    def _drain(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._counts, self._unit, self._bits)

    def finish(self) -> Iterator[Line]:
        """Yield the remaining counts."""
        yield from self._flush()
        yield from self._drain()


class RepeatedUrls:
    """A reducer of counts of URLs: selects those with several captures."""

    def __init__(self) -> None:
        self.stats = Counter(captures=0, urls=0)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the digests of the repeated URLs of a partition, in order."""
        table = spilling.MergeTable([SUM], storage.open_scratch)
        for value in values:
            table.add(packing.unpack(value))
        for rows in table.drain():
            [counts] = rows.columns
            self.stats.update(captures=int(counts.sum()), urls=len(counts))
            repeated = Rows(rows.keys[counts > 1], ())
            for line in packing.pack_lines([repeated]):
                yield key, line


class CaptureCollector:
    """A `Collector` of captures: those of repeated URLs, by partition."""

    def __init__(self, repeated: MappedDigests, keep: str, bits: int):
        self._repeated, self._keep, self._bits = repeated, keep, bits
        self._texts: dict[int, list[bytes]] = {}
        self._size = 0

    def add(self, capture: Capture, name: bytes) -> Iterable[Line]:
        """Add a capture. If it is not kept, the output has the digest of its name."""
        digest = name_digest(captures.identify(capture.url, capture.rid))
        if digest not in self._repeated:
            return ()
        line = captures.format_capture(capture, self._keep)
        text = b'%b\t%b' % (line.rpartition(b'\t')[0], name)
        part = part_of_digest(digest, self._bits)
        self._texts.setdefault(part, []).append(text)
        self._size += len(text) + OVERHEAD
        return self.finish() if self._size > MAX_TEXTS else ()

    def finish(self) -> Iterator[Line]:
        """Yield all captures in memory."""
        for part, texts in self._texts.items():
            for value in pack_texts(texts):
                yield partition_key('capture', part), value
        self._texts, self._size = {}, 0


class SkippedCollector:
    """A reducer of captures: the digests of those that are not kept, by partition."""

    def __init__(self, bits: int, to_digest: Callable[[bytes], bytes] = rid_digest):
        self._bits, self._to_digest = bits, to_digest
        self._skipped: list[tuple[bytes, bool]] = []

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Choose among the captures of the URLs of a partition."""
        lines = (text for value in values for text in unpack_texts(value))
        for name, was_page in captures.find_skipped(lines):
            self._skipped.append((self._to_digest(name), was_page))
            if len(self._skipped) >= BATCH:
                yield from self.finish()

    def finish(self) -> Iterator[Line]:
        """Yield the remaining digests."""
        self._skipped.sort()
        digests = b''.join(digest for digest, _ in self._skipped)
        were_pages = [was_page for _, was_page in self._skipped]
        rows = packing.make_rows(digests, NAME_WIDTH, were_pages)
        self._skipped = []
        for part, piece in packing.partition(rows, self._bits):
            for line in packing.pack_lines([piece]):
                yield partition_key('skipped', part), line


class SkippedSorter:
    """A reducer of digests of skipped captures: sorts and counts them."""

    def __init__(self) -> None:
        self.stats = Counter(passed_over=0, passed_pages=0)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Sort the digests of a partition."""
        table = spilling.MergeTable([MAX], storage.open_scratch)
        for value in values:
            table.add(packing.unpack(value))
        for rows in table.drain():
            pages = int(rows.columns[0].sum())
            self.stats.update(passed_over=len(rows.keys), passed_pages=pages)
            for line in packing.pack_lines([Rows(rows.keys, ())]):
                yield key, line


def read_digests(parts: Iterable[str], unit: str) -> Iterator[np.ndarray]:
    """Yield the sorted digests in part files, in pieces."""
    for value in ordered_parts.read_values_in_order(parts, unit):
        yield packing.unpack(value).keys
