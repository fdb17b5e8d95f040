"""Archives by their names, in a sorted file that is not read as a whole.

A line has the name of an archive, its quoted path, and its size, which is empty if it
is unknown. A name has no tab and no line end. A lookup reads some twenty lines, so
neither the number of archives nor that of tasks takes memory.
"""

import functools
import hashlib
from collections.abc import (
    Callable,
    Collection,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    ValuesView,
)
from typing import IO, Any, NamedTuple

from mr_reuse import storage
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.shuffle import sorting
from mr_reuse.storage import mapped, naming

MAX_CACHED = 10_000  # names whose paths are kept, as records of an archive are adjacent
MAX_IN_MEMORY = 10_000  # archives; more are in a file


class Archive(NamedTuple):
    """An archive of a run."""

    name: str
    path: str
    size: int | None  # None if it is unknown


def format_archive(archive: Archive) -> bytes:
    r"""Format an archive as a line, without the line feed.

    >>> format_archive(Archive('a b', '/in/a\tb', None))
    b'a b\t/in/a%09b\t'
    """
    name, path, size = archive
    text = '' if size is None else str(size)
    return to_bytes(f'{name}\t{naming.quote_path(path)}\t{text}')


def parse_archive(line: bytes) -> Archive:
    r"""Parse a line.

    >>> parse_archive(b'a b\t/in/a%09b\t7')
    Archive(name='a b', path='/in/a\tb', size=7)
    """
    name, path, size = to_text(line).split('\t')
    return Archive(name, naming.unquote_path(path), int(size) if size else None)


def write(stream: IO[bytes], archives: Iterable[Archive]) -> None:
    """Write archives, whose names differ, in any order."""
    lines = sorting.sort_lines(map(format_archive, archives))
    stream.writelines(line + b'\n' for line in lines)


class MappedArchives:
    """The archives of a file.

    >>> archives = MappedArchives(memoryview(b'a\\t/x/a\\t7\\nb\\t/b\\t\\n'))
    >>> len(archives), archives.find('a'), archives.find('c')
    (2, Archive(name='a', path='/x/a', size=7), None)
    """

    def __init__(self, data: memoryview):
        self.data = data
        self._bytes = data.obj  # it has `find`
        self.find = functools.lru_cache(MAX_CACHED)(self._find)

    @functools.cached_property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        mapped.update_hash(hasher := hashlib.sha256(), self.data)
        return hasher.hexdigest()

    def save(self, name: str) -> str:
        """Write the file under a name, unless it is there; return its digest."""
        if not storage.exists(name) or mapped.file_digest(name) != self.digest:
            with storage.write(name) as stream:
                for start in range(0, len(self.data), mapped.BLOCK):
                    stream.write(self.data[start : start + mapped.BLOCK])
                    mapped.release(self.data)
        return self.digest

    @functools.cached_property
    def _count(self) -> int:
        return sum(1 for _ in self._lines())

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Archive]:
        return map(parse_archive, self._lines())

    def _lines(self) -> Iterator[bytes]:
        start = released = 0
        while start < len(self.data):
            end = self._bytes.find(b'\n', start)
            yield self._bytes[start:end]
            start = end + 1
            if start - released > mapped.BLOCK:
                mapped.release(self.data)
                released = start

    def _find(self, name: str) -> Archive | None:
        """Return the archive with a name; None if there is none."""
        key = to_bytes(f'{name}\t')
        low, high = 0, len(self.data)  # where the line begins, if there is one
        while low < high:
            middle = (low + high) // 2
            start = self._bytes.rfind(b'\n', low, middle) + 1 or low
            end = self._bytes.find(b'\n', middle)
            line = self._bytes[start:end]
            if line.startswith(key):
                return parse_archive(line)
            low, high = (end + 1, high) if line < key else (low, start)
        return None


class MappedColumn(Mapping[str, Any]):
    """The paths, or the known sizes, of the archives of a file, by their names."""

    def __init__(self, archives: MappedArchives, value_of: Callable[[Archive], Any]):
        self.archives, self._value_of = archives, value_of

    def __getitem__(self, name: str) -> Any:
        archive = self.archives.find(name)
        value = self._value_of(archive) if archive else None
        if value is None:
            raise KeyError(name)
        return value

    def __len__(self) -> int:
        return len(self.archives)

    def __iter__(self) -> Iterator[str]:
        return (archive.name for archive in self.archives)

    def pairs(self) -> Iterator[tuple[str, Any]]:
        """Yield all names with their values."""
        return ((a.name, self._value_of(a)) for a in self.archives)

    def items(self) -> ItemsView[str, Any]:
        return _Items(self)

    def values(self) -> ValuesView[Any]:
        return _Values(self)


class _Items(ItemsView):
    """The views of Mapping look each name up."""

    _mapping: MappedColumn

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return self._mapping.pairs()


class _Values(ValuesView):
    _mapping: MappedColumn

    def __iter__(self) -> Iterator[Any]:
        return (value for _, value in self._mapping.pairs())


class Archives(NamedTuple):
    """The paths of archives, and the sizes that are known, by their names."""

    paths: Mapping[str, str]
    sizes: Mapping[str, int]

    def entries(self) -> Iterator[Archive]:
        """Yield all archives."""
        return (Archive(n, p, self.sizes.get(n)) for n, p in self.paths.items())


def map_archives(data: memoryview) -> Archives:
    """Return the archives of a file that is mapped into memory."""
    archives = MappedArchives(data)
    return Archives(
        MappedColumn(archives, lambda archive: archive.path),
        MappedColumn(archives, lambda archive: archive.size),
    )


def read_paths(name: str | None) -> Mapping[str, str]:
    """Return the paths in a file for tasks; none without a file."""
    return map_archives(mapped.map_bytes(name)).paths if name else {}


def collect(archives: Iterable[Archive], count: int) -> Archives:
    """Collect archives, in dictionaries or in a scratch file if they are many.

    >>> collect([Archive('a', '/a', 7), Archive('b', '/b', None)], 2)
    Archives(paths={'a': '/a', 'b': '/b'}, sizes={'a': 7})
    """
    if count > MAX_IN_MEMORY:
        with storage.open_scratch() as stream:
            write(stream, archives)
            return map_archives(mapped.map_stream(stream))
    paths, sizes = {}, {}
    for name, path, size in archives:
        paths[name] = path
        if size is not None:
            sizes[name] = size
    return Archives(paths, sizes)


class PathSet:
    """A set of paths, for the operator `in`.

    >>> '/a' in PathSet(['/a']), '/b' in PathSet(['/a'])
    (True, False)
    """

    def __init__(self, paths: Collection[str]):
        archives = (Archive(naming.quote_path(path), path, None) for path in paths)
        self._names = collect(archives, len(paths)).paths

    def __contains__(self, path: str) -> bool:
        return naming.quote_path(path) in self._names
