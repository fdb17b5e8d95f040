"""From what the user typed to the archives and pages that are meant."""

import glob
import heapq
import itertools
import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.archives import reader
from mr_reuse.archives.sources import PACKED, Source
from mr_reuse.archives.urls import clean
from mr_reuse.engine.record import INPUTS, is_run
from mr_reuse.errors import UserError
from mr_reuse.messages import SEPARATORS, summarize_names, warn
from mr_reuse.storage import UNKNOWN, Entry, naming, text_files
from mr_reuse.storage.naming import SCHEME, is_remote, scheme_of

MARK = b'\xef\xbb\xbf'  # some editors put it in front of UTF-8
WEB = ('http', 'https')
MANY = 200  # names on the web: their archives are looked at by those who read them
GUESS = 1 << 30  # bytes of an archive of which nobody knows how large it is
AT_ONCE = 1000  # files of a folder
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
        elif run and one.path.startswith(naming.join(run, '')):
            raise UserError(
                f'{one.name}: this input lies in the folder for results; name another'
            )
        elif names_.setdefault(one.name, one.path) != one.path:
            raise UserError(
                f'{one.name}: two inputs would have this name in tables; rename one'
            )
        found.setdefault(one.path, one)
    return list(found.values()), again


def _all(names: Iterable[Typed], base_url: str, run: str) -> Iterator[Source]:
    names = list(names)
    for typed, found in zip(names, _looked_for(names), strict=True):
        if not found:
            raise UserError(_not_found(typed))
        for entry in found:
            if entry.is_dir:
                yield from _tree(entry.name, run)
            else:
                yield from _file(typed.place, entry, base_url, run)


def _not_found(typed: Typed) -> str:
    """What is told of a name that is nothing."""
    shown = typed.name if len(typed.name) < 500 else f'{typed.name[:500]}…'
    if typed.place:
        hint = 'a text file is read as a list of names'
        return f'{typed.place}{shown}: no such file or folder; {hint}'
    if glob.has_magic(typed.name):
        return f'{shown}: nothing has a name like this'
    return f'{shown}: no such file or folder'


def _looked_for(names: list[Typed]) -> list[list[Entry]]:
    """What there is of each name; of a long list on the web nothing is asked yet."""
    unasked = _unasked([one.name for one in names])

    def find(name: str) -> list[Entry]:
        return [Entry(name, False, UNKNOWN)] if name in unasked else storage.find(name)

    return storage.each(find, (one.name for one in names))


def _unasked(names: list[str]) -> set[str]:
    """The names of archives in a long list on the web."""
    far = sum(scheme_of(name) in WEB for name in names)
    archives = (name for name in names if name.lower().endswith(reader.NAMES))
    return set(archives) if far > MANY else set()


def look_again(sources: list[Source]) -> list[Source]:
    """Take the sizes and stamps of sources again; refuse files that are gone."""
    paths = [source.path for source in sources]
    unasked = _unasked(paths)

    def status(path: str) -> Entry | None:
        if path in unasked:
            return Entry(path, False, UNKNOWN)
        there = is_remote(path) or storage.is_file(path)
        return storage.status(path) if there else None

    entries = storage.each(status, paths)
    if gone := [p for p, entry in zip(paths, entries, strict=True) if not entry]:
        raise UserError(
            f'{summarize_names(gone)}: gone; put it back, or name the inputs again as '
            'before, if they are elsewhere now'
        )
    return [
        source._replace(size=_size(entry), stamp=entry.stamp)
        for source, entry in zip(sources, entries, strict=True)
    ]


def _tree(folder: str, run: str) -> list[Source]:
    """In a directory, archives are archives and everything else is a page."""
    if run and storage.real(folder) == run:
        raise UserError(f'{folder}: this input is the folder for results; name another')
    if is_run(folder):
        raise UserError(
            f'{folder}: a run, not a crawl; name the archives that it was made of '
            f'(see {INPUTS} there)'
        )
    top = naming.last_of(naming.absolute(folder))
    found: list[Source] = []
    for entry, kind in _kinds(storage.tree(folder, run)):
        if kind == 'archive':
            found.append(source('archive', entry))
        elif kind:
            relative = entry.name[len(folder.rstrip('/')) + 1 :]
            url = clean(os.fsencode(f'{top}/{relative}'))
            found.append(source(_page(kind), entry, url))
    if not found:
        raise UserError(f'{folder}: no files in this folder')
    odd = [one.name for one in found if one.kind != 'archive']
    if odd and len(odd) < len(found):
        more = f' and {len(odd) - 1:,} more' if odd[1:] else ''
        warn(
            f'{odd[0]}{more}: read as a page, though there are archives beside '
            'it; name the archives alone to leave it out'
        )
    return found


