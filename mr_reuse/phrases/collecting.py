"""Collect the documents of a task and their vectors, and turn them into lines."""

from collections.abc import Iterator
from struct import Struct
from typing import Any

from mr_reuse.archives.items import Item
from mr_reuse.pages.documents import servers
from mr_reuse.pages.documents.document import Document
from mr_reuse.pages.documents.document_rows import ReadyLine, RowWriter
from mr_reuse.pages.documents.numbering import BatchWriter
from mr_reuse.pages.documents.reading import ItemWords
from mr_reuse.phrases import vectors
from mr_reuse.shuffle.protocol import Line

PACKED_SERVER = Struct('<2Q')  # its two numbers


class VectorCollector:
    """A `Collector` of documents: their lines, and those of their vectors."""

    def __init__(self) -> None:
        self._batches = BatchWriter()
        self._vectors = RowWriter(vectors.UNIT)

    def add(
        self, rid: str, item: Item, words: ItemWords
    ) -> Iterator[Document | ReadyLine]:
        """Add a document. Its words are read before this returns."""
        vector = words.find_shingles()
        place = self._batches.add(rid)
        page = Document.of_item(rid, item, words.count, place)
        lines: list[Document | ReadyLine] = [page]
        if vector:
            server = servers.server_of(page.url, page.ip, servers.IP)
            row = vector + PACKED_SERVER.pack(*server)
            lines += map(ReadyLine, self._vectors.add(place, row))
        return iter(lines)

    def finish(self) -> Iterator[Line]:
        """Yield the line of the vectors in memory."""
        return self._vectors.finish()

    @property
    def stats(self) -> dict[str, Any]:
        """The batches of all documents, for the statistics of the task."""
        return self._batches.as_stats()
