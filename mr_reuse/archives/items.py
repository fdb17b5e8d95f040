"""Turn records into items: crawled records with URL, status and decoded body."""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator

from mr_reuse.archives import causes, payload
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.content_type import charset_of
from mr_reuse.archives.decoding import Broken
from mr_reuse.archives.framing import Block, Lost, Record
from mr_reuse.archives.headers import REVISIT, Head
from mr_reuse.archives.sniff import HEAD
from mr_reuse.archives.urls import UNSAFE, percent_encode

ITEM_TYPES = {'response', 'resource', 'conversion'}
WITH_REVISITS = {*ITEM_TYPES, REVISIT}
HTTP_TYPES = {'response', REVISIT}  # their blocks begin with an HTTP header
OTHER_TYPES = {'warcinfo', 'request', 'metadata', REVISIT, 'continuation'}
SMALL = 16 << 20  # bytes; a larger body is read in pieces, to bound memory
PAGE_FILE = 'page'  # kind of an item that is a file of its own


class Item:
    """A crawled record with a body. `offset` has the form of an offset in a rid.

    The body is in `body`, or in `pieces` if it is large. Iterating over the pieces may
    raise `Lost`. `cut` is final only after the last piece. The consumer that reads the
    body sets `type`, its media type, and `size`. A revisit has an empty body.
    """

    __slots__ = ('offset', 'url', 'date', 'ip', 'status', 'content_type')
    __slots__ += ('body', 'pieces', 'cut', 'type', 'size')
    __slots__ += ('head', 'kind')

    def __init__(
        self, offset: str, url: str, head: Head, message: payload.Message | None = None
    ):
        self.offset, self.url, self.date, self.ip = offset, url, head.date, head.ip
        self.status = message.status if message else 0
        self.content_type = message.content_type if message else head.content_type
        self.body: bytes | None = None
        self.pieces: Iterable[bytes] = ()
        self.cut = False
        self.type, self.size = '', 0
        self.head = head
        self.kind = ''  # PAGE_FILE if the item is no record of an archive, or REVISIT

    @property
    def blocks(self) -> Iterable[bytes]:
        """The body, as one block or as pieces."""
        return self.pieces if self.body is None else [self.body]

    @property
    def record_type(self) -> str:
        """The type of the record, in lower case."""
        return self.head.type

    @property
    def charset(self) -> str:
        """The charset that the Content-Type header names, unchanged, or ''.

        The header of the HTTP message counts; without a message, that of the record.
        """
        return charset_of(self.content_type)


ItemTest = Callable[[Item], bool]


def make_item(
    offset: str,
    record: Record,
    stats: ArchiveStats,
    wanted: ItemTest | None = None,
    types: Collection[str] = ITEM_TYPES,
) -> Item | None:
    """Turn a record of one of `types` into an item.

    Return None if it has none or `wanted` refuses it. A record without an item is
    counted in the statistics.
    """
    head, block = record.head, record.block
    if not is_item(record, stats, types):
        return None
    large = isinstance(block, Block)
    message = record.message
    if not message and head.type in HTTP_TYPES:
        message = payload.read_head(block.peek(payload.MAX_HEAD) if large else block)
    # Nearly all URLs are safe; the test here saves a call for each item.
    url = (
        percent_encode(head.url)
        if UNSAFE.search(head.url)
        else head.url.decode('ascii')
    )
    item = Item(offset, url, head, message)
    is_revisit = head.type == REVISIT
    if is_revisit:
        item.kind, item.body, item.cut = REVISIT, b'', True
    if wanted and not wanted(item):
        return None
    if is_revisit:
        return item
    item.cut = record.cut
    if head.truncated:
        item.cut = True
        stats.note(causes.TRUNCATED_NOTE)
    if large or (message and message.encodings):
        item.pieces = _pieces(item, block if large else [block], message, stats)
        return _join_small(item)
    item.body = bytes(block[message.start :] if message else block)
    return item


def is_item(
    record: Record, stats: ArchiveStats, types: Collection[str] = ITEM_TYPES
) -> bool:
    """Test whether a record is an item; count it if not.

    The block of another record is read to its end, which may be damaged.
    """
    head = record.head
    if head.type in types and head.url:
        return True
    block = record.block
    try:
        size = sum(map(len, block if isinstance(block, Block) else [block]))
    except Lost:  # already counted
        return False
    if not head.type or head.type in types:
        is_counted = record.cut or _is_cut(block)
        cause = causes.NO_URL if head.type else causes.NO_TYPE
        stats.lose(cause, int(not is_counted), size)
    else:
        stats.skipped[head.type if head.type in OTHER_TYPES else 'other records'] += 1
    return False


def _pieces(
    item: Item,
    block: Block | Iterable[bytes],
    message: payload.Message | None,
    stats: ArchiveStats,
) -> Iterator[bytes]:
    """Yield the decoded body in pieces; count damage and notes at its end."""
    coded = _without(message.start if message else 0, block)
    notes: list[str] = []
    try:
        encodings = message.encodings if message else ()
        yield from payload.decode(coded, encodings, notes.append)
        broken = False
    except Broken:
        broken = True
    except payload.Bomb:
        stats.lose(causes.BOMB, 1)
        raise Lost from None
    for _ in coded:  # read bytes behind the end of an encoding: they decide `cut`
        pass
    item.cut = item.cut or _is_cut(block)
    if broken and not item.cut:  # a cut record is already counted
        stats.lose(causes.BREAKS_OFF, 1)
    item.cut = item.cut or broken
    for note in notes:
        stats.note(note)


def _is_cut(block: Block | Iterable[bytes]) -> bool:
    return isinstance(block, Block) and block.cut


def gunzip_item(
    item: Item, blocks: Iterable[bytes], stats: ArchiveStats
) -> Item | None:
    """Set the body of an item to the content of a gzipped file."""
    gzipped = payload.Message(0, 0, (('content', 'gzip'),))
    item.pieces = _pieces(item, blocks, gzipped, stats)
    return _join_small(item)


def _without(size: int, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield blocks without the first `size` bytes.

    >>> [bytes(b) for b in _without(3, [b'ab', b'cd', b'e'])]
    [b'd', b'e']
    """
    for block in blocks:
        if size < len(block):
            yield bytes(memoryview(block)[size:])
        size = max(0, size - len(block))


def _join_small(item: Item) -> Item | None:
    """Join the pieces of a small body; None if it is unreadable."""
    pieces, buffer = iter(item.pieces), bytearray()
    try:
        for piece in pieces:
            buffer += piece  # a list would be large, as there may be millions of pieces
            if len(buffer) > max(SMALL, HEAD):
                # The first piece has to suffice to detect the media type.
                item.pieces = itertools.chain([bytes(buffer)], pieces)
                return item
    except Lost:
        return None
    item.body, item.pieces = bytes(buffer), ()
    return item
