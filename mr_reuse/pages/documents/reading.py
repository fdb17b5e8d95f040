"""Read the words of items that are documents."""

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

from mr_reuse.archives import sniff
from mr_reuse.archives.items import Item
from mr_reuse.pages.documents import document
from mr_reuse.text import page_words, shingles
from mr_reuse.text.page_words import HTML, PLAIN, XML, PageWords, WordRule

KINDS = {document.AS_HTML: HTML, document.AS_XML: XML, document.AS_PLAIN: PLAIN}


class NeededText(NamedTuple):
    """Whether the text of words is needed besides their hashes."""

    of_whole: bool = False  # of pages in memory
    of_parts: bool = False  # of pages that are too large to hold


class ItemWords:
    """The words of an item, in parts: one part, unless the body is too large to hold.

    The parts can be read once. Reading them sets `item.size`, counts their words, and
    may raise `Lost`.
    """

    def __init__(
        self,
        item: Item,
        body: bytes | None,
        kind: str,
        rule: WordRule,
        text: 'NeededText',
    ):
        self._item, self._body = item, body
        self._kind, self._rule, self._text = kind, rule, text
        self.is_large = body is None
        self.count = 0

    def find_shingles(self) -> bytes:
        """Return the phrases of `text.shingles`, 64 bits each, instead of parts."""
        if self.is_large:
            parts = (part.fingerprints() for part in self.parts())
            return shingles.find_shingles_of_parts(parts).tobytes()
        item, body, self._body = self._item, self._body, None
        item.size = len(body)
        self.count, found = shingles.find_shingles_of_page(
            body, item.charset, self._kind, self._rule
        )
        return found

    def parts(self) -> Iterator[PageWords]:
        """Yield the parts."""
        item = self._item
        reading = item.charset, self._kind, self._rule
        if self.is_large:
            pieces = count_pieces(item)
            parts = page_words.iter_words(pieces, *reading, self._text.of_parts)
        else:
            body, self._body = self._body, None
            item.size = len(body)
            parts = [page_words.read_words(body, *reading, self._text.of_whole)]
        for part in parts:
            self.count += part.count
            yield part


def count_pieces(item: Item) -> Iterator[bytes]:
    """Yield the pieces of a large item, and add their lengths to its size."""
    item.size = 0
    for piece in item.pieces:
        item.size += len(piece)
        yield piece


class DocumentReader:
    """Reads the words of documents; `admits` tests the media type of an item."""

    def __init__(
        self,
        rule: WordRule,
        types: str,
        admits: Callable[[str], bool],
        text: NeededText = NeededText(),  # noqa: B008 (immutable)
    ):
        self._rule, self._types, self._admits = rule, types, admits
        self._text = text

    def open_words(self, item: Item) -> ItemWords | None:
        """Return the words of an item, to be read; None if it is no document.

        Sets `type`, and `size` of an item that is no document. May raise `Lost`.
        """
        way, body = open_body(item, self._way)
        how = KINDS.get(way), self._rule, self._text
        return ItemWords(item, body, *how) if way else None

    def _way(self, item: Item) -> str:
        way = document.way_to_read(item.record_type, item.type, self._types)
        return way if self._admits(item.type) else ''


def open_body(item: Item, find_way: Callable[[Item], str]) -> tuple[str, bytes | None]:
    """Return the way to read an item, and its body; None for one that is too large.

    `find_way` returns '' for an item that is not read. Sets `type`, and `size` of an
    item that is not read. May raise `Lost`.
    """
    body = item.body  # each access to that of a raw item copies it
    if body is None:
        pieces = iter(item.pieces)
        head = next(pieces, b'')
        item.pieces = itertools.chain([head], pieces)
    else:
        head = body
    item.type = item.type or sniff.media_type(head)
    way = find_way(item)
    if not way:
        if body is None:
            for _ in count_pieces(item):  # the damage at its end is counted as well
                pass
        else:
            item.size = len(body)
    return way, body
