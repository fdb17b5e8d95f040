"""Collect the grams of documents in a task, and turn them into lines."""

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, NamedTuple

import numpy as np

from mr_reuse.archives.items import Item
from mr_reuse.pages.documents import segments
from mr_reuse.pages.documents.document import Document
from mr_reuse.pages.documents.numbering import BatchWriter
from mr_reuse.pages.documents.reading import ItemWords
from mr_reuse.quilts.grams import blocks
from mr_reuse.quilts.grams.page_grams import PageGrams
from mr_reuse.shuffle.partitions import partition_key
from mr_reuse.shuffle.protocol import Line
from mr_reuse.text.gram_block import GramBlock, Grams

MAX_WORDS = 1_500_000  # of the documents in memory; sorting them takes some 120 MB
MAX_DOCUMENTS = 60_000  # of a block: their numbers in it have two bytes


class BlockLine(NamedTuple):
    """A line with grams of several documents."""

    value: bytes

    def to_line(self) -> Line:
        return partition_key(blocks.UNIT, 0), self.value


Lines = Iterable[Document | BlockLine]


class GramCollector:
    """A `Collector` of documents: their lines, and blocks of their grams.

    `spill` opens a file for the grams of a large document.
    """

    def __init__(self, k: int, spill: Callable[[], IO[bytes]]):
        self._k, self._spill = k, spill
        self._batches = BatchWriter()
        self._documents: list[Document] = []
        self._block = GramBlock(k)
        self._words = 0
        self._stats = {'words': 0, 'grams': 0}

    def add(self, rid: str, item: Item, words: ItemWords) -> Lines:
        """Add a document. Its words are read before this returns."""
        if words.is_large:
            parts = (part.lanes() for part in words.parts())
            page = PageGrams(self._k, parts, self._spill)
            return self._large_lines(self._place(rid, item, words.count), page)
        [part] = words.parts()
        document = self._place(rid, item, words.count)
        grams = self._block.add(part.lanes(), len(self._documents))
        self._documents.append(document._replace(grams=grams))
        self._words += words.count
        is_full = self._words >= MAX_WORDS or len(self._documents) >= MAX_DOCUMENTS
        return self.finish() if is_full else ()

    def _place(self, rid: str, item: Item, words: int) -> Document:
        """Make the document of an item, with its place in a batch."""
        batch, ordinal = self._batches.add(rid)
        self._stats['words'] += words
        document = Document.of_item(rid, item, words)
        return document._replace(batch=batch, ordinal=ordinal)

    def _large_lines(self, document: Document, page: PageGrams) -> Iterator:
        """Yield the lines of a document whose grams do not fit into memory."""
        covered = segments.join_segments([(document.batch, document.ordinal)])
        count = 0
        for keys, checks in page.distinct():
            count += len(keys)
            ones, zeros = np.ones(len(keys), np.uint64), np.zeros(len(keys), np.uint64)
            found = Grams(keys, checks, ones, zeros)
            yield from map(BlockLine, blocks.pack_blocks(found, covered))
        self._stats['grams'] += count
        yield document._replace(grams=count)

    def finish(self) -> Iterator[Document | BlockLine]:
        """Yield the lines of all documents in memory."""
        documents, self._documents, self._words = self._documents, [], 0
        yield from documents
        self._stats['grams'] += sum(document.grams for document in documents)
        places = ((document.batch, document.ordinal) for document in documents)
        covered = segments.join_segments(places)
        yield from map(BlockLine, blocks.pack_blocks(self._block.take(), covered))

    @property
    def stats(self) -> dict[str, Any]:
        """The batches of all documents and counts, for the statistics of the task."""
        return self._batches.as_stats() | {'grams': self._stats}
