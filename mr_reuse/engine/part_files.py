"""Part files: the sizes of the output of jobs, and the statistics of its tasks."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from mr_reuse import storage
from mr_reuse.shuffle import protocol

BATCH = 100  # files to read at a time
TAIL = 1 << 20  # bytes at the end of a part file, to find its last line in


def read_stats(part: str) -> dict[str, Any]:
    """Read the statistics of a task, which are the last line of its part file."""
    size = storage.size(part)
    tail = min(size, TAIL)
    while True:
        with storage.open_read(part, size - tail) as stream:
            lines = stream.read().splitlines()
        # A single line may be incomplete, unless the tail is the whole file.
        if len(lines) > 1 or tail == size:
            return protocol.parse_stats(lines[-1]) if lines else {}
        tail = min(size, tail * 8)


def read_all_stats(parts: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the statistics of tasks, of which few are in memory at a time."""
    rest = iter(parts)
    while names := list(islice(rest, BATCH)):
        yield from storage.map_names(read_stats, names)


def sum_sizes(names: Iterable[str]) -> int:
    """Add up the bytes of files, and of the part files in folders."""
    total = 0
    for name in names:
        if storage.is_dir(name):
            total += sum(part.size for part in storage.list_parts(name))
        else:
            total += storage.size(name)
    return total
