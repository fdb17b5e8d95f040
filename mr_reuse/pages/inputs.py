"""Find the archives and pages behind the names that a user typed."""

import glob
import itertools
import os
import re
from collections.abc import Iterable, Iterator

from mr_reuse import storage
from mr_reuse.archives import slices
from mr_reuse.archives.sources import PACKED, PACKED_TEXT, Source, page_kind
from mr_reuse.archives.urls import percent_encode
from mr_reuse.engine.record import INPUTS
from mr_reuse.errors import UserError
from mr_reuse.messages import (
    ESCAPED_SEPARATORS,
    summarize_many,
    summarize_names,
    to_bytes,
    warn,
)
from mr_reuse.pages import input_status
from mr_reuse.pages.common_crawl import expand_crawl, is_list
from mr_reuse.pages.input_status import UNREADABLE, detect_kind
from mr_reuse.pages.name_lists import InputName, read_list
from mr_reuse.pages.slices.index_rows import is_index, read_index
from mr_reuse.pages.source_list import SourceList
from mr_reuse.shuffle.numbered_names import NumberedNames
from mr_reuse.storage import UNKNOWN, Entry, naming
from mr_reuse.storage.naming import is_remote

GUESSED_SIZE = 1 << 30  # bytes of an archive of unknown size
TEXTS = ('text', PACKED_TEXT)  # kinds of a list of names
BATCH = 1000  # names of a list, or files of a folder, that are looked up at a time
SURROGATES = re.compile('[\udc80-\udcff]')  # invalid UTF-8, as os.fsdecode has it


def find_sources(
    names: Iterable[str], base_url: str = '', run: str = '', limit: int | None = None
) -> tuple[SourceList, list[str]]:
    """Return the sources that names stand for, and the names of repeated sources.

    Each source is returned once, in the order of the names, the first `limit` of them.
    Files in the run directory `run` are refused.
    """
    sources = SourceList()
    paths = NumberedNames()  # with the numbers that the sources have
    # Only names with an escape can be those of several files.
    escaped = NumberedNames()
    repeated: dict[str, None] = {}  # names, in order
    run = run and storage.canonical_name(run)
    typed = (InputName(expand_crawl(name)) for name in names)
    for source in _sources_of(typed, base_url, run):
        name = source.name
        if (place := paths.number(os.fsencode(source.path))) < len(sources):
            previous = sources[place]
            if not (source.rows and previous.rows):
                repeated[name] = None
            sources[place] = join_sources(previous, source)
            continue
        if run and source.path.startswith(naming.join(run, '')):
            raise UserError(
                f'{name}: this input lies in the folder for results; give another -o'
            )
        known = len(escaped)
        if '%' in name and escaped.number(to_bytes(name)) < known:
            raise UserError(
                f'{name}: two inputs would have this name in tables; rename one'
            )
        sources.append(source)
        if len(sources) == limit:
            break
    return sources, list(repeated)


def join_sources(first: Source, second: Source) -> Source:
    """Join two sources of one file: rows of slices are added to each other.

    >>> all_, one, two = (Source('', 'a', '/a', rows=r) for r in ('', '0+5', '9+1'))
    >>> join_sources(one, two).rows, join_sources(one, all_).rows
    ('0+5 9+1', '')
    """
    if not (first.rows and second.rows):
        return second if first.rows else first
    rows = slices.join_rows(first.rows, second.rows)
    return first._replace(rows=rows, size=slices.size_of(rows))


def _sources_of(
    names: Iterable[InputName], base_url: str, run: str
) -> Iterator[Source]:
    """Yield the sources of all names, which may be repeated."""
    names, are_many = iter(names), False
    while batch := list(itertools.islice(names, BATCH)):  # lists may be endless
        texts = [name.name for name in batch]
        are_many = are_many or input_status.are_many_on_web(texts)
        found = input_status.find_entries(texts, are_many)
        for name in batch:  # all that were typed, even if a limit ends the reading
            if not (name.line or found[name.name]):
                raise UserError(_describe_missing(name))
        first: dict[str, Source] = {}  # of each name; once more if a name is repeated
        for name in batch:
            if name.name in first:
                yield first[name.name]
                continue
            entries = found[name.name]
            for source in _sources_of_name(name, entries, base_url, run):
                first.setdefault(name.name, source)
                yield source


def _sources_of_name(
    name: InputName, entries: list[Entry], base_url: str, run: str
) -> Iterator[Source]:
    """Yield the sources of the files and folders that a name stands for."""
    if not entries:
        raise UserError(_describe_missing(name))
    for entry in entries:
        if entry.is_dir:
            yield from _sources_in(entry.name, run)
        else:
            yield from _sources_of_file(name.line, entry, base_url, run)


def _describe_missing(missing: InputName) -> str:
    """Format the error of a name without a file or folder."""
    name = missing.name if len(missing.name) < 500 else f'{missing.name[:500]}…'
    if missing.line:
        hint = 'a text file is read as a list of names'
        return f'{missing.line}{name}: no such file or folder; {hint}'
    if is_list(name):
        return (
            f'{name}: Common Crawl has no such list; check the name of the crawl on '
            'https://commoncrawl.org/get-started'
        )
    if glob.has_magic(missing.name):
        return f'{name}: matches no file or folder; check the path'
    return f'{name}: no such file or folder'


