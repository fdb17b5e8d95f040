"""Read records by their rids, archive by archive, at ascending offsets.

`read_items` takes the rids of a run. In jobs `RowReader` takes rows, a line each, in
the order that `rows_to_read` gives them. `write_rows_to_read` writes them for a job.
"""

import contextlib
import functools
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from mr_reuse import storage
from mr_reuse.archives import reader, rids
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import PAGE_FILE, Item
from mr_reuse.archives.rids import Rid, split_rid
from mr_reuse.engine.rundir import RunDir
from mr_reuse.shuffle import sorting
from mr_reuse.storage import naming

MAX_QUOTED = 10_000  # paths of archives that are kept
MAX_ROWS = 50_000  # rows in the buffer of a RowReader
RUN_ROWS = 1000  # consecutive rows for one task, as their records are close together

Errors = tuple[type[Exception], ...]
ReadRows = Iterator[tuple[list[bytes], Item | None]]


def read_items(
    wanted: Iterable[str], paths: Mapping[str, str], tolerated: Errors = ()
) -> Iterator[tuple[str, Item | None]]:
    """Yield each rid once, ordered by archive and offset, with the item there.

    `paths` of a run maps the names of archives to files. The item is None if no record
    with an item begins at the offset, as in an archive that has changed. If reading an
    archive raises one of `tolerated`, the item is None for its remaining rids. Other
    errors are raised: FileNotFoundError for a missing file.

    A large body can be read until the next rid is asked for.
    """
    ordered = sorted(set(wanted), key=lambda rid: Rid(rid).parts())
    for archive, group in groupby(ordered, lambda rid: split_rid(rid)[0]):
        offsets = [split_rid(rid)[1] for rid in group]
        path = paths.get(archive, archive)
        for offset, item in _items_at(path, offsets, tolerated):
            yield f'{archive}:{offset}', item


def read_item(rid: str, paths: Mapping[str, str]) -> Item | None:
    """Read the item at a rid; None if no record with an item begins there."""
    [(_, item)] = read_items([rid], paths)
    return item


def _items_at(
    path: str, offsets: Iterable[str], tolerated: Errors
) -> Iterator[tuple[str, Item | None]]:
    """Yield ascending offsets of a file with the items there, or None."""
    waiting = deque(offsets)
    with contextlib.suppress(*tolerated):
        for offset, item in reader.items_at_offsets(path, list(waiting)):
            while (missing := waiting.popleft()) != offset:
                yield missing, None
            yield offset, item
    for offset in waiting:
        yield offset, None


def rows_to_read(
    rows: Iterable[tuple[str, bytes]], paths: Mapping[str, str]
) -> Iterator[bytes]:
    r"""Sort rows by their rids and format them as lines for a RowReader.

    A line has the quoted path of the archive in place of its name, as tasks on other
    machines do not have `paths`.

    >>> list(rows_to_read([('a:10', b'x'), ('a:9', b'y')], {'a': '/in/a b'}))
    [b'/in/a%20b:9\ty', b'/in/a%20b:10\tx']
    """

    @functools.lru_cache(MAX_QUOTED)
    def quote(archive: str) -> bytes:
        return naming.quote_path(paths.get(archive) or archive).encode()

    def with_paths() -> Iterator[sorting.Keyed]:
        for rid, row in rows:
            archive, offset = split_rid(rid)
            key = b'%b:%b' % (quote(archive), offset.encode())
            yield rids.sort_key(key), key + b'\t' + row

    return sorting.sort_rows(with_paths())


def write_rows_to_read(
    run: RunDir, rows: Iterable[tuple[str, bytes]], paths: Mapping[str, str]
) -> list[str]:
    """Write the lines of `rows_to_read` to files, one a task; return their names."""
    names = [run.temporary_name(f'to-read-{n}') for n in range(os.cpu_count() or 1)]
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(storage.write(name)) for name in names]
        for number, line in enumerate(rows_to_read(rows, paths)):
            streams[number // RUN_ROWS % len(streams)].write(line + b'\n')
    return names


class RowReader:
    """Reads the items of rows that come in the order of `rows_to_read`."""

    def __init__(self) -> None:
        self._path = ''
        self._rows: list[tuple[str, bytes]] = []

    def add(self, key: bytes, row: bytes) -> ReadRows:
        """Add a row under its quoted path and offset; yield buffered rows with items.

        Rows with the same offset are yielded together. The item is None if it or its
        archive is missing.
        """
        name, offset = split_rid(key.decode())
        path = naming.unquote_path(name)
        if path != self._path or len(self._rows) >= MAX_ROWS:
            yield from self.finish()
            self._path = path
        self._rows.append((offset, row))

    def finish(self) -> ReadRows:
        """Yield the rows in the buffer, with their items."""
        by_offset: dict[str, list[bytes]] = {}
        for offset, row in self._rows:
            by_offset.setdefault(offset, []).append(row)
        self._rows = []
        for offset, item in _items_at(self._path, by_offset, (FileNotFoundError,)):
            yield by_offset[offset], item


def has_url(item: Item, url: str) -> bool:
    """Test whether an item has the URL of a page; it has not in a replaced archive.

    The URL of a file that is a page depends on how the inputs were named.
    """
    return item.kind == PAGE_FILE or item.url == url


def beginning_of(item: Item) -> bytes:
    """Read the body of an item; only the first piece of a large one."""
    if item.body is not None:
        return item.body
    try:
        return next(iter(item.pieces), b'')
    except Lost:
        return b''
