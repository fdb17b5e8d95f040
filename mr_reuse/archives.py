"""The door to archives: from the name of an input to the items it holds.

Damage costs the damaged records and is written into the account; whatever can
still be read is given.
"""

import gzip
import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mr_reuse import framing, storage
from mr_reuse.account import Account
from mr_reuse.framing import Head, Record
from mr_reuse.items import SMALL, Item, Wanted, item_of
from mr_reuse.members import MAGIC, Inflated
from mr_reuse.recovery import records
from mr_reuse.streams import BLOCK, Window

PROBE = 64 << 10
NAMES = tuple(f'.{kind}{end}' for kind in ('warc', 'arc', 'wet') for end in ('', '.gz'))


class Source(NamedTuple):
    """An input as a task gets it."""

    kind: str  # 'archive', or 'page' for a file that is a page itself
    name: str  # as it was typed
    path: str  # as it is found from anywhere
    url: str = ''  # of a page
    size: int = 0


def kind_of(name: str) -> str:
    """What a file is by its bytes: archive, empty, markup, text or binary.

    >>> kind_of('setup.cfg')
    'text'
    """
    with storage.open_read(name) as stream:
        head = stream.read(PROBE)
    if head.startswith(MAGIC):
        head = Inflated(Window.of(head), 0).read(PROBE)
    if framing.WARC.start.match(head) or framing.ARC.start.match(head):
        return 'archive'
    if not head:
        return 'empty'
    if b'\0' in head[:1024] and not head.startswith((b'\xff\xfe', b'\xfe\xff')):
        return 'binary'
    return 'markup' if head.lstrip().startswith(b'<') else 'text'


def promises_archive(name: str) -> bool:
    """Whether a name says that it is an archive.

    >>> promises_archive('a/CC-1.WARC.gz'), promises_archive('warc.paths.gz')
    (True, False)
    """
    return name.lower().endswith(NAMES)


def items(
    source: Source, account: Account, wanted: Wanted | None = None
) -> Iterator[Item]:
    """All items of an input; `wanted` may say no before a body is decoded."""
    try:
        if source.kind == 'page':
            yield _file_item(source)
            return
        window = Window(lambda offset: storage.open_read(source.path, offset))
        for place, record in records(window, account):
            if item := item_of(place, record, account, wanted):
                yield item
    except OSError as error:
        account.lose(f'cannot be read: {error.strerror or error}')


def items_at(name: str, places: Iterable[str]) -> Iterator[tuple[str, Item]]:
    """The items at some places of an archive, which go forward."""
    window, account = None, Account(name)
    for place, many in itertools.groupby(places):
        if place == '0' and kind_of(name) != 'archive':
            yield from (
                (place, _file_item(Source('page', name, name, name))) for _ in many
            )
            continue
        start = int(place.partition('+')[0])
        if window is None:
            window = Window(lambda offset: storage.open_read(name, offset), start)
        window.seek(start)
        if item := _first(place, records(window, account), account):
            yield from ((place, item) for _ in many)


def _first(
    place: str, found: Iterable[tuple[str, Record]], account: Account
) -> Item | None:
    """The item of the record at a place, if it is there."""
    member = place.partition('+')[0]
    for here, record in found:
        if here == place:
            return item_of(place, record, account)
        if here.partition('+')[0] != member:
            break
    return None


def _file_item(source: Source) -> Item:
    item = Item('0', source.url, Head('resource', b'', '', '', 0))
    stream = storage.open_read(source.path)
    if storage.size(source.path) > SMALL:
        item.pieces = iter(lambda: stream.read(BLOCK), b'')
        return item
    with stream:
        item.body = stream.read()
    return item


def read_lines(name: str) -> Iterator[bytes]:
    """The lines of a text file, of all members of it if it is gzipped."""
    with storage.open_read(name) as stream:
        packed = stream.peek(3)[:3] == MAGIC
        yield from gzip.open(stream) if packed else stream
