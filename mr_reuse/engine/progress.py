"""How far the tasks of a run on this machine are.

Each task writes three numbers into a small file of its own; the driver adds them up.
Elsewhere (no folder is named in the environment) nothing is written.
"""

import contextlib
import itertools
import math
import os
import struct
import time
from pathlib import Path

FOLDER = 'MR_REUSE_PROGRESS'
EVERY = 0.25  # seconds
SHARE = 'share'
NUMBER = itertools.count()
NUMBERS = struct.Struct('<QQQ')


class Meter:
    """A task's own count of pages, of bytes of bodies, of bytes of archives."""

    def __init__(self, folder: str | None = None) -> None:
        folder = folder or os.environ.get(FOLDER)
        path = folder and Path(folder, f'{os.getpid()}-{next(NUMBER)}')
        self._file = path and open(path, 'wb', 0)  # noqa: SIM115 (as long as the task)
        self._pages = self._size = self._finished = 0
        self.due = 0.0 if path else math.inf  # when the next pages should be added

    def add(self, pages: int, size: int, read: int = 0) -> None:
        """Add pages, and write how many bytes of their archive are read by now."""
        self._pages += pages
        self._size += size
        if self._file:
            self.due = time.monotonic() + EVERY
            numbers = NUMBERS.pack(self._pages, self._size, self._finished + read)
            os.pwrite(self._file.fileno(), numbers, 0)

    def finish(self, size: int) -> None:
        """Add the bytes of an archive that is read."""
        self._finished += size
        self.add(0, 0)


def tell_share(folder: str, done: float) -> None:
    """Say how much of a step is done, if another one counts.

    A full disk here must not end the work of a cluster.
    """
    half = Path(folder, f'{SHARE}.half')
    with contextlib.suppress(OSError):
        half.write_text(str(done))
        half.rename(Path(folder, SHARE))


def share(folder: str) -> float | None:
    """How much of a step is done, if that was said."""
    with contextlib.suppress(FileNotFoundError):
        return float(Path(folder, SHARE).read_text())
    return None


def total(folder: str) -> tuple[int, int, int]:
    """Pages, bytes of bodies and bytes of archives of all tasks so far."""
    sums = (0, 0, 0)
    with contextlib.suppress(FileNotFoundError):
        for file in Path(folder).iterdir():
            data = file.read_bytes()
            if len(data) == NUMBERS.size:
                sums = tuple(map(sum, zip(sums, NUMBERS.unpack(data), strict=True)))
    return sums
