"""Globs in stores that can only list their folders."""

import glob
from collections.abc import Iterator
from fnmatch import fnmatchcase

from mr_reuse.storage.base import Entry, Store
from mr_reuse.storage.naming import last_of


def find(store: Store, pattern: str) -> list[Entry]:
    """What a glob stands for, as on a disk, sorted."""
    if not glob.has_magic(pattern):
        return []
    parts = pattern.rstrip('/').split('/')
    fixed = next(i for i, part in enumerate(parts) if glob.has_magic(part))
    found = [Entry('/'.join(parts[:fixed]), True)]
    for number, part in enumerate(parts[fixed:], fixed):
        folders = [entry.name for entry in found if entry.is_dir]
        if part == '**':
            found = [e for name in folders for e in _below(store, name, parts[number:])]
            break
        below = (e for name in folders for e in store.listing(name))
        found = [e for e in below if _fits([last_of(e.name)], [part])]
    return sorted({e for e in found if e.is_dir or not pattern.endswith('/')})


def _below(store: Store, top: str, parts: list[str]) -> Iterator[Entry]:
    """What fits at any depth; a store lists all files at less cost than each folder."""
    folders = {top}
    for entry in store.tree(top):
        folder = entry.name.rpartition('/')[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition('/')[0]
        if _fits(entry.name[len(top) + 1 :].split('/'), parts):
            yield entry
    for folder in folders:
        if _fits(folder[len(top) + 1 :].split('/') if folder != top else [], parts):
            yield Entry(folder, True)


def _fits(names: list[str], parts: list[str]) -> bool:
    """Whether a path fits a glob; what begins with a dot has to be meant.

    >>> _fits(['a', 'b', 'x.gz'], ['**', '*.gz']), _fits(['.a', 'x.gz'], ['**', '*.gz'])
    (True, False)
    """
    if not parts or not names:
        return not names and all(part == '**' for part in parts)
    name, part = names[0], parts[0]
    if name.startswith('.') and not part.startswith('.'):
        return part == '**' and _fits(names, parts[1:])
    if part == '**':
        return _fits(names[1:], parts) or _fits(names, parts[1:])
    return fnmatchcase(name, part) and _fits(names[1:], parts[1:])
