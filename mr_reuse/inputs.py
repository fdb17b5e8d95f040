"""From what the user typed to the archives and pages that are meant."""

import glob
import heapq
import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mr_reuse import archives, storage
from mr_reuse.archives import PACKED, Source
from mr_reuse.cli import warn
from mr_reuse.errors import UserError
from mr_reuse.records import SEPARATORS
from mr_reuse.storage import SCHEME
from mr_reuse.urls import clean

MARK = b'\xef\xbb\xbf'  # some editors put it in front of UTF-8
NOT_UTF8 = re.compile('[\udc80-\udcff]')  # bytes, as Python decodes them


class Typed(NamedTuple):
    """A name as the user gave it, and the list in which it stands, if in one."""

    name: str
    place: str = ''


def find(
    names: Iterable[str], base_url: str = '', run: str = ''
) -> tuple[list[Source], list[str]]:
    """The sources behind some names, each once, and those that were named again.

    What lies in the run directory is no input.
    """
    found: dict[str, Source] = {}
    names_: dict[str, str] = {}
    again = []
    run = run and storage.real(run)
    for one in _all(map(Typed, names), base_url, run):
        if one.path in found:
            again.append(one.name)
        elif run and one.path.startswith(storage.join(run, '')):
            raise UserError(f'{one.name}: this input lies in the folder for results')
        elif names_.setdefault(one.name, one.path) != one.path:
            raise UserError(f'{one.name}: two inputs have this name in tables')
        found.setdefault(one.path, one)
    return list(found.values()), again


def _all(names: Iterable[Typed], base_url: str, run: str) -> Iterator[Source]:
    for typed in names:
        expanded = storage.expand(typed.name)
        if not expanded:
            shown = typed.name if len(typed.name) < 500 else f'{typed.name[:500]}…'
            raise UserError(f'{typed.place}{shown}: no such file or folder')
        for name in expanded:
            if storage.is_dir(name):
                yield from _tree(name, run)
            else:
                yield from _file(typed._replace(name=name), base_url, run)


def _tree(folder: str, run: str) -> list[Source]:
    """In a directory, archives are archives and everything else is a page."""
    if run and storage.real(folder) == run:
        raise UserError(f'{folder}: the input is the folder for results')
    top = os.path.basename(os.path.abspath(folder))
    found: list[Source] = []
    for relative in storage.tree(folder, run):
        name = storage.join(folder, relative)
        if not storage.is_file(name):
            warn(f'{name}: not a file, left out')
        elif (kind := _kind(name)) == 'archive':
            found.append(source('archive', name))
        else:
            kind = PACKED if kind == PACKED else 'page'
            url = clean(os.fsencode(f'{top}/{relative}'))
            found.append(source(kind, name, url))
    if not found:
        raise UserError(f'{folder}: no files in this folder')
    odd = [one.name for one in found if one.kind != 'archive']
    if odd and len(odd) < len(found):
        more = f' and {len(odd) - 1:,} more' if odd[1:] else ''
        warn(f'{odd[0]}{more}: read as a page, though there are archives beside it')
    return found


def _file(typed: Typed, base_url: str, run: str) -> Iterator[Source]:
    """A file given by name: an archive, a page, or a list of names."""
    name = typed.name
    kind = _kind(name)
    if kind == 'archive':
        yield source('archive', name)
    elif kind in ('markup', PACKED):
        kind = PACKED if kind == PACKED else 'page'
        yield source(kind, name, clean(os.fsencode(os.path.basename(name))))
    elif kind == 'text' and not typed.place:
        listed = list(_listed(name, base_url))
        if not listed:
            raise UserError(f'{name}: this list names nothing')
        yield from _all(listed, '', run)
    else:
        what = {
            'text': 'this list is named in another list',
            'empty': 'this file is empty',
        }.get(kind, 'this file is no archive, no page and no list of names')
        raise UserError(f'{typed.place}{name}: {what}')


def _listed(manifest: str, base_url: str) -> Iterator[Typed]:
    """The names in a manifest: below the base URL, or as seen from here or from it."""
    for number, line in enumerate(archives.read_lines(manifest), 1):
        name = os.fsdecode(line.removeprefix(MARK).strip())
        if not name or name.startswith('#'):
            continue
        if base_url and not SCHEME.match(name):
            name = f'{base_url.rstrip("/")}/{name.lstrip("/")}'
        if not SCHEME.match(name) and not storage.expand(name):
            beside = storage.join(glob.escape(os.path.dirname(manifest)), name)
            name = beside if storage.expand(beside) else name
        yield Typed(name, f'{manifest}, line {number}: ')


def _kind(name: str) -> str:
    if storage.exists(name) and not storage.is_file(name):
        raise UserError(f'{name}: neither a file nor a folder')
    return archives.kind_of(name)


def source(kind: str, name: str, url: str = '') -> Source:
    """A source with all that a task has to know of it."""
    return Source(kind, in_line(name), storage.real(name), url, storage.size(name))


def in_line(name: str) -> str:
    """A name with what would break a line or is no UTF-8 percent-encoded.

    >>> in_line('a b\\n\\udcff.warc')
    'a b%0A%FF.warc'
    """
    return NOT_UTF8.sub(lambda c: f'%{ord(c[0]) & 255:02X}', name.translate(SEPARATORS))


def shares(sources: list[Source], tasks: int) -> list[list[Source]]:
    """Sources for each task, so that all have about as much to read.

    >>> a, b, c = (Source('archive', n, n, '', size) for n, size in ('a3', 'b2', 'c2'))
    >>> [[s.name for s in share] for share in shares([a, b, c], 2)]
    [['a'], ['b', 'c']]
    """
    found: list[list[Source]] = [[] for _ in range(max(1, min(tasks, len(sources))))]
    sizes = [(0, number) for number in range(len(found))]
    for one in sorted(sources, key=lambda s: (-int(s.size), s.name)):
        size, least = sizes[0]
        found[least].append(one)
        heapq.heapreplace(sizes, (size + int(one.size) + 1, least))
    return found
