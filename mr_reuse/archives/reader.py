"""The entry point for reading archives: turn inputs into items.

Damaged records are counted in the statistics of the archive; all others are read.
"""

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import BinaryIO

from mr_reuse import storage
from mr_reuse.archives import causes, sniff
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.containers import frames, packages
from mr_reuse.archives.containers.members import MAGIC, MEMBER, inflate_member
from mr_reuse.archives.containers.packages import Comparison
from mr_reuse.archives.containers.recovery import MemberSearch, codec_of
from mr_reuse.archives.containers.splicing import Splice
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.headers import Head, begins_with_record
from mr_reuse.archives.heartbeat import heartbeat
from mr_reuse.archives.items import (
    ITEM_TYPES,
    PAGE_FILE,
    SMALL,
    Item,
    ItemTest,
    gunzip_item,
    make_item,
)
from mr_reuse.archives.ordinary import Parser
from mr_reuse.archives.raw_items import RawItem, raw_parser
from mr_reuse.archives.records import OffsetRecords, read_records
from mr_reuse.archives.rids import offsets_of
from mr_reuse.archives.slices import read_rows
from mr_reuse.archives.sources import PACKED, PACKED_TEXT, Source, page_kind
from mr_reuse.archives.window import BLOCK, SECTOR, SalvagingReader, Window, close
from mr_reuse.errors import UserError
from mr_reuse.storage import Busy, naming

MAGICS = (MAGIC, frames.MAGIC, frames.DICTIONARY)
PROBE = 64 << 10  # bytes by which the kind of a file is detected
READ_ENDS = ('', '.gz', '.zst')
OTHER_ENDS = ('.bz2', '.xz', '.lz4', '.7z', '.zip')  # archives, but damage
ARCHIVE_SUFFIXES = tuple(
    f'.{kind}{end}'
    for kind in ('warc', 'arc', 'wet')
    for end in (*READ_ENDS, *OTHER_ENDS)
) + ('.wacz',)
PACKED_ARCHIVE = re.compile(r'\.wacz(\?[^/]*)?/archive/.', re.I)


def detect_kind(name: str) -> str:
    """Detect the kind of a file: archive, empty, markup, text or binary.

    Gzipped markup is a packed page, and any other gzipped text a packed text. The first
    bytes decide, except that a file with the name of an archive is always one. If it
    holds no record, it is damaged rather than a page.

    >>> detect_kind('setup.cfg')
    'text'
    """
    with storage.open_read(name) as stream:
        head = stream.read(PROBE)
    window, gzipped = Window.of(head), head.startswith(MAGIC)
    if head.startswith(MAGICS) and (codec := codec_of(window)):
        search = MemberSearch(window, codec)
        head = Splice(search, 0, codec.inflate(window), True).read(PROBE)
    if begins_with_record(head) or is_archive_name(name):
        return 'archive'
    if not head:
        return 'empty'
    if not sniff.is_text(sniff.media_type(head)):
        return 'binary'
    if head.lstrip().startswith(b'<'):
        return PACKED if gzipped else 'markup'
    return PACKED_TEXT if gzipped else 'text'


def is_archive_name(name: str) -> bool:
    """Test whether a file is an archive by its name, or by its folder in a WACZ.

    >>> [is_archive_name(n) for n in ('A.WARC', 'a.wacz/archive/b', 'a.wacz/pages/b')]
    [True, True, False]
    """
    is_named = name.lower().endswith(ARCHIVE_SUFFIXES) or naming.is_package(name)
    return is_named or PACKED_ARCHIVE.search(name) is not None


def read_source(
    source: Source,
    stats: ArchiveStats,
    wanted: ItemTest | None = None,
    types: Collection[str] = ITEM_TYPES,
) -> Iterator[Item]:
    """Yield the items of an input; `wanted` may refuse an item before its decoding.

    In an archive, the records of these types are items.
    """
    heartbeat.report(source.path, 0)
    try:
        if source.kind != 'archive':
            yield from _page_of_file(source, stats, wanted)
            return
        if source.rows:
            records = read_rows(source.path, source.rows, stats)
            yield from _items(records, source.path, stats, wanted, types)
            return
        for window in _readable_windows(source.path, stats):
            yield from items_in_window(window, source.path, stats, wanted, types)
    except (OSError, Busy) as error:
        stats.lose(causes.refusal(error), int(source.kind != 'archive'))


def items_in_window(
    window: Window,
    path: str,
    stats: ArchiveStats,
    wanted: ItemTest | None = None,
    types: Collection[str] = ITEM_TYPES,
) -> Iterator[Item]:
    """Yield the items of the records from the window's offset on."""
    records = read_records(window, stats, 0, raw_parser())
    return _items(records, path, stats, wanted, types)


def _items(
    records: OffsetRecords,
    path: str,
    stats: ArchiveStats,
    wanted: ItemTest | None,
    types: Collection[str],
) -> Iterator[Item]:
    """Yield the items of records."""
    for offset, record in records:
        if type(record) is RawItem:
            record.offset = offset
            if wanted is None or wanted(record):
                yield record
        elif item := make_item(offset, record, stats, wanted, types):
            yield item if item.body is not None else _reporting(path, item)


