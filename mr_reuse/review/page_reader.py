"""Reads the records of pages from their archives by offset, and nothing else."""

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
from mr_reuse.chunks.evidence import hash_file
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.chunks.revisits import targets
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.pages.moved_archives import MOVED
from mr_reuse.review import excerpts
from mr_reuse.review.excerpts import END, MAX_CHUNK, Piece

MARGIN = END  # bytes shown before and after a label
CHANGED = 'the record no longer has the copied chunks: the archive has changed'
CHANGED_FILE = 'the file has another content now: the archive has changed'
Pieces = Iterator[Piece]


class Reader:
    """Reader of pages for the web page of `review`.

    A result has the `parts` of a page, or in `gone` the reason why there are none.
    """

    def __init__(self, record: RunRecord):
        self._record = record
        self._recipe = Recipe.from_options(record.page_options)

    def page(self, page: Match, labels: list[bytes]) -> dict[str, Any]:
        """Read a page; its labels are marked by their positions in `labels`."""

        def take(pieces: Pieces) -> list[Piece]:
            first = list(excerpts.first_pieces(pieces))
            marked = any(piece.label is not None for piece in first)
            # The labels of a long page may be below the part that is shown.
            return first if marked or next(pieces, None) else []

        return self._read(page, labels, take)

    def label(self, page: Match, label: bytes) -> dict[str, Any]:
        """Read a label in a page, with MARGIN bytes before and after it."""
        return self._read(page, [label], lambda p: excerpts.around(p, 0, MARGIN))

    def file(self, page: Match, digest: bytes) -> dict[str, Any]:
        """Read the beginning of a file, after its digest has been checked."""
        return self._read(page, [], lambda p: list(excerpts.first_pieces(p)), digest)

    def texts(self, page: Match, labels: list[bytes]) -> dict[bytes, dict[str, Any]]:
        """Read the labels that are in a page, by digest."""
        count = len(labels)
        result = self._read(page, labels, lambda p: excerpts.labeled_pieces(p, count))
        return {labels[part['label']]: part for part in result['parts']}

    def _read(
        self,
        page: Match,
        labels: list[bytes],
        take: Callable[[Pieces], list[Piece]],
        whole: bytes | None = None,  # the digest of the file, to be checked
    ) -> dict[str, Any]:
        result = {'parts': [], 'gone': ''} | names_of(page)
        try:
            item = self._item(to_text(page.rid))
            if whole and hash_file(item, self._recipe) != whole:
                return result | {'gone': CHANGED_FILE}
            if whole:
                item = self._item(to_text(page.rid))  # a large body is read once
            numbers = {digest: number for number, digest in enumerate(labels)}
            pieces = pieces_of(item, self._recipe, numbers)
            first = next(pieces, Piece(b'', 0, None))  # may declare the charset
            taken = take(itertools.chain([first], pieces))
            result['parts'] = excerpts.to_parts(taken, excerpts.decoder(first.data))
        except (OSError, UserError, Lost) as error:
            why = getattr(error, 'strerror', None) or str(error) or 'damaged'
            return result | {'gone': excerpts.visible(why)}
        result['date'] = result['date'] or excerpts.visible(item.date)
        return result if taken else result | {'gone': CHANGED}

    def _item(self, rid: str) -> Item:
        try:
            [(_, item)] = targets.read_contents([rid], self._record)
        except FileNotFoundError:
            archive = split_rid(rid)[0]
            raise UserError(f'{archive}: missing; {MOVED}') from None
        if not item:
            raise UserError(f'{rid}: no page begins at this offset any more')
        return item


def names_of(page: Match) -> dict[str, str]:
    """Return rid, URL and date of a page with invisible characters made visible."""
    names = ('rid', 'url', 'date')
    cells = (cell.decode('utf-8', 'replace') for cell in page[:3])
    return dict(zip(names, map(excerpts.visible, cells), strict=True))


def pieces_of(item: Item, recipe: Recipe, labels: dict[bytes, int]) -> Iterator[Piece]:
    """Yield the chunks of an item, of any length, with the numbers of labels."""
    pattern = chunking.compile_delimiter(recipe.delimiters)
    chunk = Chunk(recipe.hash)
    for part, begins in chunking.cut_blocks(
        previews.normalize_item(item, recipe), pattern
    ):
        if begins and chunk.length:
            yield chunk.piece(labels)
            chunk = Chunk(recipe.hash)
        chunk.add(part)
    if chunk.length:
        yield chunk.piece(labels)


class Chunk:
    """A chunk that is read in parts; it holds only the bytes to show."""

    def __init__(self, name: str):
        self._digest = getattr(hashlib, name)()
        self._head = self._tail = b''
        self.length = 0

    def add(self, part: bytes) -> None:
        """Append the next part."""
        self._digest.update(part)
        self._head += part[: max(0, MAX_CHUNK - self.length)]
        self._tail = (self._tail + part[-END:])[-END:]
        self.length += len(part)

    def piece(self, labels: dict[bytes, int]) -> Piece:
        """Return the bytes to show, and the number of the label."""
        is_long = self.length > MAX_CHUNK
        data = self._head[:END] + self._tail if is_long else self._head
        return Piece(data, self.length, labels.get(self._digest.digest()))
