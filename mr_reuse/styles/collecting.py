"""Collect the documents of a task and their fingerprints, and turn them into lines."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mr_reuse.archives.items import Item
from mr_reuse.pages.documents import document, reading, servers
from mr_reuse.pages.documents.document import Document
from mr_reuse.pages.documents.document_rows import ReadyLine, RowWriter
from mr_reuse.pages.documents.numbering import BatchWriter
from mr_reuse.shuffle.protocol import Line
from mr_reuse.styles import fingerprints
from mr_reuse.styles.style_options import Recipe
from mr_reuse.text.noise.fingerprints import (
    find_fingerprint,
    find_fingerprint_of_parts,
)
from mr_reuse.text.noise.keys import shorten_values
from mr_reuse.text.noise.pure_fingerprints import EMPTY


def digests_of(url: str) -> tuple[int, int]:
    """Return digests of the host and of the domain of a page; 0 without a host.

    >>> digests_of('urn:x'), digests_of('http://a.org/')[0] > 0
    ((0, 0), True)
    """
    units = servers.HOST, servers.DOMAIN
    host, domain = (servers.server_of(url, '', unit).name for unit in units)
    return host, domain


class FingerprintCollector:
    """A `Collector` of documents: their lines, and those of their fingerprints.

    `admits` tests the media type of an item.
    """

    def __init__(self, recipe: Recipe, admits: Callable[[str], bool]):
        self._recipe, self._admits = recipe, admits
        self._batches = BatchWriter()
        self._rows = RowWriter(fingerprints.UNIT)

    def add(self, rid: str, item: Item) -> Iterator[Document | ReadyLine]:
        """Add an item, if it is a document. Its body is read before this returns.

        Sets `type` and `size` of the item. May raise `Lost`.
        """
        way, body = reading.open_body(item, self._way)
        if not way:
            return iter(())
        values = self._values(item, body)
        place = self._batches.add(rid)
        page = Document.of_item(rid, item, 0)
        filled = int(np.count_nonzero(values != EMPTY))
        page = page._replace(grams=filled, batch=place[0], ordinal=place[1])
        lines: list[Document | ReadyLine] = [page]
        if len(values):
            keys = shorten_values(values, self._recipe.bits)
            row = keys.tobytes() + np.array(digests_of(page.url), '<u8').tobytes()
            lines += map(ReadyLine, self._rows.add(place, row))
        return iter(lines)

    def _way(self, item: Item) -> str:
        """Return the way to read an item: as HTML, or not at all."""
        way = document.way_to_read(item.head.type, item.type, document.MARKUP)
        return way if way == document.AS_HTML and self._admits(item.type) else ''

    def _values(self, item: Item, body: bytes | None) -> np.ndarray:
        """Return the values of the fingerprint of an item; none without an n-gram."""
        rule = self._recipe.rule
        if body is None:
            return find_fingerprint_of_parts(reading.count_pieces(item), rule)
        item.size = len(body)
        return find_fingerprint(body, rule)

    def finish(self) -> Iterator[Line]:
        """Yield the line of the fingerprints in memory."""
        return self._rows.finish()

    @property
    def stats(self) -> dict[str, Any]:
        """The batches of all documents, for the statistics of the task."""
        return self._batches.as_stats()
