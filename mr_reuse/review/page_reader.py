"""Reads the records of pages that are shown; of an archive nothing but those."""

import hashlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.archives.rids import split_rid
from mr_reuse.chunks import chunking
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.chunks.discover import previews
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.pages import lookup
from mr_reuse.review import excerpts
from mr_reuse.review.excerpts import END, LONGEST, Piece

MARGIN = END  # bytes shown before and behind a label
CHANGED = 'what was copied is not in this record any more: the archive has changed'
Pieces = Iterator[Piece]


class Reader:
    """Shows pages out of their archives, or says why they cannot be shown."""

    def __init__(self, record: RunRecord):
        self._paths = record.paths
        self._recipe = Recipe.from_options(record.made_of)

    def page(self, page: Match, labels: list[bytes]) -> dict[str, Any]:
        """A page, its labels marked by their places among those given."""

        def take(pieces: Pieces) -> list[Piece]:
            found = list(excerpts.whole(pieces))
            marked = any(piece.label is not None for piece in found)
            # One that has its labels further down is the right one nevertheless.
            return found if marked or next(pieces, None) else []

        return self._read(page, labels, take)

    def label(self, page: Match, label: bytes) -> dict[str, Any]:
        """A label in a page, and what stands next to it."""
        return self._read(page, [label], lambda p: excerpts.around(p, 0, MARGIN))

    def texts(self, page: Match, labels: list[bytes]) -> dict[bytes, dict[str, Any]]:
        """Those of some labels that are in a page, as they are shown."""
        told = self._read(page, labels, lambda p: excerpts.each(p, len(labels)))
        return {labels[part['label']]: part for part in told['parts']}

    def _read(
        self, page: Match, labels: list[bytes], take: Callable[[Pieces], list[Piece]]
    ) -> dict[str, Any]:
        told = {'parts': [], 'gone': ''} | names_of(page)
        try:
            item = self._item(to_text(page.rid))
            numbers = {digest: number for number, digest in enumerate(labels)}
            pieces = pieces_of(item, self._recipe, numbers)
            first = next(pieces, Piece(b'', 0, None))  # where a page tells its charset
            found = take(itertools.chain([first], pieces))
            told['parts'] = excerpts.shown(found, excerpts.decoder(first.data))
        except (OSError, UserError, Lost) as error:
            why = getattr(error, 'strerror', None) or str(error) or 'damaged'
            return told | {'gone': excerpts.visible(why)}
        told['date'] = told['date'] or excerpts.visible(item.date)
        return told if found else told | {'gone': CHANGED}

    def _item(self, rid: str) -> Item:
        try:
            item = lookup.read_item(rid, self._paths)
        except FileNotFoundError:
            archive = split_rid(rid)[0]
            raise UserError(f'{archive}: no longer there') from None
        if not item:
            raise UserError(f'{rid}: no page begins there any more')
        return item


def names_of(page: Match) -> dict[str, str]:
    """What a page is called, as it may be shown."""
    names = ('rid', 'url', 'date')
    cells = (cell.decode('utf-8', 'replace') for cell in page[:3])
    return dict(zip(names, map(excerpts.visible, cells), strict=True))


def pieces_of(item: Item, recipe: Recipe, labels: dict[bytes, int]) -> Iterator[Piece]:
    """The chunks of an item, however long, and which of them are labels."""
    pattern = chunking.delimiter(recipe.delimiters)
    chunk = Chunk(recipe.hash)
    for part, begins in chunking.pieces(previews.body_of(item, recipe), pattern):
        if begins and chunk.length:
            yield chunk.piece(labels)
            chunk = Chunk(recipe.hash)
        chunk.add(part)
    if chunk.length:
        yield chunk.piece(labels)


class Chunk:
    """A chunk that comes in parts, of which only what is shown is held."""

    def __init__(self, name: str):
        self._digest = getattr(hashlib, name)()
        self._head = self._tail = b''
        self.length = 0

    def add(self, part: bytes) -> None:
        """Take the next part in."""
        self._digest.update(part)
        self._head += part[: max(0, LONGEST - self.length)]
        self._tail = (self._tail + part[-END:])[-END:]
        self.length += len(part)

    def piece(self, labels: dict[bytes, int]) -> Piece:
        """The chunk as it is shown, and which label it is."""
        is_long = self.length > LONGEST
        data = self._head[:END] + self._tail if is_long else self._head
        return Piece(data, self.length, labels.get(self._digest.digest()))
