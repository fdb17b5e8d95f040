"""The chunks of an item by their digests, and the previews of labels."""

import hashlib
from array import array
from collections.abc import Iterable, Iterator

from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.chunks import chunking, cutters
from mr_reuse.chunks.cutters import Cutter
from mr_reuse.chunks.normalize import NORMALIZERS, in_pieces
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.messages import ESCAPED_SEPARATORS
from mr_reuse.pages.lookup import ReadRows, RowReader
from mr_reuse.shuffle.protocol import Line

PREVIEW = 80  # bytes
BLANKS = {c: ' ' for c in (*range(32), *range(0x7F, 0xA0), 0x2028, 0x2029)}


def preview(chunk: bytes) -> str:
    """The beginning of a chunk as text that does not break a table.

    >>> preview(b'<p>\\tcaf\\xc3\\xa9\\n\\xff')
    '<p> café �'
    """
    return chunk[:PREVIEW].decode('utf-8', 'replace').translate(BLANKS)


def body_of(item: Item, recipe: Recipe) -> Iterable[bytes]:
    """What is cut: the body, normalised, in one block or many."""
    tail = [recipe.tail]
    normalize = NORMALIZERS[recipe.normalize]
    if item.body is None:
        blocks = (b for part in (item.pieces, tail) for b in part)
        return in_pieces(normalize, blocks) if normalize else blocks
    body = b''.join([item.body, *tail])
    return [normalize(body) if normalize else body]


def chunks_of(item: Item, recipe: Recipe) -> Iterator[bytes]:
    """The chunks of an item."""
    pattern = chunking.delimiter(recipe.delimiters)
    held = bytearray()
    for piece, begins in chunking.pieces(body_of(item, recipe), pattern):
        if begins and held:
            yield bytes(held)
            held = bytearray()
        held += piece
    if held:
        yield bytes(held)


def chunks_in(
    item: Item, recipe: Recipe, digests: Iterable[bytes]
) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of an item with some digests; one pass, as large items have no two."""
    new, left = getattr(hashlib, recipe.hash), set(digests)
    for chunk in chunks_of(item, recipe):
        digest = new(chunk).digest()
        if digest in left:
            yield digest, chunk
            left.remove(digest)
            if not left:
                return


Wanted = dict[bytes, int]  # digest: length


def find_previews(
    item: Item, recipe: Recipe, cutter: Cutter, wanted: Wanted
) -> dict[bytes, str]:
    """The previews of some chunks of an item.

    Only chunks of a wanted length are hashed.
    """
    if item.body is None:
        return _find_large(item, recipe, wanted)
    new = getattr(hashlib, recipe.hash)
    [body] = body_of(item, recipe)
    likely = set(wanted.values())
    found: dict[bytes, str] = {}
    end = 0
    for length in array('I', cutter.lengths(body)):
        end += length
        if length in likely:
            chunk = body[end - length : end]
            digest = new(chunk).digest()
            if digest in wanted and digest not in found:
                found[digest] = preview(chunk)
    return found


def _find_large(item: Item, recipe: Recipe, wanted: Wanted) -> dict[bytes, str]:
    """The same for an item that comes in pieces."""
    found: dict[bytes, str] = {}
    digest, head = getattr(hashlib, recipe.hash)(), b''
    pattern = chunking.delimiter(recipe.delimiters)

    def close() -> None:
        if digest.digest() in wanted:
            found.setdefault(digest.digest(), preview(head))

    try:
        for piece, begins in chunking.pieces(body_of(item, recipe), pattern):
            if begins:
                close()
                digest, head = getattr(hashlib, recipe.hash)(), b''
            digest.update(piece)
            head += piece[: max(0, PREVIEW - len(head))]
    except Lost:
        return found
    close()
    return found


class Previews:
    """A `Collector` of rows (digest, length, others), to which it adds previews."""

    def __init__(self, recipe: Recipe):
        self._recipe = recipe
        self._cutter = cutters.cutter(recipe.delimiters, recipe.hash)
        self._reader = RowReader()

    def add(self, key: bytes, row: bytes) -> Iterator[Line]:
        """Take a row under its path and offset."""
        yield from self._with_previews(self._reader.add(key, row))

    def finish(self) -> Iterator[Line]:
        """Yield the rows that are left."""
        yield from self._with_previews(self._reader.finish())

    def _with_previews(self, read: ReadRows) -> Iterator[Line]:
        for rows, item in read:
            fields = [row.split(b'\t') for row in rows]
            wanted = {bytes.fromhex(f[0].decode()): int(f[1]) for f in fields}
            found = self._found(item, wanted) if item else {}
            for digest, row in zip(wanted, rows, strict=True):
                text = found.get(digest, '').translate(ESCAPED_SEPARATORS)
                yield row, text.encode()

    def _found(self, item: Item, wanted: Wanted) -> dict[bytes, str]:
        return find_previews(item, self._recipe, self._cutter, wanted)
