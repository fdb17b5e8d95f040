"""Find chunks of an item by their digests, and make previews of labels."""

import hashlib
from array import array
from collections.abc import Iterable, Iterator

from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.chunks import chunking, cutters
from mr_reuse.chunks.chunk_tables import LABELS
from mr_reuse.chunks.cutters import Cutter
from mr_reuse.chunks.normalize import NORMALIZERS, normalize_blocks
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.messages import ESCAPED_SEPARATORS, to_text
from mr_reuse.pages.lookup import ReadRows, RowReader
from mr_reuse.shuffle.protocol import Line

PREVIEW = 80  # bytes
COLUMNS = LABELS.index('preview')  # columns of a row without a preview
# Control characters and line separators would break a line of a table.
BLANKS = {c: ' ' for c in (*range(32), *range(0x7F, 0xA0), 0x2028, 0x2029)}


def make_preview(chunk: bytes) -> str:
    """Decode the beginning of a chunk, with spaces for control characters.

    >>> make_preview(b'<p>\\tcaf\\xc3\\xa9\\n\\xff')
    '<p> café �'
    """
    return chunk[:PREVIEW].decode('utf-8', 'replace').translate(BLANKS)


def body_of(item: Item, recipe: Recipe) -> Iterable[bytes]:
    """Return the text to cut: the normalized body, in one block or many."""
    tail = [recipe.tail]
    normalize = NORMALIZERS[recipe.normalize]
    if item.body is None:
        blocks = (b for part in (item.pieces, tail) for b in part)
        return normalize_blocks(normalize, blocks) if normalize else blocks
    body = b''.join([item.body, *tail])
    return [normalize(body) if normalize else body]


def chunks_of(item: Item, recipe: Recipe) -> Iterator[bytes]:
    """Yield the chunks of an item."""
    pattern = chunking.compile_delimiter(recipe.delimiters)
    chunk = bytearray()
    for piece, begins in chunking.cut_blocks(body_of(item, recipe), pattern):
        if begins and chunk:
            yield bytes(chunk)
            chunk = bytearray()
        chunk += piece
    if chunk:
        yield bytes(chunk)


def find_chunks(
    item: Item, recipe: Recipe, digests: Iterable[bytes]
) -> Iterator[tuple[bytes, bytes]]:
    """Yield digest and chunk for each of the digests that an item has, once.

    The item is read once, as the pieces of a large item can be read only once.
    """
    new, missing = getattr(hashlib, recipe.hash), set(digests)
    for chunk in chunks_of(item, recipe):
        digest = new(chunk).digest()
        if digest in missing:
            yield digest, chunk
            missing.remove(digest)
            if not missing:
                return


def split_row(row: bytes) -> list[bytes]:
    """Split a row without a preview; raise ValueError if it lacks columns."""
    cells = row.split(b'\t')
    if len(cells) != COLUMNS:
        raise ValueError(f'the row of a label is damaged: {to_text(row)}')
    return cells


Wanted = dict[bytes, int]  # digest: length


def find_previews(
    item: Item, recipe: Recipe, cutter: Cutter, wanted: Wanted
) -> dict[bytes, str]:
    """Return the previews of the wanted chunks that an item has, by digest.

    Only chunks of a wanted length are hashed.
    """
    if item.body is None:
        return _find_large(item, recipe, wanted)
    new = getattr(hashlib, recipe.hash)
    [body] = body_of(item, recipe)
    lengths = set(wanted.values())
    previews: dict[bytes, str] = {}
    end = 0
    for length in array('I', cutter.measure_chunks(body)):
        end += length
        if length in lengths:
            chunk = body[end - length : end]
            digest = new(chunk).digest()
            if digest in wanted and digest not in previews:
                previews[digest] = make_preview(chunk)
    return previews


def _find_large(item: Item, recipe: Recipe, wanted: Wanted) -> dict[bytes, str]:
    """Return the previews of an item that arrives in pieces.

    They are incomplete if the record is damaged.
    """
    previews: dict[bytes, str] = {}
    digest, head = getattr(hashlib, recipe.hash)(), b''
    pattern = chunking.compile_delimiter(recipe.delimiters)

    def close() -> None:
        if digest.digest() in wanted:
            previews.setdefault(digest.digest(), make_preview(head))

    try:
        for piece, begins in chunking.cut_blocks(body_of(item, recipe), pattern):
            if begins:
                close()
                digest, head = getattr(hashlib, recipe.hash)(), b''
            digest.update(piece)
            head += piece[: max(0, PREVIEW - len(head))]
    except Lost:
        return previews
    close()
    return previews


class PreviewReader:
    """A `Collector` of rows of the table of labels: adds a preview to each row."""

    def __init__(self, recipe: Recipe):
        self._recipe = recipe
        self._cutter = cutters.make_cutter(recipe.delimiters, recipe.hash)
        self._reader = RowReader()

    def add(self, key: bytes, row: bytes) -> Iterator[Line]:
        """Add a row; its key is path and offset of the record to read."""
        yield from self._with_previews(self._reader.add(key, row))

    def finish(self) -> Iterator[Line]:
        """Yield the remaining rows."""
        yield from self._with_previews(self._reader.finish())

    def _with_previews(self, read: ReadRows) -> Iterator[Line]:
        for rows, item in read:
            fields = list(map(split_row, rows))
            wanted = {bytes.fromhex(f[0].decode()): int(f[1]) for f in fields}
            by_digest = self._find(item, wanted) if item else {}
            for digest, row in zip(wanted, rows, strict=True):
                text = by_digest.get(digest, '').translate(ESCAPED_SEPARATORS)
                yield row, text.encode()

    def _find(self, item: Item, wanted: Wanted) -> dict[bytes, str]:
        return find_previews(item, self._recipe, self._cutter, wanted)
