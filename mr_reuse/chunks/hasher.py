"""Turn items into page lines: detect the type, normalize, cut, hash.

Items take one of three ways. Small items are hashed many at a time. Larger items are
cut in segments. Items too large for memory arrive in pieces.
"""

import hashlib
import itertools
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

import numpy as np

from mr_reuse.archives import sniff
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import REVISIT, Item
from mr_reuse.archives.raw_items import RawItem
from mr_reuse.chunks import chunking, cutters
from mr_reuse.chunks.cutters import LENGTH_BYTES
from mr_reuse.chunks.normalize import NORMALIZERS, normalize_blocks
from mr_reuse.chunks.page_lines import (
    PAGE_ROWS,
    FinishedLine,
    PageLine,
    pack_short_page,
)
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.messages import ESCAPED_SEPARATORS, to_bytes
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.packing import MAX, SUM, Rows
from mr_reuse.shuffle.spilling import MergeTable

SEGMENT_BYTES = 1 << 20  # of a text to cut at a time
BATCH_BYTES = 1 << 20  # of bodies to hash side by side
ITEM_BYTES = 1 << 10  # of the memory of an item, besides its body

# The fields of a PageLine before `chunks`, and those after `packed`.
Facts = tuple[tuple[str, str, str, str, str, int, str], tuple[str, ...]]
ItemLines = tuple[Item, Iterable[PageLine | FinishedLine]]


