"""Look up the files of inputs: whether they exist, their kinds and their versions.

A file that exists but cannot be read or looked up is no error here. The task that opens
it counts it as damage, and reads all others.
"""

import errno
import glob
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

from mr_reuse import storage
from mr_reuse.archives import reader
from mr_reuse.archives.sources import Source
from mr_reuse.engine.record import is_run
from mr_reuse.errors import UserError
from mr_reuse.pages.name_lists import is_on_web
from mr_reuse.pages.source_list import SourceList
from mr_reuse.storage import UNKNOWN, Busy, Entry, naming, packed
from mr_reuse.storage.naming import is_remote

# Remote names. The driver does not look up the names of a longer list, as each request
# takes time; the tasks that read the archives do.
MAX_REMOTE_CHECKS = 200
T, R = TypeVar('T'), TypeVar('R')
BATCH = 1000  # files to look up at a time
UNREADABLE = 'unreadable'  # the kind of a file that cannot be read
UNREADABLE_ERRORS = (OSError, Busy)


def find_entries(names: list[str], are_many: bool = False) -> dict[str, list[Entry]]:
    """Look up each name, except for archives in a long list on the web.

    `are_many` tells that the names are part of such a list.
    """
    unchecked = select_unchecked(names, are_many)

    def find(name: str) -> list[Entry]:
        if name in unchecked:
            return [Entry(name, False, UNKNOWN)]
        try:
            return [e for found in storage.find(name) for e in list_archives(found)]
        except UNREADABLE_ERRORS as error:
            if getattr(error, 'errno', 0) == errno.ENAMETOOLONG:
                return []
            if glob.has_magic(name):  # a folder that cannot be listed
                raise
            return [Entry(name, False, UNKNOWN)]

    names = list(dict.fromkeys(names))
    return dict(zip(names, storage.map_names(find, names), strict=True))


def find_status(paths: list[str], are_many: bool = False) -> list[Entry | None]:
    """Return the status of each file; None if it is missing, or no file any more.

    `are_many` tells that the files are part of a long list on the web.
    """
    unchecked = select_unchecked(paths, are_many)

    def status(path: str) -> Entry | None:
        if path in unchecked:
            return Entry(path, False, UNKNOWN)
        try:
            entry = storage.status(path)
        except UNREADABLE_ERRORS:
            return Entry(path, False, UNKNOWN)
        return entry if is_remote(path) or storage.is_file(path) else None

    return storage.map_names(status, paths)


def are_many_on_web(names: Iterable[str]) -> bool:
    """Test whether more files on the web are named than the driver looks up."""
    on_web = filter(is_on_web, names)
    return next(itertools.islice(on_web, MAX_REMOTE_CHECKS, None), None) is not None


def select_unchecked(names: list[str], are_many: bool = False) -> set[str]:
    """Select the archives in a long list on the web, which only tasks look up."""
    are_many = are_many or are_many_on_web(names)
    return set(filter(_is_unchecked, names) if are_many else ())


def _is_unchecked(name: str) -> bool:
    """Test whether a file is read without a look at it: one archive, by its name."""
    return reader.is_archive_name(name) and not naming.is_package(name)


def list_archives(entry: Entry) -> list[Entry]:
    """Return the archives in a WACZ; the entry itself if it is not a WACZ with some."""
    if entry.is_dir or not naming.is_package(entry.name):
        return [entry]
    try:
        files = packed.list_files(entry.name)
    except OSError:  # reading it reports the error
        return [entry]
    archives = filter(lambda file: reader.is_archive_name(file.name), files)
    return [inner for file in archives for inner in list_archives(file)] or [entry]


def list_all_archives(entries: list[Entry]) -> list[Entry]:
    """Return files with the archives in each WACZ in place of it."""
    by_name = {entry.name: entry for entry in entries}
    parts = storage.map_names(lambda name: list_archives(by_name[name]), by_name)
    return [entry for part in parts for entry in part]


def is_a_run(folder: str) -> bool:
    """Test whether a folder is a run rather than input."""
    try:
        return is_run(folder)
    except OSError:
        return False


def walk_folder(folder: str, excluded: str) -> Iterator[Entry]:
    """Yield the files below a folder, and the folders that cannot be listed."""
    try:
        yield from storage.walk_files(folder, excluded)
    except OSError:
        yield Entry(folder, True)


def detect_kind(name: str) -> str:
    """Detect the kind of a file as the reader does; refuse pipes and devices."""
    # The reader takes a file of such a name for an archive, whatever it contains.
    archive = 'archive' if reader.is_archive_name(name) else ''
    if is_remote(name) and archive:  # this saves a request
        return archive
    try:
        if storage.exists(name) and not storage.is_file(name):
            raise UserError(f'{name}: neither a file nor a folder')
        return reader.detect_kind(name)
    except UNREADABLE_ERRORS:
        return archive or UNREADABLE


def read_stamps(sources: Iterable[Source]) -> list[str]:
    """Return the versions of files; '' for remote ones if a long list is on the web."""
    return [stamp for _, stamp in pair_with_stamps(SourceList(sources))]


def pair_with_stamps(sources: SourceList) -> Iterator[tuple[Source, str]]:
    """Yield sources with the versions of their files, as `read_stamps` returns them."""
    are_many = are_many_on_web(source.path for source in sources)
    for batch in sources.batches():
        if are_many:
            yield from ((s, '' if is_remote(s.path) else s.stamp) for s in batch)
            continue
        # Of a slice, the rows count.
        paths = [s.path for s in batch if not (s.stamp or s.rows)]
        versions = dict(zip(paths, storage.map_names(_stamp, paths), strict=True))
        yield from ((s, s.stamp or versions.get(s.path, '')) for s in batch)


def _stamp(path: str) -> str:
    try:
        return storage.stamp(path)
    except FileNotFoundError:
        raise
    except UNREADABLE_ERRORS:
        return ''


def find_missing(paths: Collection[str]) -> list[str]:
    """Find missing inputs, sorted. Remote ones are not looked up if there are many."""
    found = look_up(paths, lambda path: path, _exists)
    return sorted(path for path, exists in found if exists is False)


def look_up(
    items: Collection[T], path_of: Callable[[T], str], func: Callable[[str], R]
) -> Iterator[tuple[T, R | None]]:
    """Look up the paths of items, many at a time; yield each item and the result.

    If there are many remote ones, they are not looked up, and their result is None.
    """
    remote = sum(is_remote(path_of(item)) for item in items)
    are_many = remote > MAX_REMOTE_CHECKS

    def find(path: str) -> R | None:
        return None if are_many and is_remote(path) else func(path)

    rest = iter(items)
    while batch := list(itertools.islice(rest, BATCH)):
        found = storage.map_names(find, map(path_of, batch))
        yield from zip(batch, found, strict=True)


def _exists(path: str) -> bool:
    try:
        return storage.exists(path)
    except UNREADABLE_ERRORS:  # it is there, and cannot be looked up
        return True
