"""Turn items into page lines: detect the type, normalize, cut, hash.

Items take one of three ways. Small items are hashed many at a time. Larger items are
cut in segments. Items too large for memory arrive in pieces.
"""

import hashlib
import itertools
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import IO

import numpy as np

from mr_reuse.archives import sniff
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.chunks import chunking, cutters
from mr_reuse.chunks.normalize import NORMALIZERS, normalize_blocks
from mr_reuse.chunks.page_lines import PAGE_ROWS, PageLine, pack_page
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.packing import MAX, SUM, Rows
from mr_reuse.shuffle.spilling import MergeTable

SEGMENT = 1 << 20  # bytes of a text to cut at a time
BATCH = 1 << 20  # bytes of bodies to hash side by side
ITEM = 1 << 10  # bytes of an item besides its body


class Hasher:
    """Makes page lines; rows of long pages are spilled to files that `spill` opens."""

    def __init__(self, recipe: Recipe, spill: Callable[[], IO[bytes]] | None = None):
        self._new = getattr(hashlib, recipe.hash)
        self._width = recipe.width
        self._pattern = chunking.compile_delimiter(recipe.delimiters)
        self._cutter = cutters.make_cutter(recipe.delimiters, recipe.hash)
        self._normalize = NORMALIZERS[recipe.normalize]
        self._tail = recipe.tail
        self._spill = spill

    def pages(
        self, archive: str, items: Iterable[Item]
    ) -> Iterator[tuple[Item, Iterable[PageLine]]]:
        """Yield items with their lines, which have to be read before the next item."""
        return itertools.chain.from_iterable(self._batches(archive, items))

    def _batches(
        self, archive: str, items: Iterable[Item]
    ) -> Iterator[list[tuple[Item, Iterable[PageLine]]]]:
        """Yield lists of items with lines: many small items, or one larger item."""
        batch: list[Item] = []
        size = 0
        for item in items:
            small = item.body is not None and len(item.body) <= SEGMENT
            if small:
                batch.append(item)
                size += ITEM + len(item.body)
            if size >= BATCH or not small:
                yield self._together(archive, batch)
                batch, size = [], 0
            if not small:
                try:
                    lines = self._alone(archive, item)
                except Lost:
                    continue
                yield [(item, lines)]
        yield self._together(archive, batch)

    def _together(
        self, archive: str, batch: list[Item]
    ) -> list[tuple[Item, Iterable[PageLine]]]:
        """Make the lines of small items."""
        bodies = [item.body + self._tail for item in batch]
        medias = list(map(sniff.media_type, bodies))
        texts = map(self._text, bodies, list(map(sniff.is_text, medias)))
        pages = self._cutter.pages(
            [
                (None if item.cut else body, text)
                for item, body, text in zip(batch, bodies, texts, strict=True)
            ]
        )
        facts = [
            self._facts(archive, item, media, len(body), whole)
            for item, media, body, (whole, _, _) in zip(
                batch, medias, bodies, pages, strict=True
            )
        ]
        lines: list[Iterable[PageLine]] = []
        for item, known, page in zip(batch, facts, pages, strict=True):
            _, digests, lengths = self._but_last(page) if item.cut else page
            count = len(lengths) // 4
            if count > PAGE_ROWS:
                table = self._table()
                table.add(self._rows(digests, lengths))
                lines.append(self._long(known, (table, count)))
            else:
                packed = pack_page(digests, lengths, self._width)
                lines.append([PageLine(*known, count, packed)])
        return list(zip(batch, lines, strict=True))

    def _but_last(self, page: cutters.Page) -> cutters.Page:
        """Remove the last chunk of a truncated page, as its end may be missing."""
        whole, digests, lengths = page
        return whole, digests[: -self._width], lengths[:-4]

    def _text(self, body: bytes, is_text: bool) -> bytes | None:
        """Return the text to cut into chunks, None if the body is not text."""
        if not is_text:
            return None
        return self._normalize(body) if self._normalize else body

    def _facts(
        self, archive: str, item: Item, media: str, size: int, whole: bytes
    ) -> tuple:
        """Return the facts for the first line of a page; set `item.type` and `size`."""
        item.type, item.size = media, size
        rid = f'{archive}:{item.offset}'
        return rid, item.url, item.date, item.ip, media, size, whole.hex()

    def _alone(self, archive: str, item: Item) -> Iterable[PageLine]:
        """Make the lines of a larger item."""
        if item.body is None:
            return self._in_pieces(archive, item)
        body = item.body + self._tail
        media = sniff.media_type(body)
        whole = b'' if item.cut else self._new(body).digest()
        facts = self._facts(archive, item, media, len(body), whole)
        table, count = self._table(), 0
        text = self._text(body, sniff.is_text(media)) or b''
        done = 0
        for segment in chunking.split_segments(text, self._pattern, SEGMENT):
            [page] = self._cutter.pages([(None, segment)])
            done += len(segment)
            cut = item.cut and done == len(text)
            _, digests, lengths = self._but_last(page) if cut else page
            table.add(self._rows(digests, lengths))
            count += len(lengths) // 4
        return self._long(facts, (table, count))

    def _table(self) -> MergeTable:
        return MergeTable([MAX, SUM], self._spill)

    def _in_pieces(self, archive: str, item: Item) -> Iterable[PageLine]:
        """Make the lines of an item that is too large for memory."""
        whole, size = self._new(), 0
        pieces = iter(item.pieces)
        head = next(pieces, b'')
        media = sniff.media_type(head)

        def hashed() -> Iterator[bytes]:
            nonlocal size
            for piece in itertools.chain([head], pieces, [self._tail]):
                whole.update(piece)
                size += len(piece)
                yield piece

        blocks: Iterable[bytes] = hashed()
        table, count = self._table(), 0
        if sniff.is_text(media):
            if self._normalize:
                blocks = normalize_blocks(self._normalize, blocks)
            count = self._fill(table, blocks, item)
        for _ in blocks:  # to hash the body even if nothing was cut
            pass
        digest = b'' if item.cut else whole.digest()
        return self._long(
            self._facts(archive, item, media, size, digest), (table, count)
        )

    def _fill(self, table: MergeTable, blocks: Iterable[bytes], item: Item) -> int:
        """Hash the chunks of blocks into a table; return their number.

        The last chunk of a truncated body is omitted.
        """
        digests: list[bytes] = []
        lengths = array('I')
        count = 0
        digest, length = self._new(), 0
        for piece, begins in chunking.cut_blocks(blocks, self._pattern):
            if begins and length:
                digests.append(digest.digest())
                lengths.append(length)
                digest, length = self._new(), 0
                if len(lengths) >= PAGE_ROWS:
                    table.add(self._rows(b''.join(digests), lengths.tobytes()))
                    count += len(lengths)
                    digests, lengths = [], array('I')
            digest.update(piece)
            length += len(piece)
        if length and not item.cut:
            digests.append(digest.digest())
            lengths.append(length)
        table.add(self._rows(b''.join(digests), lengths.tobytes()))
        return count + len(lengths)

    def _long(self, facts: tuple, filled: tuple[MergeTable, int]) -> Iterator[PageLine]:
        """Yield the lines of a page with many chunks; no digest is in two of them."""
        rid, url, *_ = facts
        if not filled[1]:
            yield PageLine(*facts, 0, pack_page(b'', b'', self._width))
            return
        number = 0
        for rows in filled[0].drain():
            for start in range(0, len(rows.keys), PAGE_ROWS):
                part = rows.take(slice(start, start + PAGE_ROWS))
                if number:
                    facts = f'{rid}#{number}', url, '', '', '', 0, ''
                chunks = int(part.columns[1].sum())
                yield PageLine(*facts, chunks, packing.pack(part))
                number += 1

    def _rows(self, digests: bytes, lengths: bytes) -> Rows:
        sizes = np.frombuffer(lengths, '<u4')
        return packing.make_rows(digests, self._width, sizes, np.ones(len(sizes)))
