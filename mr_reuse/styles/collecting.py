"""Collect the documents of a task and their fingerprints, and turn them into lines."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from mr_reuse.archives.items import PAGE_FILE, Item
from mr_reuse.archives.urls import url_host
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

AT_ONCE = 64  # fingerprints to shorten in one call
MAX_KNOWN = 10_000  # hosts whose digests are remembered


def _servers_of(url: str) -> bytes:
    """Return digests of the host and of the domain of a page; 0 without a host.

    >>> _servers_of('urn:x') == bytes(16), _servers_of('http://a.org/')[:8] > bytes(8)
    (True, True)
    """
    return _servers_of_host(url_host(url))


@lru_cache(MAX_KNOWN)
def _servers_of_host(host: str) -> bytes:
    return b''.join(
        servers.server_of_host(host, '', unit).name.to_bytes(8, 'little')
        for unit in (servers.HOST, servers.DOMAIN)
    )


class FingerprintCollector:
    """A `Collector` of documents: their lines, and those of their fingerprints.

    `admits` tests the media type of an item.
    """

    def __init__(self, recipe: Recipe, admits: Callable[[str], bool]):
        self._recipe, self._admits = recipe, admits
        self._batches = BatchWriter()
        self._rows = RowWriter(fingerprints.UNIT)
        self._waiting: list[tuple[tuple[str, int], np.ndarray, bytes]] = []

    def add(self, rid: str, item: Item) -> Iterator[Document | ReadyLine]:
        """Add an item, if it is a document. Its body is read before this returns.

        Sets `type` and `size` of the item. May raise `Lost`.
        """
        way, body = reading.open_body(item, self._way)
        if not way:
            return iter(())
        values = self._values(item, body)
        place = self._batches.add(rid)
        filled = int(np.count_nonzero(values != EMPTY))
        is_file = item.kind == PAGE_FILE
        facts = item.url, item.date, item.ip, is_file
        lines: list[Document | ReadyLine] = [Document(rid, *facts, 0, filled, *place)]
        if len(values):
            self._waiting.append((place, values, _servers_of(item.url)))
            if len(self._waiting) == AT_ONCE:
                lines += map(ReadyLine, self._write_waiting())
        return iter(lines)

    def _way(self, item: Item) -> str:
        """Return the way to read an item: as HTML, or not at all."""
        way = document.way_to_read(item.record_type, item.type, document.MARKUP)
        return way if way == document.AS_HTML and self._admits(item.type) else ''

    def _values(self, item: Item, body: bytes | None) -> np.ndarray:
        """Return the values of the fingerprint of an item; none without an n-gram."""
        rule = self._recipe.rule
        if body is None:
            return find_fingerprint_of_parts(reading.count_pieces(item), rule)
        item.size = len(body)
        return find_fingerprint(body, rule)

    def _write_waiting(self) -> Iterator[Line]:
        """Shorten the fingerprints that wait, and yield lines that are complete.

        Many are shortened at a time, since numpy takes as long for one.
        """
        if not self._waiting:
            return
        places, values, digests = zip(*self._waiting, strict=True)
        self._waiting = []
        rows = shorten_values(np.stack(values), self._recipe.bits)
        for place, row, servers_of_row in zip(places, rows, digests, strict=True):
            yield from self._rows.add(place, row.tobytes() + servers_of_row)

    def finish(self) -> Iterator[Line]:
        """Yield the line of the fingerprints in memory."""
        yield from self._write_waiting()
        yield from self._rows.finish()

    @property
    def stats(self) -> dict[str, Any]:
        """The batches of all documents, for the statistics of the task."""
        return self._batches.as_stats()