def _kinds(entries: Iterator[Entry]) -> Iterator[tuple[Entry, str]]:
    """Files with what they are; of what is none, '' and a warning."""
    while some := list(itertools.islice(entries, AT_ONCE)):
        files = [is_remote(one.name) or storage.is_file(one.name) for one in some]
        names = [one.name for one, is_file in zip(some, files, strict=True) if is_file]
        kinds = dict(zip(names, storage.each(kind_of, names), strict=True))
        for entry in some:
            if entry.name not in kinds:
                warn(f'{entry.name}: not a file, left out')
            yield entry, kinds.get(entry.name, '')


def _file(place: str, entry: Entry, base_url: str, run: str) -> Iterator[Source]:
    """A file given by name: an archive, a page, or a list of names."""
    name = entry.name
    kind = kind_of(name)
    if kind == 'archive':
        yield source('archive', entry)
    elif kind in ('markup', PACKED):
        yield source(_page(kind), entry, clean(os.fsencode(naming.last_of(name))))
    elif kind == 'text' and not place:
        listed = list(_listed(name, base_url))
        if not listed:
            raise UserError(f'{name}: this list names nothing')
        yield from _all(listed, '', run)
    else:
        what = {
            'text': 'this list is named in another list',
            'empty': 'this file is empty',
        }.get(kind, 'this file is no archive, no page and no list of names')
        raise UserError(f'{place}{name}: {what}')


def _listed(manifest: str, base_url: str) -> Iterator[Typed]:
    """The names in a manifest: below the base URL, or as seen from here or from it."""
    for number, line in enumerate(text_files.read_lines(manifest), 1):
        name = os.fsdecode(line.removeprefix(MARK).strip())
        if not name or name.startswith('#'):
            continue
        if base_url and not SCHEME.match(name):
            name = f'{base_url.rstrip("/")}/{name.lstrip("/")}'
        if not SCHEME.match(name) and not storage.find(name):
            beside = naming.join(glob.escape(os.path.dirname(manifest)), name)
            name = beside if is_remote(beside) or storage.find(beside) else name
        yield Typed(name, f'{manifest}, line {number}: ')


def kind_of(name: str) -> str:
    """Detect the kind of a file as `reader.kind_of` does; refuse pipes and devices."""
    if is_remote(name):
        # A name that promises an archive is believed in any case.
        promised = name.lower().endswith(reader.NAMES)
        return 'archive' if promised else reader.kind_of(name)
    if storage.exists(name) and not storage.is_file(name):
        raise UserError(f'{name}: neither a file nor a folder')
    return reader.kind_of(name)


def _page(kind: str) -> str:
    """The kind of a source that is a page itself."""
    return PACKED if kind == PACKED else 'page'


def source(kind: str, entry: Entry, url: str = '') -> Source:
    """A source with all that a task has to know of it."""
    name, path = in_line(entry.name), storage.real(entry.name)
    return Source(kind, name, path, url, _size(entry), entry.stamp)


def _size(entry: Entry) -> int:
    return GUESS if entry.size == UNKNOWN else entry.size


def in_line(name: str) -> str:
    """A name with what would break a line or is no UTF-8 percent-encoded.

    >>> in_line('a b\\n\\udcff.warc')
    'a b%0A%FF.warc'
    """
    return NOT_UTF8.sub(lambda c: f'%{ord(c[0]) & 255:02X}', name.translate(SEPARATORS))


def stamps(sources: list[Source]) -> list[str]:
    """What changes when the files do; unknown of the many of a long list on the web."""
    many = sum(scheme_of(one.path) in WEB for one in sources) > MANY
    if many:
        return ['' if is_remote(one.path) else one.stamp for one in sources]
    unknown = [one.path for one in sources if not one.stamp]
    found = dict(zip(unknown, storage.each(storage.stamp, unknown), strict=True))
    return [one.stamp or found[one.path] for one in sources]


def gone(paths: Iterable[str]) -> list[str]:
    """Paths of inputs that are not there any more; of many elsewhere nobody asks."""
    paths = sorted(paths)
    if sum(map(is_remote, paths)) > MANY:
        paths = [path for path in paths if not is_remote(path)]
    there = storage.each(storage.exists, paths)
    return [path for path, found in zip(paths, there, strict=True) if not found]


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
