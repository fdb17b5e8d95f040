"""Divide keyed rows among reducers by ranges of their keys, so that tables are sorted.

    TABLE/PART  ROWS   keyed lines (`sorting.add_key`), packed as texts

The numbers of the partitions ascend in the order of the rows. The bounds between them
are quantiles of a sample. They decide how even the partitions are, and change no table.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from mr_reuse import storage
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.partitions import pack_texts, partition_key, unpack_texts
from mr_reuse.shuffle.protocol import LAST_KEY, Line, read_lines
from mr_reuse.storage import Entry

MAX_TEXTS = 32 << 20  # bytes of rows in the memory of a mapper
OVERHEAD = 60  # bytes that Python takes for a row besides its content, about
BLOCKS, BLOCK = 256, 64 << 10  # of a sample: number, and bytes of each
READ = 2  # blocks to read at once: lines that are longer than one are left out
MAX_BOUND = 200  # bytes; the beginning of a long line divides rows as well
MAX_PARTS = 4096  # of a table

Bounds = Mapping[str, Sequence[bytes]]  # keyed lines between partitions, by table


def choose_bounds(sample: Iterable[bytes], parts: int) -> list[bytes]:
    """Choose the bounds of up to so many partitions from a sample of keyed lines.

    >>> choose_bounds([b'd', b'a', b'c', b'b', b'b', b'b'], 3)
    [b'b', b'c']
    >>> choose_bounds([], 3), choose_bounds([b'a'], 1)
    ([], [])
    """
    ordered = sorted(line[:MAX_BOUND] for line in sample)
    count = min(parts, MAX_PARTS, len(ordered))
    chosen = (ordered[len(ordered) * n // count] for n in range(1, count))
    return sorted(set(chosen))


def find_part(bounds: Sequence[bytes], line: bytes) -> int:
    """Return the partition of a keyed line.

    >>> [find_part([b'b', b'd'], line) for line in (b'a', b'b', b'c', b'd\\0x')]
    [0, 1, 1, 2]
    """
    return bisect_right(bounds, line)


class RangeCollector:
    """A `Collector` of keyed rows of tables, by the ranges of their keys."""

    def __init__(self, bounds: Bounds):
        self._bounds = bounds
        self._texts: dict[tuple[str, int], list[bytes]] = {}
        self._size = 0

    def add(self, table: str, keyed: sorting.Keyed) -> Iterator[Line]:
        """Add a row of a table, after its sort key."""
        line = sorting.add_key(*keyed)
        part = find_part(self._bounds.get(table, ()), line)
        self._texts.setdefault((table, part), []).append(line)
        self._size += len(line) + OVERHEAD
        if self._size > MAX_TEXTS:
            yield from self.finish()

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the remaining rows."""
        for (table, part), texts in self._texts.items():
            for value in pack_texts(texts):
                yield partition_key(table, part), value
        self._texts, self._size = {}, 0


def sort_values(values: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the rows of a partition in order, without their keys."""
    lines = sorting.sort_lines(text for v in values for text in unpack_texts(v))
    return (sorting.split_key(line)[1] for line in lines)


class Sample:
    """Lines of part files, and the number of lines that all files have, about.

    The lines of large files are those of blocks at even distances, of small ones all.
    """

    def __init__(self, parts: Iterable[Entry], blocks: int = BLOCKS, block: int = 0):
        sizes, block = {entry.name: entry.size for entry in parts}, block or BLOCK
        offsets = place_blocks(sizes, blocks, block)
        texts = storage.map_names(lambda n: _read_blocks(n, offsets[n], block), offsets)
        lines = list(chain.from_iterable(texts))
        self.lines: list[Line] = [
            line for line in read_lines(lines) if line[0] != LAST_KEY
        ]
        total, read = sum(sizes.values()), sum(map(len, lines))
        self._share = max(1.0, total / max(1, read))  # of all lines, to those here

    def scale(self, count: int) -> int:
        """Return the number in all files of what the sample has so many of, about."""
        return round(count * self._share)


def place_blocks(
    sizes: Mapping[str, int], blocks: int, block: int
) -> dict[str, list[int]]:
    """Place the blocks of a sample in files: offsets by file, [] for a whole file.

    >>> place_blocks({'a': 300, 'b': 100, 'c': 0}, blocks=4, block=100)
    {'a': [], 'b': []}
    >>> place_blocks({'a': 300, 'b': 100}, blocks=2, block=100)
    {'a': [100], 'b': [0]}
    """
    total = sum(sizes.values())
    if total <= blocks * block:
        return {name: [] for name, size in sizes.items() if size}
    starts, begin = [total * (2 * n + 1) // (2 * blocks) for n in range(blocks)], 0
    placed: dict[str, list[int]] = {}
    for name, size in sizes.items():
        inside = [start - begin for start in starts if begin <= start < begin + size]
        if inside:
            placed[name] = inside
        begin += size
    return placed


def _read_blocks(name: str, offsets: Sequence[int], block: int) -> list[bytes]:
    """Read the whole lines in blocks of a file; without offsets, all lines."""
    if not offsets:
        with storage.open_read(name) as stream:
            return stream.readlines()
    lines: list[bytes] = []
    for offset in offsets:
        with storage.open_read(name, offset) as stream:
            found = stream.read(READ * block).split(b'\n')
        # The first line begins before the block, the last one may end behind it.
        lines += [line + b'\n' for line in found[1 if offset else 0 : -1]]
    return lines