def _reporting(path: str, item: Item) -> Item:
    """Report progress with each piece of a body: few bytes may inflate to many."""

    def report(pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            heartbeat.report(path, offsets_of(item.offset)[0])
            yield piece

    if item.body is None:
        item.pieces = report(item.pieces)
    return item


def items_from_offset(
    source: Source, start: int, stats: ArchiveStats, wanted: ItemTest | None = None
) -> Iterator[Item]:
    """Yield the items of an input that begin at an offset or behind it."""
    if source.kind != 'archive' or source.rows or not start:
        return read_source(source, stats, wanted)
    window = _window(source.path, start)
    if codec := codec_of(window.reopen(0)):
        MemberSearch(window, codec).seek()
    return items_in_window(window, source.path, stats, wanted)


def _readable_windows(path: str, stats: ArchiveStats) -> Iterator[Window]:
    """Yield a window for each range of a file that the disk can read."""
    size, start = storage.size(path), 0
    comparison = packages.compare(path, stats)
    while start < size or not start:
        window = _window(path, start, comparison)
        yield window
        end, error = window.to_end(), window.failed
        close(window.stream)
        if not error:
            break
        start = _next_readable(path, end, size)
        lost = max(0, start - end)  # the size may be unknown
        stats.lose(causes.refusal(error), 0, lost)
    stats.finish_archive(max(start, end))
    if comparison:
        comparison.finish(end)


def _window(path: str, start: int, comparison: Comparison | None = None) -> Window:
    def open_at(offset: int) -> BinaryIO:
        stream = storage.open_read(path, offset)
        return comparison.follow(stream, offset) if comparison else stream

    def report(offset: int) -> None:
        heartbeat.report(path, offset)

    return Window(lambda offset: SalvagingReader(open_at, offset, report), start)


def _next_readable(path: str, bad: int, size: int) -> int:
    """Find a readable offset behind an unreadable one; the size if there is none."""
    step = SECTOR  # doubled each time, as each refusal may take a disk seconds
    while bad + step < size:
        with storage.open_read(path, bad + step) as stream:
            try:
                stream.read(1)
            except OSError:
                step *= 2
            else:
                return bad + step
    return size


def is_readable(path: str) -> bool:
    """Test whether the first byte of a file can be read."""
    try:
        with storage.open_read(path) as stream:
            stream.read(1)
    except (OSError, UserError):
        return False
    return True


def items_at_offsets(name: str, offsets: Iterable[str]) -> Iterator[tuple[str, Item]]:
    """Yield the items at offsets of an archive, as `rids` defines them.

    The offsets must ascend. An offset without an item is left out. A repeated offset
    yields its item as often as it is repeated.
    """
    window, stats, parse = None, ArchiveStats(name), raw_parser()
    for start, group in itertools.groupby(offsets, lambda o: offsets_of(o)[0]):
        waiting = Counter(group)  # offsets in one member
        if start == 0 and (kind := detect_kind(name)) != 'archive':
            source = Source(page_kind(kind), name, name, name)
            for item in _page_of_file(source, stats):
                yield from (('0', item) for _ in range(waiting['0']))
            continue
        window = window or _window(name, start)
        window.seek(start)
        is_alone = len(waiting) == 1 and str(start) in waiting
        if parse and is_alone and (raw := _raw_item(window, parse)):
            raw.offset, times = waiting.popitem()
            yield from itertools.repeat((raw.offset, raw), times)
            continue
        window.seek(start)
        skip = offsets_of(next(iter(waiting)))[1]
        for offset, record in read_records(window, stats, skip, parse):
            if offsets_of(offset)[0] != start:
                break
            if times := waiting.pop(offset, 0):
                for item in _items([(offset, record)], name, stats, None, ITEM_TYPES):
                    yield from itertools.repeat((offset, item), times)
            if not waiting:
                break


def _raw_item(window: Window, parse: Parser) -> RawItem | None:
    """Return the item of the gzip member at the window's offset if it is ordinary.

    Nearly all are. For these, this is much faster than `read_records`.
    """
    if not MEMBER.match(window.peek(4)):
        return None
    data = inflate_member(window)
    record = parse(data) if data is not None else None
    return record if type(record) is RawItem else None


def _page_of_file(
    source: Source, stats: ArchiveStats, wanted: ItemTest | None = None
) -> Iterator[Item]:
    """Yield the item of a file that is a page."""
    item = Item('0', source.url, Head('resource', b'', '', '', 0))
    item.kind = PAGE_FILE
    if (wanted is None or wanted(item)) and (item := _load_body(item, source, stats)):
        yield _reporting(source.path, item)


def _load_body(item: Item, source: Source, stats: ArchiveStats) -> Item | None:
    if source.kind == PACKED:
        return gunzip_item(item, _read_blocks(source.path, stats), stats)
    if storage.size(source.path) > SMALL:
        item.pieces = _read_blocks(source.path, stats)
        return item
    with storage.open_read(source.path) as stream:
        item.body = stream.read()
    return item


def _read_blocks(path: str, stats: ArchiveStats) -> Iterator[bytes]:
    try:
        with storage.open_read(path) as stream:
            while block := stream.read(BLOCK):
                yield block
    except (OSError, Busy) as error:
        stats.lose(causes.refusal(error), 1)
        raise Lost from error