def refresh_sources(sources: SourceList) -> SourceList:
    """Update the sizes and versions of sources. Refuse missing files.

    A missing archive of a slice is damage, as in a new run.
    """
    are_many = input_status.are_many_on_web(source.path for source in sources)
    refreshed, missing = SourceList(), []
    for batch in sources.batches():
        paths = [s.path for s in batch if not (s.rows and is_remote(s.path))]
        status = input_status.find_status(paths, are_many)
        entries = dict(zip(paths, status, strict=True))
        for source in batch:
            entry = entries.get(source.path)
            if not (source.rows or entry):
                missing.append(source.path)
                continue
            size = slices.size_of(source.rows) if source.rows else _size(entry)
            stamp = entry.stamp if entry else ''
            refreshed.append(source._replace(size=size, stamp=stamp))
    if missing:
        raise UserError(
            f'{summarize_names(missing)}: missing; put it back, or give INPUT again if '
            'it has moved'
        )
    return refreshed


def look_up_sizes(sources: SourceList) -> SourceList:
    """Look up the sizes and versions that are unknown, unless there are many.

    A long list is not looked up while it is read, but few of its names may be left.
    """
    unknown = (s.path for s in sources if _is_unknown(s))
    are_many = input_status.are_many_on_web(unknown)
    start = 0
    for batch in sources.batches():
        places = [n for n, source in enumerate(batch) if _is_unknown(source)]
        paths = [batch[n].path for n in places]
        status = input_status.find_status(paths, are_many)
        for n, entry in zip(places, status, strict=True):
            if entry:
                changed = batch[n]._replace(size=_size(entry), stamp=entry.stamp)
                sources[start + n] = changed
        start += len(batch)
    return sources


def known_size(source: Source) -> int | None:
    """Return the size of a file; None if it is unknown, or only rows of it are read.

    >>> known_size(Source('archive', 'a', '/a', size=7))
    7
    """
    return None if source.rows or source.size == GUESSED_SIZE else source.size


def _is_unknown(source: Source) -> bool:
    return not source.stamp and source.size == GUESSED_SIZE


def _sources_in(folder: str, run: str) -> Iterator[Source]:
    """Yield sources of the files in a folder: each is an archive or a page."""
    if run and storage.canonical_name(folder) == run:
        raise UserError(
            f'{folder}: this input is the folder for results; give another -o'
        )
    if input_status.is_a_run(folder):
        raise UserError(
            f'{folder}: a run, not a crawl; name its archives instead (see {INPUTS} in '
            'it)'
        )
    top = naming.last_component(naming.absolute(folder))
    count = pages = 0
    first_page = ''
    for entry, kind in _detect_kinds(input_status.walk_folder(folder, run)):
        if kind == 'archive' or entry.is_dir:  # a folder that cannot be listed
            count += 1
            yield make_source('archive', entry)
        elif kind:
            relative = entry.name[len(folder.rstrip('/')) + 1 :]
            url = percent_encode(os.fsencode(f'{top}/{relative}'))
            count += 1
            pages += 1
            yield (page := make_source(page_kind(kind), entry, url))
            first_page = first_page or page.name
    if not count:
        raise UserError(
            f'{folder}: no files in this folder; name one with archives or pages'
        )
    if 0 < pages < count:
        warn(
            f'{summarize_many(first_page, pages)}: not archives, but read as pages, '
            'since the folder is an input; to leave them out, name only the archives'
        )


def _detect_kinds(entries: Iterator[Entry]) -> Iterator[tuple[Entry, str]]:
    """Yield entries with their kinds; '' and a warning for one that is no file."""
    while batch := list(itertools.islice(entries, BATCH)):
        batch = input_status.list_all_archives(batch)
        names = [e.name for e in batch if is_remote(e.name) or storage.is_file(e.name)]
        kinds = dict(zip(names, storage.map_names(detect_kind, names), strict=True))
        for entry in batch:
            if entry.name not in kinds and not entry.is_dir:
                warn(f'{entry.name}: not a file, left out')
            yield entry, kinds.get(entry.name, '')


def _sources_of_file(
    line: str, entry: Entry, base_url: str, run: str
) -> Iterator[Source]:
    """Yield the sources of a named file: an archive, a page, or a list of names.

    `line` is the line of the list that names the file, or empty.
    """
    name = entry.name
    kind = detect_kind(name)
    if kind in ('archive', UNREADABLE):
        yield make_source('archive', entry)
    elif kind in ('markup', PACKED):
        url = percent_encode(os.fsencode(naming.last_component(name)))
        yield make_source(page_kind(kind), entry, url)
    elif not line and is_index(name, kind):
        for archive, rows in read_index(name, kind, base_url):
            yield make_source('archive', archive)._replace(rows=rows)
    elif kind in TEXTS and not line:
        names = read_list(name, base_url)
        if not (first := next(names, None)):
            raise UserError(f'{name}: this list names nothing')
        yield from _sources_of(itertools.chain([first], names), '', run)
    else:
        problem = 'this file is not an archive, a page or a list of names'
        if kind in TEXTS:
            problem = 'this list is named in another list'
        elif kind == 'empty':
            problem = 'this file is empty'
        raise UserError(f'{line}{name}: {problem}')


def make_source(kind: str, entry: Entry, url: str = '') -> Source:
    """Make the source of a file."""
    name, path = encode_name(entry.name), storage.canonical_name(entry.name)
    return Source(kind, name, path, url, _size(entry), entry.stamp)


def _size(entry: Entry) -> int:
    return GUESSED_SIZE if entry.size == UNKNOWN else entry.size


def encode_name(name: str) -> str:
    """Percent-encode the line ends, tabs and invalid UTF-8 of a name, for a table.

    >>> encode_name('a b\\n\\udcff.warc')
    'a b%0A%FF.warc'
    """
    return SURROGATES.sub(
        lambda c: f'%{ord(c[0]) & 255:02X}', name.translate(ESCAPED_SEPARATORS)
    )
