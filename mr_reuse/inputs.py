"""From what the user typed to the archives and pages that are meant."""

import os
from collections.abc import Iterable, Iterator

from mr_reuse import archives, storage
from mr_reuse.archives import Source
from mr_reuse.errors import UserError
from mr_reuse.storage import SCHEME
from mr_reuse.urls import clean


def find(names: Iterable[str], base_url: str = '') -> tuple[list[Source], list[str]]:
    """The sources behind some names, each once, and those that were named again."""
    found: dict[str, Source] = {}
    again = []
    for source in _all(names, base_url, manifests=True):
        if source.path in found:
            again.append(source.name)
        found.setdefault(source.path, source)
    return list(found.values()), again


def _all(names: Iterable[str], base_url: str, manifests: bool) -> Iterator[Source]:
    for name in names:
        expanded = storage.expand(name)
        if not expanded:
            raise UserError(f'{name}: no such file or folder')
        for one in expanded:
            if storage.is_dir(one):
                yield from _tree(one)
            else:
                yield from _file(one, base_url, manifests)


def _tree(folder: str) -> Iterator[Source]:
    """In a directory, archives are archives and everything else is a page."""
    top = os.path.basename(os.path.abspath(folder))
    for relative in storage.tree(folder):
        name = storage.join(folder, relative)
        if _kind(name) == 'archive' or archives.promises_archive(name):
            yield source('archive', name)
        else:
            yield source('page', name, clean(os.fsencode(f'{top}/{relative}')))


def _file(name: str, base_url: str, manifests: bool) -> Iterator[Source]:
    """A file given by name: an archive, a page, or a list of names."""
    kind = _kind(name)
    if kind == 'archive' or archives.promises_archive(name):
        yield source('archive', name)
    elif kind == 'markup':
        yield source('page', name, clean(os.fsencode(os.path.basename(name))))
    elif kind == 'text' and manifests:
        listed = list(_listed(name, base_url))
        if not listed:
            raise UserError(f'{name}: this list names nothing')
        yield from _all(listed, '', manifests=False)
    elif kind == 'text':
        raise UserError(f'{name}: a list of names cannot name another list')
    else:
        what = (
            'empty' if kind == 'empty' else 'no archive, no page and no list of names'
        )
        raise UserError(f'{name}: this file is {what}')


def _listed(manifest: str, base_url: str) -> Iterator[str]:
    """The names in a manifest: below the base URL, or as seen from here or from it."""
    for line in archives.read_lines(manifest):
        name = os.fsdecode(line.strip())
        if not name or name.startswith('#'):
            continue
        if base_url and not SCHEME.match(name):
            name = f'{base_url.rstrip("/")}/{name.lstrip("/")}'
        beside = storage.join(os.path.dirname(manifest), name)
        if not SCHEME.match(name) and not storage.expand(name):
            name = beside if storage.expand(beside) else name
        yield name


def _kind(name: str) -> str:
    try:
        return archives.kind_of(name)
    except OSError as error:
        raise UserError(f'{name}: cannot be read: {error.strerror}') from None


def source(kind: str, name: str, url: str = '') -> Source:
    """A source with all that a task has to know of it."""
    path = os.path.realpath(storage.local(name))
    return Source(kind, name, path, url, storage.size(name))


def shares(sources: list[Source], tasks: int) -> list[list[Source]]:
    """Sources for each task, so that all have about as much to read.

    >>> a, b, c = (Source('archive', n, n, '', size) for n, size in ('a3', 'b2', 'c2'))
    >>> [[s.name for s in share] for share in shares([a, b, c], 2)]
    [['a'], ['b', 'c']]
    """
    found: list[list[Source]] = [[] for _ in range(max(1, min(tasks, len(sources))))]
    sizes = [0] * len(found)
    for one in sorted(sources, key=lambda s: (-int(s.size), s.name)):
        least = sizes.index(min(sizes))
        found[least].append(one)
        sizes[least] += int(one.size) + 1
    return found
