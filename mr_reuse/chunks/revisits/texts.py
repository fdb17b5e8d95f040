"""Page lines between jobs as texts that can be sorted: digest, order, page line.

The lines of a digest are together after sorting, in their order.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from mr_reuse.chunks.page_lines import SplitLine
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.partitions import (
    NAME_WIDTH,
    pack_texts,
    part_of_digest,
    partition_key,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line

MAX_TEXTS = 8 << 20  # bytes of texts in memory, with OVERHEAD for each
OVERHEAD = 100
HEX = 2 * NAME_WIDTH  # hexadecimal digits of a digest
# Order: a record is before the revisits that look for it or refer to it.
RECORD, SEEKER = b'0', b'1'


class Texts:
    """Texts that wait to be written, by unit and partition."""

    def __init__(self, bits: int):
        self._bits = bits
        self._texts: dict[bytes, list[bytes]] = {}
        self._size = 0

    def add(
        self, unit: str, digest: bytes, order: bytes, line: SplitLine
    ) -> Iterable[Line]:
        """Add a page line under a digest; yield all texts if they are many."""
        key, fields = line
        text = b'\t'.join([digest.hex().encode(), order, key, *fields])
        part = partition_key(unit, part_of_digest(digest, self._bits))
        self._texts.setdefault(part, []).append(text)
        self._size += len(text) + OVERHEAD
        return self.drain() if self._size > MAX_TEXTS else ()

    def drain(self) -> Iterator[Line]:
        """Yield all texts."""
        for part, texts in self._texts.items():
            for value in pack_texts(texts):
                yield part, value
        self._texts, self._size = {}, 0


def read_groups(
    values: Iterable[bytes],
) -> Iterator[Iterator[tuple[bytes, SplitLine]]]:
    """Sort the texts of a partition; yield those of each digest: order, page line."""
    texts = sorting.sort_lines(text for value in values for text in unpack_texts(value))
    for _, group in groupby(texts, key=lambda text: text[:HEX]):
        yield map(split_text, group)


def split_text(text: bytes) -> tuple[bytes, SplitLine]:
    """Return the order and the page line of a text."""
    _, order, key, *fields = text.split(b'\t')
    return order, (key, fields)
