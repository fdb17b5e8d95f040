"""The door to archives: from the name of an input to the items it holds.

Damage costs the damaged records and is counted in the stats of the archive; all
else is read.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from mr_reuse import storage
from mr_reuse.archives import causes, sniff
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.headers import Head
from mr_reuse.archives.heartbeat import status
from mr_reuse.archives.items import SMALL, Item, Wanted, item_of, unpacked
from mr_reuse.archives.members import MAGIC
from mr_reuse.archives.recovery import beginning, records, seek_member, syntax_at
from mr_reuse.archives.rids import offsets_of
from mr_reuse.archives.sources import PACKED, Source
from mr_reuse.archives.window import BLOCK, SECTOR, Patient, Window, close
from mr_reuse.errors import UserError

PROBE = 64 << 10
NAMES = tuple(f'.{kind}{end}' for kind in ('warc', 'arc', 'wet') for end in ('', '.gz'))


def kind_of(name: str) -> str:
    """What a file is: archive, empty, markup, packed page, text or binary.

    Its bytes say it, but a name that promises an archive is believed: what it holds is
    damage then, and no page.

    >>> kind_of('setup.cfg')
    'text'
    """
    with storage.open_read(name) as stream:
        head = stream.read(PROBE)
    packed = head.startswith(MAGIC)
    if packed:
        head = beginning(Window.of(head), 0, PROBE)
    if syntax_at(head) or name.lower().endswith(NAMES):
        return 'archive'
    if not head:
        return 'empty'
    if not sniff.is_text(sniff.media_type(head)):
        return 'binary'
    if head.lstrip().startswith(b'<'):
        return PACKED if packed else 'markup'
    return 'text'


def items(
    source: Source, stats: ArchiveStats, wanted: Wanted | None = None
) -> Iterator[Item]:
    """Yield the items of an input; `wanted` may refuse an item before it is decoded."""
    status.at(source.path, 0)
    try:
        if source.kind != 'archive':
            yield from _page_of_file(source, stats, wanted)
            return
        for window in _stretches(source.path, stats):
            yield from items_in(window, source.path, stats, wanted)
    except OSError as error:
        stats.lose(_refusal(error), int(source.kind != 'archive'))


def items_in(
    window: Window, path: str, stats: ArchiveStats, wanted: Wanted | None = None
) -> Iterator[Item]:
    """Yield the items of the records from the window's place on."""
    for place, record in records(window, stats):
        if item := item_of(place, record, stats, wanted):
            yield item if item.body is not None else _reporting(path, item)


def _reporting(path: str, item: Item) -> Item:
    """Let each piece of a body be a heartbeat: few bytes may inflate to many pieces."""

    def report(pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            status.at(path, offsets_of(item.place)[0])
            yield piece

    if item.body is None:
        item.pieces = report(item.pieces)
    return item


def items_from(
    source: Source, start: int, stats: ArchiveStats, wanted: Wanted | None = None
) -> Iterator[Item]:
    """Return the items of an input that begin at an offset or behind it."""
    if source.kind != 'archive' or not start:
        return items(source, stats, wanted)
    window = _window(source.path, start)
    if storage.starts_with(source.path, MAGIC):
        seek_member(window)
    return items_in(window, source.path, stats, wanted)


def _stretches(path: str, stats: ArchiveStats) -> Iterator[Window]:
    """A window on a file; more than one where the disk cannot read what is between."""
    size, start = storage.size(path), 0
    while start < size or not start:
        window = _window(path, start)
        yield window
        end, refused = window.to_end(), window.stream.refused
        close(window.stream)
        if not refused:
            return
        start = _readable_from(path, end, size)
        stats.lose(_refusal(refused), 0, start - end)


def _window(path: str, start: int) -> Window:
    def open_at(offset: int) -> BinaryIO:
        return storage.open_read(path, offset)

    def moved(offset: int) -> None:
        status.at(path, offset)

    return Window(lambda offset: Patient(open_at, offset, moved), start)


def _readable_from(path: str, bad: int, size: int) -> int:
    """Where a file can be read again behind a place where it cannot."""
    step = SECTOR
    while bad + step < size:
        with storage.open_read(path, bad + step) as stream:
            try:
                stream.read(1)
            except OSError:
                step *= 2
            else:
                return bad + step
    return size


def _refusal(error: OSError) -> str:
    return f'{causes.REFUSED}{error.strerror or error}'


def opens(path: str) -> bool:
    """Whether a file can be read, as far as its first byte tells."""
    try:
        with storage.open_read(path) as stream:
            stream.read(1)
    except (OSError, UserError):
        return False
    return True


def items_at(name: str, places: Iterable[str]) -> Iterator[tuple[str, Item]]:
    """The items at some places of an archive, which go forward."""
    window, stats = None, ArchiveStats(name)
    for start, some in itertools.groupby(places, lambda place: offsets_of(place)[0]):
        asked = Counter(some)
        if start == 0 and (kind := kind_of(name)) != 'archive':
            for item in _page_of_file(Source(kind, name, name, name), stats):
                yield from (('0', item) for _ in range(asked['0']))
            continue
        window = window or _window(name, start)
        window.seek(start)
        for place, record in records(window, stats):
            if offsets_of(place)[0] != start:
                break
            times = asked.pop(place, 0)
            if times and (item := item_of(place, record, stats)):
                item = _reporting(name, item)
                yield from ((place, item) for _ in range(times))
            if not asked:
                break


def _page_of_file(
    source: Source, stats: ArchiveStats, wanted: Wanted | None = None
) -> Iterator[Item]:
    """Yield the item of a file that is a page."""
    item = Item('0', source.url, Head('resource', b'', '', '', 0))
    if (wanted is None or wanted(item)) and (item := _read(item, source, stats)):
        yield _reporting(source.path, item)


def _read(item: Item, source: Source, stats: ArchiveStats) -> Item | None:
    if source.kind == PACKED:
        return unpacked(item, _blocks(source.path, stats), stats)
    if storage.size(source.path) > SMALL:
        item.pieces = _blocks(source.path, stats)
        return item
    with storage.open_read(source.path) as stream:
        item.body = stream.read()
    return item


def _blocks(path: str, stats: ArchiveStats) -> Iterator[bytes]:
    try:
        with storage.open_read(path) as stream:
            while block := stream.read(BLOCK):
                yield block
    except OSError as error:
        stats.lose(_refusal(error), 1)
        raise Lost from error
