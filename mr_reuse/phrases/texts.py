"""The words of popular phrases, read from a document that has each.

text/0000   TEXTS   phrase, its five words
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

import numpy as np

from mr_reuse.archives import sniff
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.pages.documents import document
from mr_reuse.pages.documents.reading import KINDS
from mr_reuse.pages.lookup import ReadRows, RowReader
from mr_reuse.phrases.phrase_options import WordRecipe
from mr_reuse.shuffle import ordered_parts
from mr_reuse.shuffle.protocol import Line
from mr_reuse.text import page_words, shingles
from mr_reuse.text.page_words import WordRule

UNIT = 'text'
MAX_BODY = 64 << 20  # bytes; of longer ones no phrase is read


def format_wanted(phrases: Iterable[int]) -> bytes:
    """Make the row of a document of which phrases are wanted.

    >>> parse_wanted(format_wanted([7, 255])).tolist()
    [7, 255]
    """
    return ','.join(f'{phrase:x}' for phrase in phrases).encode()


def parse_wanted(row: bytes) -> np.ndarray:
    """Return the phrases of a row."""
    return np.array([int(text, 16) for text in row.split(b',')], np.uint64)


class PhraseReader:
    """A `Collector` of rows with wanted phrases: reads their words."""

    def __init__(self, recipe: WordRecipe):
        self._recipe = recipe
        self._rows = RowReader()

    def add(self, key: bytes, row: bytes) -> Iterator[Line]:
        """Add the row of a document."""
        return self._lines(self._rows.add(key, row))

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the remaining rows."""
        return self._lines(self._rows.finish())

    def _lines(self, rows: ReadRows) -> Iterator[Line]:
        for wanted, item in rows:
            if item:
                found = self._read(item, np.concatenate([*map(parse_wanted, wanted)]))
                yield from ordered_parts.pack_rows(UNIT, 0, found)

    def _read(self, item: Item, wanted: np.ndarray) -> list[bytes]:
        """Return the texts of the phrases of an item."""
        recipe = self._recipe
        rule = WordRule(recipe.scripts, recipe.words, 'fingerprints')
        with suppress(Lost):
            body = read_body(item)
            media = item.type or sniff.media_type(body)
            if way := document.way_to_read(item.head.type, media, recipe.types):
                reading = body, item.charset, KINDS[way], rule
                page = page_words.read_words(*reading, with_text=True)
                found = shingles.place_phrases(page, wanted)
                return [b'%x\t%b' % (phrase, found[phrase].words) for phrase in found]
        return []


def read_body(item: Item) -> bytes:
    """Return the body of an item; nothing if it is too long."""
    if item.body is not None:
        return item.body
    body = bytearray()
    for piece in item.pieces:
        body += piece
        if len(body) > MAX_BODY:
            return b''
    return bytes(body)


def parse_text(text: bytes) -> tuple[int, str]:
    """Parse a text of the output.

    >>> parse_text(b'ff\\ta b c d e')
    (255, 'a b c d e')
    """
    phrase, _, words = text.partition(b'\t')
    return int(phrase, 16), words.decode()
