"""The words of popular phrases, read from a document that has each.

    text/0000   TEXTS   documents, positions, the five words

All phrases in as many documents as the last one of the table are read, since their
words decide which of them are in it. A task passes on no more than the table takes.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.messages import to_text
from mr_reuse.pages.documents.reading import DocumentReader
from mr_reuse.pages.lookup import ReadRows, RowReader
from mr_reuse.phrases.popular import PhraseList
from mr_reuse.shuffle import ordered_parts, ragged
from mr_reuse.shuffle.protocol import Line
from mr_reuse.text import shingles

UNIT = 'text'
SPARE = 1000  # further phrases in memory


class Wanted(NamedTuple):
    """A popular phrase whose words are to be read."""

    phrase: int
    documents: int
    positions: int


class Phrase(NamedTuple):
    """A popular phrase."""

    documents: int
    positions: int
    words: bytes

    @property
    def order(self) -> tuple[int, bytes]:
        """The place in the table: in most documents first, then by the words."""
        return -self.documents, self.words

    @classmethod
    def parse(cls, text: bytes) -> 'Phrase':
        """Parse a text of the output.

        >>> phrase = Phrase(9, 2, b'a b c d e')
        >>> Phrase.parse(phrase.to_text()) == phrase
        True
        """
        documents, positions, words = text.split(b'\t')
        return cls(int(documents), int(positions), words)

    def to_text(self) -> bytes:
        """Make a text of the output."""
        return b'%d\t%d\t%b' % self


def format_wanted(wanted: Iterable[Wanted]) -> bytes:
    """Make the row of a document of which phrases are wanted.

    >>> parse_wanted(format_wanted([Wanted(7, 5, 1), Wanted(255, 9, 2)]))
    [Wanted(phrase=7, documents=5, positions=1), Wanted(phrase=255, documents=9, \
positions=2)]
    """
    return ','.join(':'.join(map(str, one)) for one in wanted).encode()


def parse_wanted(row: bytes) -> list[Wanted]:
    """Return the phrases of a row."""
    return [Wanted(*map(int, one.split(':'))) for one in to_text(row).split(',')]


def group_wanted(phrases: PhraseList) -> Iterator[tuple[int, list[Wanted]]]:
    """Yield the numbers of the documents to read, ascending, with their phrases.

    >>> columns = np.array([[7, 8, 9], [5, 5, 6], [1, 1, 2], [3, 0, 3]], np.uint64)
    >>> [(number, len(found)) for number, found in group_wanted(PhraseList(*columns))]
    [(0, 1), (3, 2)]
    """
    order = np.argsort(phrases.examples, kind='stable')
    *columns, examples = (column[order] for column in phrases)
    for rows in ragged.runs_of(examples):
        wanted = zip(*(column[rows].tolist() for column in columns), strict=True)
        yield int(examples[rows.start]), [Wanted(*one) for one in wanted]


def keep_first(phrases: Iterable[Phrase], top: int) -> list[Phrase]:
    """Return the first phrases of the table.

    >>> found = [Phrase(5, 1, b'b'), Phrase(9, 1, b'c'), Phrase(5, 1, b'a')]
    >>> [phrase.words for phrase in keep_first(found, 2)]
    [b'c', b'a']
    """
    return sorted(phrases, key=lambda phrase: phrase.order)[:top]


class PhraseReader:
    """A `Collector` of rows with wanted phrases: reads their words."""

    def __init__(self, reader: DocumentReader, top: int):
        self._reader, self._top = reader, top
        self._rows = RowReader()
        self._phrases: list[Phrase] = []
        self._found = 0

    def add(self, key: bytes, row: bytes) -> Iterator[Line]:
        """Add the row of a document."""
        self._keep(self._rows.add(key, row))
        yield from ()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the first phrases."""
        self._keep(self._rows.finish())
        first = keep_first(self._phrases, self._top)
        texts = (phrase.to_text() for phrase in first)
        yield from ordered_parts.pack_rows(UNIT, 0, texts)

    @property
    def stats(self) -> dict[str, Any]:
        """How many phrases were found, for the last line of the task."""
        return {'texts': {'found': self._found}}

    def _keep(self, rows: ReadRows) -> None:
        for texts, item in rows:
            if item:
                wanted = [one for text in texts for one in parse_wanted(text)]
                found = self._read(item, wanted)
                self._found += len(found)
                self._phrases += found
            if len(self._phrases) > 2 * self._top + SPARE:
                self._phrases = keep_first(self._phrases, self._top)

    def _read(self, item: Item, wanted: list[Wanted]) -> list[Phrase]:
        """Return the wanted phrases of an item."""
        numbers = np.array([one.phrase for one in wanted], np.uint64)
        with suppress(Lost):
            if words := self._reader.open_words(item):
                found = shingles.place_phrases(words.parts(), numbers)
                return [
                    Phrase(one.documents, one.positions, found[one.phrase].words)
                    for one in wanted
                    if one.phrase in found
                ]
        return []
