"""Find the archives of a finished run that have moved, and notice replaced ones."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from mr_reuse import storage
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, summarize_names, warn
from mr_reuse.pages import input_status
from mr_reuse.shuffle import mapped_paths
from mr_reuse.shuffle.mapped_paths import Archives
from mr_reuse.storage import Entry, naming
from mr_reuse.storage.naming import is_remote

MOVED = 'if it was moved, give --archives DIR'
Found = dict[str, list[Entry]]  # files by the last components of their names


def find_moved(record: RunRecord, folder: str | None) -> RunRecord:
    """Return the record of a run with the paths of archives that lie in a folder now.

    An archive that is still at its place, with its size, stays there.
    """
    if not folder:
        return record
    if not storage.is_dir(folder):
        raise UserError(f'{folder}: no such folder; name one with --archives')
    gone = _find_gone(record)
    files = _index_files(folder, {naming.last_component(p) for p in gone.values()})
    paths, unclear = {}, []
    for name, path in gone.items():
        size = record.sizes.get(name)
        entry, is_clear = choose_file(list_tails(path), size, files)
        if entry:
            paths[name] = storage.canonical_name(entry.name)
        if not is_clear:
            unclear.append(name)
    if unclear:
        warn(
            f'{summarize_names(unclear)}: {folder} has several files of this name; '
            'name the folder with the right one'
        )
    if not paths:
        return record
    moved = (
        archive._replace(path=paths.get(archive.name, archive.path))
        for archive in Archives(record.paths, record.sizes).entries()
    )
    moved_paths, _ = mapped_paths.collect(moved, len(record.paths))
    return replace(record, paths=moved_paths)


def choose_file(
    tails: Iterable[str], size: int | None, files: Mapping[str, list[Entry]]
) -> tuple[Entry | None, bool]:
    """Choose the file of an archive; the result is False if the choice is unclear.

    `tails` are the last components of its path, the longest first. A file of its size
    is preferred to a longer match. Without one, only a single file is chosen.

    >>> a, b = Entry('x/a', False, 5), Entry('y/a', False, 7)
    >>> files = {'a': [a, b], 'x/a': [a], 'y/a': [b]}
    >>> [choose_file(list_tails('x/a'), size, files)[0].name for size in (5, 7, 9)]
    ['x/a', 'y/a', 'x/a']
    >>> choose_file(list_tails('z/a'), 9, files), choose_file(['b'], 9, files)
    ((None, False), (None, True))
    """
    matches = [files[tail] for tail in tails if tail in files]
    for entries in matches:
        if same := [entry for entry in entries if entry.size == size]:
            return same[0], len(same) == 1
    if not matches:
        return None, True
    [first, *others] = matches[0]
    return (None, False) if others else (first, True)


def list_tails(path: str) -> Iterator[str]:
    """Yield the last components of a path, all of them first.

    >>> list(list_tails('/in/a.warc'))
    ['/in/a.warc', 'in/a.warc', 'a.warc']
    """
    while path:
        yield path
        path = path.partition('/')[2]


def _index_files(folder: str, wanted: set[str]) -> Found:
    """Index the files of a folder by all tails of their names."""
    files: Found = {}
    entries = map(input_status.list_archives, storage.walk_files(folder))
    for entry in itertools.chain.from_iterable(entries):
        if naming.last_component(entry.name) in wanted:
            for tail in list_tails(naming.absolute(entry.name)):
                files.setdefault(tail, []).append(entry)
    return files


def _find_gone(record: RunRecord) -> dict[str, str]:
    """Find the archives that are not at their place, with their paths.

    If there are many remote ones, none of them is looked up, and all count as gone.
    """
    sizes = record.sizes
    found = input_status.look_up(record.paths.items(), lambda pair: pair[1], _status)
    return {
        name: path
        for (name, path), entry in found
        if not (entry and _has_size(entry, sizes.get(name)))
    }


def _status(path: str) -> Entry | None:
    """Return the status of a file; None if it is missing, or cannot be looked up."""
    try:
        return storage.status(path)
    except (OSError, UserError):
        return None


def _has_size(entry: Entry, size: int | None) -> bool:
    return size is None or entry.size in (size, storage.UNKNOWN)


def check_archive(record: RunRecord, name: str) -> str:
    """Return the reason why a file is not the archive that the run has read, or ''."""
    path, size = record.paths[name], record.sizes.get(name)
    entry = storage.status(path)
    if not entry:
        return f'{path}: missing; {MOVED}'
    if _has_size(entry, size):
        return ''
    return (
        f'{path}: has {format_count(entry.size, "byte")} and had {size:,} when it was '
        f'read; {MOVED}'
    )


def warn_of_problems(record: RunRecord) -> None:
    """Name the archives on this machine that are missing or have another size."""
    missing = [name for name, entry in _near_entries(record) if not entry]
    if missing:
        warn(f'{summarize_names(missing)}: missing; {MOVED}')
    warn_of_changes(record)


def warn_of_changes(record: RunRecord) -> None:
    """Name the archives on this machine that have another size."""
    sizes = record.sizes
    changed = [
        name
        for name, entry in _near_entries(record)
        if entry and not _has_size(entry, sizes.get(name))
    ]
    if changed:
        names = summarize_names(changed)
        warn(f'{names}: changed, as the size is not the one when it was read; {MOVED}')


def _near_entries(record: RunRecord) -> Iterator[tuple[str, Entry | None]]:
    for name, path in record.paths.items():
        if not is_remote(path):
            yield name, _status(path)
