"""Globs on stores that can only list folders."""

import glob
from collections.abc import Iterator
from fnmatch import fnmatchcase

from mr_reuse.storage.base import Entry, Store
from mr_reuse.storage.naming import last_component


def find(store: Store, pattern: str) -> list[Entry]:
    """Return the files and folders that match a glob, sorted.

    The rules are those of Python's `glob` with `recursive=True`.
    """
    if not glob.has_magic(pattern):
        return []
    parts = pattern.rstrip('/').split('/')
    fixed = next(i for i, part in enumerate(parts) if glob.has_magic(part))
    matches = [Entry('/'.join(parts[:fixed]), True)]
    for number, part in enumerate(parts[fixed:], fixed):
        folders = [entry.name for entry in matches if entry.is_dir]
        if part == '**':
            rest = parts[number:]
            matches = [e for name in folders for e in _below(store, name, rest)]
            break
        below = (e for name in folders for e in store.list_entries(name))
        matches = [e for e in below if _fits([last_component(e.name)], [part])]
    return sorted({e for e in matches if e.is_dir or not pattern.endswith('/')})


def _below(store: Store, top: str, parts: list[str]) -> Iterator[Entry]:
    """Yield matches at any depth below a folder.

    One request lists all files, where a walk takes a request for each folder. Folders
    are inferred from the names of files.
    """
    folders = {top}
    for entry in store.walk_files(top):
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
    """Return whether a path matches a glob.

    A component with a leading dot is matched only by a part with a leading dot.

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