class Hasher:
    """Makes page lines; rows of long pages are spilled to files that `spill` opens."""

    def __init__(self, recipe: Recipe, spill: Callable[[], IO[bytes]] | None = None):
        self._new_digest = getattr(hashlib, recipe.hash)
        self._width = recipe.width
        self._pattern = chunking.compile_delimiter(recipe.delimiters)
        self._cutter = cutters.make_cutter(recipe.delimiters, recipe.hash)
        self._normalize = NORMALIZERS[recipe.normalize]
        self._tail = recipe.tail
        # The kernel makes whole lines of bodies that are hashed as they are.
        self._is_raw = not (self._normalize or self._tail)
        self._spill = spill

    def hash_items(self, archive: str, items: Iterable[Item]) -> Iterator[ItemLines]:
        """Yield items with their lines, which have to be read before the next item.

        Sets `type` and `size` of each item.
        """
        return itertools.chain.from_iterable(self._hash_batches(archive, items))

    def _hash_batches(
        self, archive: str, items: Iterable[Item]
    ) -> Iterator[list[ItemLines]]:
        """Yield lists of items with lines: many small items, or one larger item."""
        batch: list[Item] = []
        size = 0
        for item in items:
            if type(item) is RawItem:
                is_small, length = True, item.size
            elif is_small := item.body is not None:
                length = len(item.body)
                is_small = length <= SEGMENT_BYTES
            if is_small:
                batch.append(item)
                size += ITEM_BYTES + length
            if size >= BATCH_BYTES or not is_small:
                yield self._hash_batch(archive, batch)
                batch, size = [], 0
            if not is_small:
                try:
                    lines = self._hash_large(archive, item)
                except Lost:  # already counted by the reader
                    continue
                yield [(item, lines)]
        yield self._hash_batch(archive, batch)

    def _hash_batch(self, archive: str, batch: list[Item]) -> list[ItemLines]:
        """Make the lines of small items."""
        raw = [item for item in batch if type(item) is RawItem] if self._is_raw else []
        finished = list(self._finish_lines(archive, raw))
        if len(finished) == len(batch):
            return finished
        lines = dict(finished)
        others = [item for item in batch if item not in lines]
        lines.update(self._hash_items(archive, others))
        return [(item, lines[item]) for item in batch]

    def _finish_lines(self, archive: str, raw: list[RawItem]) -> Iterator[ItemLines]:
        """Make the lines of raw items in the kernel, where they are single ones."""
        for item in raw:
            if not item.type:
                item.type = sniff.media_type(item.beginning(sniff.HEAD))
        name = to_bytes(archive.translate(ESCAPED_SEPARATORS))
        members = [(item.offset, item.data, item.type) for item in raw]
        lines = self._cutter.finish_lines(name, members) if raw else []
        for item, line in zip(raw, lines, strict=True):
            if line:
                yield item, (FinishedLine(*line),)

    def _hash_items(self, archive: str, batch: list[Item]) -> list[ItemLines]:
        """Make the lines of small items, one field after another."""
        # A revisit has no body, so it has no tail either.
        bodies = [
            b'' if item.kind == REVISIT else item.body + self._tail for item in batch
        ]
        types = list(map(sniff.media_type, bodies))
        texts = map(self._text_to_cut, bodies, list(map(sniff.is_text, types)))
        pages = [
            (None if item.cut else body, text)
            for item, body, text in zip(batch, bodies, texts, strict=True)
        ]
        results = self._cutter.hash_pages(pages)
        item_lines = []
        for item, body, media_type, result in zip(
            batch, bodies, types, results, strict=True
        ):
            body_digest, digests, lengths = result
            if item.cut:
                digests, lengths = self._drop_last(digests, lengths)
            facts = _set_type(archive, item, media_type, len(body), body_digest)
            item_lines.append((item, self._make_lines(facts, digests, lengths)))
        return item_lines

    def _text_to_cut(self, body: bytes, is_text: bool) -> bytes | None:
        """Return the normalized text of a body, None if it is not text."""
        if not is_text:
            return None
        return self._normalize(body) if self._normalize else body

    def _drop_last(self, digests: bytes, lengths: bytes) -> tuple[bytes, bytes]:
        """Remove the last chunk of a truncated page, as its end may be missing."""
        return digests[: -self._width], lengths[:-LENGTH_BYTES]

    def _make_lines(
        self, facts: Facts, digests: bytes, lengths: bytes
    ) -> Iterable[PageLine]:
        """Make the lines of a page whose digests are in memory."""
        count = len(lengths) // LENGTH_BYTES
        if count <= PAGE_ROWS:
            packed = pack_short_page(digests, lengths, self._width)
            return [_make_line(facts, count, packed)]
        table = self._new_table()
        table.add(self._make_rows(digests, lengths))
        return self._long_page_lines(facts, table, count)

    def _hash_large(self, archive: str, item: Item) -> Iterable[PageLine]:
        """Make the lines of an item that is not small."""
        if item.body is None:
            return self._hash_pieces(archive, item)
        body = item.body + self._tail
        media_type = sniff.media_type(body)
        body_digest = b'' if item.cut else self._new_digest(body).digest()
        table, count, end = self._new_table(), 0, 0
        text = self._text_to_cut(body, sniff.is_text(media_type)) or b''
        for segment in chunking.split_segments(text, self._pattern, SEGMENT_BYTES):
            [(_, digests, lengths)] = self._cutter.hash_pages([(None, segment)])
            end += len(segment)
            if item.cut and end == len(text):
                digests, lengths = self._drop_last(digests, lengths)
            table.add(self._make_rows(digests, lengths))
            count += len(lengths) // LENGTH_BYTES
        facts = _set_type(archive, item, media_type, len(body), body_digest)
        return self._long_page_lines(facts, table, count)

    def _hash_pieces(self, archive: str, item: Item) -> Iterable[PageLine]:
        """Make the lines of an item that is too large for memory."""
        pieces = iter(item.pieces)
        head = next(pieces, b'')
        media_type = sniff.media_type(head)
        body = _Body(itertools.chain([head], pieces, [self._tail]), self._new_digest())
        table, count = self._new_table(), 0
        if sniff.is_text(media_type):
            count = self._fill(table, body, item)
        else:
            for _ in body:  # hash the body
                pass
        # Only now is `item.cut` final.
        body_digest = b'' if item.cut else body.digest.digest()
        facts = _set_type(archive, item, media_type, body.size, body_digest)
        return self._long_page_lines(facts, table, count)

    def _fill(self, table: MergeTable, blocks: Iterable[bytes], item: Item) -> int:
        """Hash the chunks of a text in blocks into a table; return their number.

        The last chunk of a truncated body is omitted.
        """
        if self._normalize:
            blocks = normalize_blocks(self._normalize, blocks)
        digests: list[bytes] = []
        lengths = array('I')
        count = 0
        for digest, length in self._hash_chunks(blocks):
            # Flushing before a chunk is added keeps the last chunk here.
            if len(lengths) >= PAGE_ROWS:
                table.add(self._make_rows(b''.join(digests), lengths.tobytes()))
                count += len(lengths)
                digests, lengths = [], array('I')
            digests.append(digest)
            lengths.append(length)
        if item.cut:  # final only after the last block
            digests, lengths = digests[:-1], lengths[:-1]
        table.add(self._make_rows(b''.join(digests), lengths.tobytes()))
        return count + len(lengths)

    def _hash_chunks(self, blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
        """Yield the digest and the length of each chunk of a text in blocks."""
        digest, length = self._new_digest(), 0
        for piece, begins_chunk in chunking.cut_blocks(blocks, self._pattern):
            if begins_chunk and length:
                yield digest.digest(), length
                digest, length = self._new_digest(), 0
            digest.update(piece)
            length += len(piece)
        if length:
            yield digest.digest(), length

    def _long_page_lines(
        self, facts: Facts, table: MergeTable, count: int
    ) -> Iterator[PageLine]:
        """Yield the lines of a page with many chunks; no digest is in two of them."""
        if not count:
            yield _make_line(facts, 0, pack_short_page(b'', b'', self._width))
            return
        rid, url, date, *_ = facts[0]
        number = 0
        for rows in table.drain():
            for start in range(0, len(rows.keys), PAGE_ROWS):
                part = rows.take(slice(start, start + PAGE_ROWS))
                if number:  # Only the first line has all facts.
                    facts = (f'{rid}#{number}', url, date, '', '', 0, ''), ()
                chunks = int(part.columns[1].sum())
                yield _make_line(facts, chunks, packing.pack(part))
                number += 1

    def _new_table(self) -> MergeTable:
        """Return an empty table of (digest; length, copies)."""
        return MergeTable([MAX, SUM], self._spill)

    def _make_rows(self, digests: bytes, lengths: bytes) -> Rows:
        sizes = np.frombuffer(lengths, '<u4')
        return packing.make_rows(digests, self._width, sizes, np.ones(len(sizes)))


class _Body:
    """The pieces of a body; iterating over them hashes and counts their bytes."""

    def __init__(self, pieces: Iterable[bytes], digest: Any):
        self._pieces = pieces
        self.digest, self.size = digest, 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self.digest.update(piece)
            self.size += len(piece)
            yield piece


def _set_type(
    archive: str, item: Item, media_type: str, size: int, body_digest: bytes
) -> Facts:
    """Set `type` and `size` of an item; return the facts for its first line."""
    item.type, item.size = media_type, size
    rid, head = f'{archive}:{item.offset}', item.head
    return (
        (rid, item.url, item.date, item.ip, media_type, size, body_digest.hex()),
        (
            head.record_id,
            head.payload_digest,
            head.truncated,
            head.refers_to,
            item.kind,
        ),
    )


def _make_line(facts: Facts, chunks: int, packed: bytes) -> PageLine:
    before, after = facts
    return PageLine(*before, chunks, packed, *after)
