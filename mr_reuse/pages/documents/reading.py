"""Read the words of items that are documents."""

import itertools
from collections.abc import Callable, Iterator

from mr_reuse.archives import sniff
from mr_reuse.archives.items import Item
from mr_reuse.pages.documents import document
from mr_reuse.text import page_words
from mr_reuse.text.page_words import HTML, PLAIN, XML, PageWords, WordRule

KINDS = {document.AS_HTML: HTML, document.AS_XML: XML, document.AS_PLAIN: PLAIN}


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
        with_text: bool,
    ):
        self._item, self._body = item, body
        self._kind, self._rule, self._with_text = kind, rule, with_text
        self.is_large = body is None
        self.count = 0

    def parts(self) -> Iterator[PageWords]:
        """Yield the parts. Only the part of a body in memory has a text."""
        item = self._item
        reading = item.charset, self._kind, self._rule
        if self.is_large:
            parts = page_words.iter_words(count_pieces(item), *reading)
        else:
            body, self._body = self._body, None
            item.size = len(body)
            parts = [page_words.read_words(body, *reading, self._with_text)]
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
    """Reads the words of documents; `admits` tests the media type of an item.

    `with_text` says whether the texts of the words are needed.
    """

    def __init__(
        self,
        rule: WordRule,
        types: str,
        admits: Callable[[str], bool],
        with_text: bool = False,
    ):
        self._rule, self._types, self._admits = rule, types, admits
        self._with_text = with_text

    def open_words(self, item: Item) -> ItemWords | None:
        """Return the words of an item, to be read; None if it is no document.

        Sets `type`, and `size` of an item that is no document. May raise `Lost`.
        """
        body = item.body  # each access to that of a raw item copies it
        if body is None:
            pieces = iter(item.pieces)
            head = next(pieces, b'')
            item.pieces = itertools.chain([head], pieces)
        else:
            head = body
        item.type = item.type or sniff.media_type(head)
        way = document.way_to_read(item.head.type, item.type, self._types)
        if way and self._admits(item.type):
            how = KINDS[way], self._rule, self._with_text
            return ItemWords(item, body, *how)
        if body is None:
            for _ in count_pieces(item):  # the damage at its end is counted as well
                pass
        else:
            item.size = len(body)
        return None
