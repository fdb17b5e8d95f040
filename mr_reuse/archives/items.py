"""From a record to the item that was crawled: its URL, its status, its body."""

import itertools
from collections.abc import Callable, Iterable, Iterator

from mr_reuse.archives import causes, payload
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.content_type import charset_of
from mr_reuse.archives.framing import Block, Lost, Record
from mr_reuse.archives.headers import Head
from mr_reuse.archives.sniff import HEAD
from mr_reuse.archives.urls import UNSAFE, clean

TYPES = {'response', 'resource', 'conversion'}
OTHER = {'warcinfo', 'request', 'metadata', 'revisit', 'continuation'}
SMALL = 16 << 20  # a body up to this size is handled in one piece


class Item:
    """One thing that was crawled: where it stands, what it was, its body.

    The body is bytes in `body` or, when it is large, pieces in `pieces`, which may
    raise `Lost` at any time; only when all of them were read is `cut` final. Who has
    read the body sets `type`, its media type, and `size`.
    """

    __slots__ = ('place', 'url', 'date', 'ip', 'status', 'content_type')
    __slots__ += ('body', 'pieces', 'cut', 'type', 'size')

    def __init__(
        self, place: str, url: str, head: Head, message: payload.Message | None = None
    ):
        self.place, self.url, self.date, self.ip = place, url, head.date, head.ip
        self.status = message.status if message else 0
        self.content_type = message.content_type if message else head.content_type
        self.body: bytes | None = None
        self.pieces: Iterable[bytes] = ()
        self.cut = False
        self.type, self.size = '', 0

    @property
    def blocks(self) -> Iterable[bytes]:
        """The body, in one block or in pieces."""
        return self.pieces if self.body is None else [self.body]

    @property
    def charset(self) -> str:
        """The charset that the Content-Type header names, as it is written, or ''.

        The header is that of the HTTP message, or of the record if that holds none.
        """
        return charset_of(self.content_type)


Wanted = Callable[[Item], bool]


def item_of(
    place: str, record: Record, stats: ArchiveStats, wanted: Wanted | None = None
) -> Item | None:
    """Turn a record into an item; None, and counted, if there is none to have."""
    head, block = record.head, record.block
    if not is_item(record, stats):
        return None
    large = isinstance(block, Block)
    message = record.message
    if not message and head.type == 'response':
        message = payload.read_head(block.peek(payload.MAX_HEAD) if large else block)
    # Nearly all URLs are clean: this is a call less for each item.
    url = clean(head.url) if UNSAFE.search(head.url) else head.url.decode('ascii')
    item = Item(place, url, head, message)
    if wanted and not wanted(item):
        return None
    item.cut = record.cut
    if large or (message and message.encodings):
        item.pieces = _pieces(item, block if large else [block], message, stats)
        return _in_one_piece(item)
    item.body = bytes(block[message.start :] if message else block)
    return item


def is_item(record: Record, stats: ArchiveStats) -> bool:
    """Whether a record is one that was crawled; if not, why is written down."""
    head = record.head
    if head.type in TYPES and head.url:
        return True
    try:
        for _ in record.block if isinstance(record.block, Block) else ():
            pass
    except Lost:  # which is in the stats already
        return False
    if not head.type or head.type in TYPES:
        stats.lose(causes.NO_URL if head.type else causes.NO_TYPE, 1, head.length)
    else:
        stats.skipped[head.type if head.type in OTHER else 'other records'] += 1
    return False


def _pieces(
    item: Item,
    block: Block | Iterable[bytes],
    message: payload.Message | None,
    stats: ArchiveStats,
) -> Iterator[bytes]:
    """The decoded body, piece by piece; how it ends is written down."""
    coded = _without(message.start if message else 0, block)
    notes: list[str] = []
    try:
        encodings = message.encodings if message else ()
        yield from payload.decode(coded, encodings, notes.append)
        broken = False
    except payload.Broken:
        broken = True
    except payload.Bomb:
        stats.lose(causes.BOMB, 1)
        raise Lost from None
    for _ in coded:  # what follows the end of an encoding
        pass
    item.cut = item.cut or _is_cut(block)
    if broken and not item.cut:  # a cut record is in the stats already
        stats.lose(causes.BREAKS_OFF, 1)
    item.cut = item.cut or broken
    for note in notes:
        stats.note(note)


def _is_cut(block: Block | Iterable[bytes]) -> bool:
    return isinstance(block, Block) and block.cut


def unpacked(item: Item, blocks: Iterable[bytes], stats: ArchiveStats) -> Item | None:
    """An item whose body is a gzipped file."""
    gzipped = payload.Message(0, 0, (('content', 'gzip'),))
    item.pieces = _pieces(item, blocks, gzipped, stats)
    return _in_one_piece(item)


def _without(size: int, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Blocks without their first bytes.

    >>> [bytes(b) for b in _without(3, [b'ab', b'cd', b'e'])]
    [b'd', b'e']
    """
    for block in blocks:
        if size < len(block):
            yield bytes(memoryview(block)[size:])
        size = max(0, size - len(block))


def _in_one_piece(item: Item) -> Item | None:
    """Join the pieces of a body that turns out to be small."""
    pieces, held = iter(item.pieces), bytearray()
    try:
        for piece in pieces:
            held += piece  # there may be millions of them
            if len(held) > max(SMALL, HEAD):
                # The first piece is enough to tell what the body is.
                item.pieces = itertools.chain([bytes(held)], pieces)
                return item
    except Lost:
        return None
    item.body, item.pieces = bytes(held), ()
    return item
