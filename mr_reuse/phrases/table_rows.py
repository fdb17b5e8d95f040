"""The rows of the tables with a row for each page or host."""

from collections.abc import Iterator, Sequence

from mr_reuse.archives import rids
from mr_reuse.messages import to_bytes
from mr_reuse.phrases import hosts, page_counts
from mr_reuse.phrases.page_counts import Row
from mr_reuse.phrases.phrase_tables import (
    NEAR_DUPLICATES,
    PHRASE_HOSTS,
    PHRASE_PAGES,
)
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.partitions import unit_of, unpack_texts
from mr_reuse.shuffle.sorting import Keyed
from mr_reuse.tables.row_makers import RowMaker
from mr_reuse.tables.schema import Table


class KeyedRows(RowMaker):
    """The rows of a table, which are complete in the lines of a unit."""

    def __init__(self, table: Table, unit: str):
        self.table, self._unit = table, unit

    def add(self, key: bytes, value: bytes) -> Iterator[Keyed]:
        """Yield the rows of a line."""
        if unit_of(key) == self._unit:
            yield from map(sorting.split_key, unpack_texts(value))


class PageRows(RowMaker):
    """The documents kept, in the order of archives and offsets."""

    table = PHRASE_PAGES

    def add(self, key: bytes, value: bytes) -> Iterator[Keyed]:
        """Yield the rows of a line."""
        if unit_of(key) == page_counts.PAGES:
            for text in unpack_texts(value):
                page = Row.parse(text)
                cells = page.rid, page.url, page.words, page.popular
                key = rids.sort_key(to_bytes(page.rid))
                yield key, to_bytes('\t'.join(map(str, cells)))


def new_makers() -> Sequence[RowMaker]:
    """Return the makers of all these tables."""
    return (
        KeyedRows(NEAR_DUPLICATES, page_counts.NEAR),
        PageRows(),
        KeyedRows(PHRASE_HOSTS, hosts.ROWS),
    )
