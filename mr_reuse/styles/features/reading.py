"""Read sampled pages, and find the features that those of a style share.

The first lines are of `lookup.RowReader`: the row of a page is `STYLE PLACE URL`. The
style of a page that was drawn of all documents is 0.

    page/STYLE   TEXTS   in the shuffle: place and features; no features of a page
                         that could not be read
    shared/STYLE TEXTS   the fields of `Feature`
    page/0000    TEXTS   number of the style or 0, and features

The place of a page says in which order the pages of a style come. Of those of all
documents, it is the number of their style, or 0.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.pages import lookup
from mr_reuse.pages.lookup import ReadRows, RowReader
from mr_reuse.shuffle import ordered_parts
from mr_reuse.shuffle.partitions import (
    pack_texts,
    part_of,
    partition_key,
    unpack_texts,
)
from mr_reuse.shuffle.protocol import Line
from mr_reuse.styles.features import shared
from mr_reuse.styles.features.page_features import PageFeatures, read_features

PAGE, SHARED = 'page', 'shared'  # units
DIGITS = 8  # of a place, so that texts sort like it
ALL = 0  # in place of a style


class PageRow(NamedTuple):
    """A page to read."""

    style: int
    place: int
    url: str

    @classmethod
    def parse(cls, row: bytes) -> 'PageRow':
        """Parse a row."""
        style, place, url = to_text(row).split('\t')
        return cls(int(style), int(place), url)

    def to_row(self) -> bytes:
        """Make a row.

        >>> row = PageRow(3, 0, 'http://a/')
        >>> PageRow.parse(row.to_row()) == row
        True
        """
        return to_bytes('\t'.join(map(str, self)))


class FeatureReader:
    """A `Collector` of rows of pages: reads their features."""

    def __init__(self) -> None:
        self._rows = RowReader()

    def add(self, key: bytes, row: bytes) -> Iterator[Line]:
        """Add the row of a page."""
        return self._read(self._rows.add(key, row))

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the last pages."""
        return self._read(self._rows.finish())

    def _read(self, rows: ReadRows) -> Iterator[Line]:
        for texts, item in rows:
            for row in map(PageRow.parse, texts):
                page = read_page(item, row.url)
                text = b'%0*d' % (DIGITS, row.place)
                if page:
                    text += b'\t' + page.to_text()
                for value in pack_texts([text]):
                    yield partition_key(PAGE, row.style), value


def read_page(item: Item | None, url: str) -> PageFeatures | None:
    """Return the features of a page; None if it is missing or damaged."""
    if item and lookup.has_url(item, url):
        with suppress(Lost):
            return read_features(next(iter(item.blocks), b''), url)
    return None


class SharedFinder:
    """A reducer of the lines of `FeatureReader`: writes shared features."""

    def __init__(self) -> None:
        self._counts = Counter(read=0, unread=0)

    @property
    def stats(self) -> dict[str, int]:
        """How many pages were read, and how many could not be."""
        return dict(self._counts)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the lines of a style, or of the pages of all documents."""
        style = part_of(key)
        texts = sorted(text for value in values for text in unpack_texts(value))
        read = [text for text in texts if b'\t' in text]
        self._counts.update(read=len(read), unread=len(texts) - len(read))
        if style == ALL:
            yield from ordered_parts.pack_rows(PAGE, ALL, read)
            return
        pages = [PageFeatures.parse(text.partition(b'\t')[2]) for text in read]
        found = (one.to_text() for one in shared.find_shared(pages))
        texts = [b'%d\t%b' % (len(pages), text) for text in found]
        yield from ordered_parts.pack_rows(SHARED, style, texts)
