"""Sort lines in bounded memory."""

import heapq
from collections.abc import Iterable, Iterator

from mr_reuse import storage

IN_MEMORY = 64 << 20


def sort_lines(lines: Iterable[bytes], in_memory: int = IN_MEMORY) -> Iterator[bytes]:
    """Lines in the order of their bytes, however many; what is too much is spilled.

    >>> list(sort_lines([b'b', b'c', b'a'], in_memory=1))
    [b'a', b'b', b'c']
    """
    runs: list[Iterator[bytes]] = []
    held: list[bytes] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line) + 60
        if size > in_memory:
            runs.append(_run(sorted(held)))
            held, size = [], 0
    held.sort()
    return heapq.merge(*runs, held) if runs else iter(held)


def _run(lines: list[bytes]) -> Iterator[bytes]:
    file = storage.scratch()
    file.writelines(line + b'\n' for line in lines)
    file.seek(0)
    return (line[:-1] for line in file)
