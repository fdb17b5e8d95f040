"""The sources of a run, in a scratch file: a crawl may have millions of them."""

import heapq
import itertools
import os
import struct
from collections.abc import Iterable, Iterator, Sequence

from mr_reuse import storage
from mr_reuse.archives.sources import Source
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import sorting

PLACE = struct.Struct('<QI')  # offset and bytes of a source in its file
SEPARATOR = '\0'  # not in names, paths and URLs
BATCH = 1000  # sources that are handled together


class SourceList(Sequence[Source]):
    """A list of sources, in two scratch files: the sources, and where each is.

    >>> sources = SourceList([Source('archive', n, f'/{n}', '', 7) for n in 'abc'])
    >>> sources[1] = sources[1]._replace(path='/x', size=9)
    >>> len(sources), sources.size, [source.path for source in sources]
    (3, 23, ['/a', '/x', '/c'])
    """

    def __init__(self, sources: Iterable[Source] = ()):
        self._file, self._places = storage.open_scratch(), storage.open_scratch()
        self._count = self._end = 0
        self.size = 0  # bytes of all sources
        for source in sources:
            self.append(source)

    def append(self, source: Source) -> None:
        """Add a source at the end."""
        self._places.write(self._write(source))
        self._count += 1

    def _write(self, source: Source) -> bytes:
        """Write a source at the end of its file; return its place there."""
        data = format_source(source)
        place = PLACE.pack(self._end, len(data))
        self._file.write(data)
        self._end += len(data)
        self.size += int(source.size)
        return place

    def __setitem__(self, index: int, source: Source) -> None:
        self.size -= int(self[index].size)
        os.pwrite(self._places.fileno(), self._write(source), index * PLACE.size)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(len(self)))]
        index = range(self._count)[index]
        self._file.flush()
        self._places.flush()
        # This does not move the position of a file, which forks share.
        place = os.pread(self._places.fileno(), PLACE.size, index * PLACE.size)
        start, length = PLACE.unpack(place)
        return parse_source(os.pread(self._file.fileno(), length, start))

    def __iter__(self) -> Iterator[Source]:
        return (self[index] for index in range(len(self)))

    def batches(self) -> Iterator[list[Source]]:
        """Yield all sources, many at a time."""
        return (self[start : start + BATCH] for start in range(0, len(self), BATCH))


def format_source(source: Source) -> bytes:
    """Format a source as bytes; the path is left out if it equals the name."""
    kind, name, path, url, size, stamp, rows = source
    path = '' if path == name else path
    fields = kind, name, path, url, str(size), stamp, rows
    return SEPARATOR.join(fields).encode('utf-8', 'surrogatepass')


def parse_source(data: bytes) -> Source:
    """Parse a source.

    >>> source = Source('page', 'a', '/a', 'http://a/', 7, '7 1', '0+7')
    >>> parse_source(format_source(source)) == source
    True
    """
    fields = data.decode('utf-8', 'surrogatepass').split(SEPARATOR)
    kind, name, path, url, size, stamp, rows = fields
    return Source(kind, name, path or name, url, int(size), stamp, rows)


def sort_by(sources: Sequence[Source], key) -> Iterator[int]:
    """Yield the numbers of sources in the order of a key, which is bytes without NUL.

    >>> names = [Source('archive', name, name) for name in 'bca']
    >>> list(sort_by(names, lambda source: source.name.encode()))
    [2, 0, 1]
    """
    lines = (
        sorting.add_key(escape(key(source)), b'%d' % number)
        for number, source in enumerate(sources)
    )
    return (int(sorting.split_key(line)[1]) for line in sorting.sort_lines(lines))


def escape(key: bytes) -> bytes:
    r"""Replace line feeds in a key, without a change of the order.

    >>> sorted([b'a\nb', b'a\tb', b'a\1', b'a\vb'], key=escape)
    [b'a\x01', b'a\tb', b'a\nb', b'a\x0bb']
    """
    return key.replace(b'\v', b'\v\2').replace(b'\n', b'\v\1')


def divide_sources(sources: Sequence[Source], tasks: int) -> Iterator[Iterator[Source]]:
    """Divide sources among tasks, so that all tasks read about as many bytes.

    Yields the sources of each task, which have to be read before the next ones.

    >>> a, b, c = (Source('archive', n, n, '', size) for n, size in ('a3', 'b2', 'c2'))
    >>> [[s.name for s in share] for share in divide_sources([a, b, c], tasks=2)]
    [['a'], ['b', 'c']]
    """
    count = max(1, min(tasks, len(sources)))
    sizes = [(0, number) for number in range(count)]  # a heap, the smallest first

    def numbered() -> Iterator[bytes]:
        """Yield lines of shares and sources, by shares and the order in them."""
        order = sort_by(
            sources, lambda s: sorting.descending(int(s.size)) + to_bytes(s.name)
        )
        for place, number in enumerate(order):
            size, smallest = sizes[0]
            yield b'%010d %010d %d' % (smallest, place, number)
            # One more byte, so that empty files are divided as well.
            more = size + int(sources[number].size) + 1
            heapq.heapreplace(sizes, (more, smallest))

    pairs = (tuple(map(int, line.split())) for line in sorting.sort_lines(numbered()))
    for _, share in itertools.groupby(pairs, key=lambda pair: pair[0]):
        yield (sources[number] for _, _, number in share)
