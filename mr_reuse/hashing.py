"""From an item to its page lines: sniffed, normalised, cut, hashed."""

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import IO, NamedTuple

import numpy as np

from mr_reuse import chunking, packing, sniff
from mr_reuse.errors import UsageError
from mr_reuse.items import Item
from mr_reuse.normalize import NORMALIZERS, in_pieces
from mr_reuse.packing import MAX, SUM, Rows, Table
from mr_reuse.records import PAGE_ROWS, PageLine, pack_page

HASHES = {'sha1': 20, 'sha256': 32}
COMPAT = {'none': b'', 'ccr2019-arc': b'\n'}
KEPT = 128  # chunks up to this length are looked up before they are hashed
MEMORY = 100_000  # such chunks to remember: about 30 MB


class Chunker(NamedTuple):
    """All that decides which digests a page has."""

    hash: str = 'sha1'
    delimiters: str = chunking.DEFAULT
    normalize: str = 'none'
    compat: str = 'none'  # ccr2019-arc: the line feed the authors' ARC reader left

    @property
    def width(self) -> int:
        """Bytes in a digest."""
        return HASHES[self.hash]

    @property
    def tail(self) -> bytes:
        """What is put behind every body."""
        return COMPAT[self.compat]

    def check(self) -> 'Chunker':
        """Refuse what is not known; the spelling is made the usual one."""
        if self.hash not in HASHES:
            raise UsageError(f'hash {self.hash!r}: sha1 or sha256')
        if self.normalize not in NORMALIZERS:
            raise UsageError(f'normalize {self.normalize!r}: {", ".join(NORMALIZERS)}')
        if self.compat not in COMPAT:
            raise UsageError(f'compat {self.compat!r}: {", ".join(COMPAT)}')
        chunking.delimiter(self.delimiters)
        return self._replace(delimiters=chunking.canonical(self.delimiters))


class Hasher:
    """Makes the lines of pages; remembers the digests of short chunks."""

    def __init__(self, chunker: Chunker, spill: Callable[[], IO[bytes]] | None = None):
        self._new = getattr(hashlib, chunker.hash)
        self._width = chunker.width
        self._pattern = chunking.delimiter(chunker.delimiters)
        self._normalize = NORMALIZERS[chunker.normalize]
        self._tail = chunker.tail
        self._spill = spill
        self._known: dict[bytes, bytes] = {}

    def lines(self, archive: str, item: Item) -> Iterable[PageLine]:
        """The lines of one item; only a text is cut. Pieces may raise `Lost`."""
        rid = f'{archive}:{item.place}'
        if item.body is None:
            return self._large(rid, item)
        body = item.body + self._tail
        media = sniff.media_type(body)
        size, file_hash = len(body), '' if item.cut else self._new(body).hexdigest()
        facts = rid, item.url, item.date, item.ip, media, size, file_hash
        if not sniff.is_text(media):
            return [PageLine(*facts, 0, pack_page(b'', [], self._width))]
        if self._normalize:
            body = self._normalize(body)
        bounds = chunking.bounds(body, self._pattern)
        if item.cut:
            bounds = bounds[:-1] or [0]
        if len(bounds) > PAGE_ROWS:
            return self._long(facts, self._table_of(body, bounds))
        digests, lengths = self.digests(body, bounds)
        packed = pack_page(digests, lengths, self._width)
        return [PageLine(*facts, len(lengths), packed)]

    def digests(self, body: bytes, bounds: list[int]) -> tuple[bytes, list[int]]:
        """The digests of the chunks between bounds, joined, and their lengths.

        This is where nearly all the time goes.

        >>> hasher = Hasher(Chunker())
        >>> digests, lengths = hasher.digests(b'H<p>one', [0, 1, 7])
        >>> digests.hex()[:8], lengths
        ('7cf184f4', [1, 6])
        """
        new, known = self._new, self._known
        if len(known) > MEMORY:
            known.clear()
        found, lengths = [], []
        start = bounds[0]
        for end in bounds[1:]:
            chunk = body[start:end]
            length = end - start
            if length > KEPT:
                found.append(new(chunk).digest())
            else:
                digest = known.get(chunk)
                if digest is None:
                    digest = known[chunk] = new(chunk).digest()
                found.append(digest)
            lengths.append(length)
            start = end
        return b''.join(found), lengths

    def _table_of(self, body: bytes, bounds: list[int]) -> tuple[Table, int]:
        table = self._table()
        for start in range(0, len(bounds) - 1, PAGE_ROWS):
            part = bounds[start : start + PAGE_ROWS + 1]
            digests, lengths = self.digests(body, part)
            table.add(_rows(digests, self._width, lengths))
        return table, len(bounds) - 1

    def _table(self) -> Table:
        return Table([MAX, SUM], self._spill)

    def _large(self, rid: str, item: Item) -> Iterable[PageLine]:
        """The lines of an item that comes in pieces."""
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
                blocks = in_pieces(self._normalize, blocks)
            count = self._fill(table, blocks, item)
        for _ in blocks:
            pass
        file_hash = '' if item.cut else whole.hexdigest()
        facts = rid, item.url, item.date, item.ip, media, size, file_hash
        if not count:
            return [PageLine(*facts, 0, pack_page(b'', [], self._width))]
        return self._long(facts, (table, count))

    def _fill(self, table: Table, blocks: Iterable[bytes], item: Item) -> int:
        """Hash the chunks of blocks into a table, but not the last of a cut body."""
        digests: list[bytes] = []
        lengths: list[int] = []
        count = 0
        digest, length = self._new(), 0
        for piece, begins in chunking.pieces(blocks, self._pattern):
            if begins and length:
                digests.append(digest.digest())
                lengths.append(length)
                digest, length = self._new(), 0
                if len(lengths) >= PAGE_ROWS:
                    table.add(_rows(b''.join(digests), self._width, lengths))
                    count += len(lengths)
                    digests, lengths = [], []
            digest.update(piece)
            length += len(piece)
        if length and not item.cut:
            digests.append(digest.digest())
            lengths.append(length)
        table.add(_rows(b''.join(digests), self._width, lengths))
        return count + len(lengths)

    def _long(self, facts: tuple, filled: tuple[Table, int]) -> Iterator[PageLine]:
        """The lines of a page with many chunks; no digest is in two of them."""
        rid, url, *_ = facts
        number = 0
        for rows in filled[0].drain():
            for start in range(0, len(rows.keys), PAGE_ROWS):
                part = rows.take(slice(start, start + PAGE_ROWS))
                if number:
                    facts = f'{rid}#{number}', url, '', '', '', 0, ''
                chunks = int(part.columns[1].sum())
                yield PageLine(*facts, chunks, packing.pack(part))
                number += 1


def _rows(digests: bytes, width: int, lengths: list[int]) -> Rows:
    ones = np.ones(len(lengths), np.uint64)
    return packing.rows_of(digests, width, lengths, ones)
