"""Find chunks of an item by their digests, and make previews of labels."""

import hashlib
import itertools
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

PREVIEW_BYTES = 80  # of a chunk
COLUMNS = LABELS.index('preview')  # columns of a row without a preview
Lengths = dict[bytes, int]  # lengths of chunks by their digests

# Control characters and line separators would break a line of a table.
BLANKS = {c: ' ' for c in (*range(32), *range(0x7F, 0xA0), 0x2028, 0x2029)}


def make_preview(chunk: bytes) -> str:
    """Decode the beginning of a chunk, with spaces for control characters.

    >>> make_preview(b'<p>\\tcaf\\xc3\\xa9\\n\\xff')
    '<p> café �'
    """
    return chunk[:PREVIEW_BYTES].decode('utf-8', 'replace').translate(BLANKS)


def normalize_item(item: Item, recipe: Recipe) -> Iterable[bytes]:
    """Return the text to cut: the normalized body, in one block or many."""
    normalize = NORMALIZERS[recipe.normalize]
    if item.body is None:
        blocks = itertools.chain(item.pieces, [recipe.tail])
        return normalize_blocks(normalize, blocks) if normalize else blocks
    body = item.body + recipe.tail
    return [normalize(body) if normalize else body]


def cut_item(item: Item, recipe: Recipe) -> Iterator[bytes]:
    """Yield the chunks of an item."""
    pattern = chunking.compile_delimiter(recipe.delimiters)
    blocks = normalize_item(item, recipe)
    chunk = bytearray()
    for piece, begins_chunk in chunking.cut_blocks(blocks, pattern):
        if begins_chunk and chunk:
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
    new_digest, missing = getattr(hashlib, recipe.hash), set(digests)
    for chunk in cut_item(item, recipe):
        digest = new_digest(chunk).digest()
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


def find_previews(
    item: Item, recipe: Recipe, cutter: Cutter, lengths: Lengths
) -> dict[bytes, str]:
    """Return the previews of the chunks in `lengths` that an item has, by digest.

    Only chunks with one of these lengths are hashed.
    """
    if item.body is None:
        return _find_previews_in_pieces(item, recipe, lengths)
    new_digest = getattr(hashlib, recipe.hash)
    [text] = normalize_item(item, recipe)
    distinct_lengths = set(lengths.values())
    previews: dict[bytes, str] = {}
    end = 0
    for length in array('I', cutter.measure_chunks(text)):
        end += length
        if length in distinct_lengths:
            chunk = text[end - length : end]
            digest = new_digest(chunk).digest()
            if digest in lengths and digest not in previews:
                previews[digest] = make_preview(chunk)
    return previews


def _find_previews_in_pieces(
    item: Item, recipe: Recipe, lengths: Lengths
) -> dict[bytes, str]:
    """Return the previews of an item that arrives in pieces.

    They are incomplete if the record is damaged. No chunk is in memory as a whole.
    """
    previews: dict[bytes, str] = {}
    new_digest = getattr(hashlib, recipe.hash)
    digest, head = new_digest(), b''
    pattern = chunking.compile_delimiter(recipe.delimiters)

    def end_chunk() -> None:
        if digest.digest() in lengths:
            previews.setdefault(digest.digest(), make_preview(head))

    try:
        blocks = normalize_item(item, recipe)
        for piece, begins_chunk in chunking.cut_blocks(blocks, pattern):
            if begins_chunk:
                end_chunk()
                digest, head = new_digest(), b''
            digest.update(piece)
            head += piece[: max(0, PREVIEW_BYTES - len(head))]
    except Lost:
        return previews
    end_chunk()
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

    def _with_previews(self, read_rows: ReadRows) -> Iterator[Line]:
        for rows, item in read_rows:
            cells = list(map(split_row, rows))
            lengths = {bytes.fromhex(hash_.decode()): int(n) for hash_, n, *_ in cells}
            by_digest = {}
            if item:
                by_digest = find_previews(item, self._recipe, self._cutter, lengths)
            for digest, row in zip(lengths, rows, strict=True):
                text = by_digest.get(digest, '').translate(ESCAPED_SEPARATORS)
                yield row, text.encode()
