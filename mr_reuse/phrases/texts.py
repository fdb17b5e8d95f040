"""The words of popular phrases, read from a document that has each.

text/0000   TEXTS   phrase, its five words
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

import numpy as np

from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.pages.documents.reading import DocumentReader
from mr_reuse.pages.lookup import ReadRows, RowReader
from mr_reuse.shuffle import ordered_parts
from mr_reuse.shuffle.protocol import Line
from mr_reuse.text import shingles

UNIT = 'text'


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

    def __init__(self, reader: DocumentReader):
        self._reader = reader
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
        with suppress(Lost):
            if words := self._reader.open_words(item):
                found = shingles.place_phrases(words.parts(), wanted)
                return [b'%x\t%b' % (phrase, found[phrase].words) for phrase in found]
        return []


def parse_text(text: bytes) -> tuple[int, str]:
    """Parse a text of the output.

    >>> parse_text(b'ff\\ta b c d e')
    (255, 'a b c d e')
    """
    phrase, _, words = text.partition(b'\t')
    return int(phrase, 16), words.decode()
