"""From documents to their numbers in a run, and back."""

from collections.abc import Collection, Iterable, Iterator

import numpy as np

from mr_reuse import storage
from mr_reuse.engine import part_files
from mr_reuse.messages import to_bytes
from mr_reuse.pages.documents import numbering, segments
from mr_reuse.pages.documents.document import (
    Document,
    is_document_line,
    parse_document,
)
from mr_reuse.pages.documents.numbering import Numbers
from mr_reuse.pages.documents.segments import Segment
from mr_reuse.pages.documents.showing.choice import NameTest
from mr_reuse.shuffle import protocol
from mr_reuse.storage import mapped


class DocumentNumbers:
    """The numbers of the documents in the part files of a step."""

    def __init__(self, parts: list[str]):
        self._parts = parts
        with storage.open_scratch() as stream:
            stats = part_files.read_all_stats(parts)
            self.total = numbering.number_batches(stats, stream)
            self._numbers = Numbers(mapped.map_stream(stream))

    @property
    def numbers(self) -> Numbers:
        """The bases of batches, as tasks have them."""
        return self._numbers

    def of_segments(self, covered: Iterable[Segment]) -> np.ndarray:
        """Return the number of each document of segments."""
        numbered = [segments.number_segment(s, self._numbers) for s in covered]
        return segments.numbers_of(numbered)

    def number_of(self, page: Document) -> int:
        """Return the number of a document."""
        return int(self._numbers.base(page.batch)) + page.ordinal

    def find_rids(self, rids: Collection[str]) -> dict[str, Document]:
        """Return the documents with some rids."""
        wanted = {to_bytes(rid) for rid in rids}
        lines = (line for line in self._lines() if line[0] in wanted)
        return {page.rid: page for page in (parse_document(*line) for line in lines)}

    def find_pages(self, is_wanted: NameTest) -> Iterator[Document]:
        """Yield the documents whose rid and URL pass a test."""
        for key, value in self._lines():
            page = parse_document(key, value)
            if is_wanted(page.rid, page.url):
                yield page

    def find_numbers(self, wanted: Iterable[int]) -> dict[int, Document]:
        """Return the documents with some numbers."""
        places = {self._place_of(number) for number in wanted}
        pages = (
            parse_document(key, value)
            for key, value in self._lines()
            if value[value.rfind(b'\t') + 1 :] in places
        )
        return {self.number_of(page): page for page in pages}

    def _place_of(self, number: int) -> bytes:
        """Return batch and ordinal of a document, as they are in its line."""
        return to_bytes('{}:{}'.format(*self._numbers.place(number)))

    def _lines(self) -> Iterator[protocol.Line]:
        lines = protocol.read_parts(self._parts)
        return (line for line in lines if is_document_line(line[0]))
