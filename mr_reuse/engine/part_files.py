"""Part files: the sizes of the output of jobs, and the statistics of its tasks."""

from collections.abc import Iterable
from typing import Any

from mr_reuse import storage
from mr_reuse.shuffle import protocol

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


def sum_sizes(names: Iterable[str]) -> int:
    """Add up the bytes of files, and of the part files in folders."""
    total = 0
    for name in names:
        if storage.is_dir(name):
            total += sum(part.size for part in storage.list_parts(name))
        else:
            total += storage.size(name)
    return total
