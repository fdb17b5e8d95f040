"""How far the tasks of a run on this machine are.

Each task writes two numbers into a small file of its own; the driver adds them up.
Elsewhere (no folder is named in the environment) nothing is written.
"""

import contextlib
import os
import struct
import time
from pathlib import Path

FOLDER = 'MR_REUSE_PROGRESS'
DRIVER = 'MR_REUSE_DRIVER'
EVERY = 0.25  # seconds
NUMBERS = struct.Struct('<QQQ')


class Meter:
    """A task's own count of pages, of bytes of bodies, of bytes of archives."""

    def __init__(self) -> None:
        folder = os.environ.get(FOLDER)
        self._file = Path(folder, f'{os.getpid()}-{id(self)}') if folder else None
        self._pages = self._size = self._read = self._finished = 0
        self._next = 0.0

    def add(self, pages: int, size: int) -> None:
        """Some more was done."""
        self._pages += pages
        self._size += size

    def at(self, place: str) -> None:
        """The place in the archive that is being read."""
        now = time.monotonic()
        if self._file and now > self._next:
            self._next = now + EVERY
            self._read = self._finished + int(place.partition('+')[0])
            self._tell()

    def finish(self, size: int) -> None:
        """An archive is read."""
        self._finished += size
        self._read = self._finished
        self._tell()

    def _tell(self) -> None:
        """Write the numbers down; a task whose driver is gone ends here."""
        if not self._file:
            return
        driver = os.environ.get(DRIVER)
        if driver and os.path.isdir('/proc') and not os.path.exists(f'/proc/{driver}'):
            raise SystemExit('the driver is gone')
        self._file.write_bytes(NUMBERS.pack(self._pages, self._size, self._read))


def total(folder: str) -> tuple[int, int, int]:
    """Pages, bytes of bodies and bytes of archives of all tasks so far."""
    sums = (0, 0, 0)
    with contextlib.suppress(FileNotFoundError):
        for file in Path(folder).iterdir():
            data = file.read_bytes()
            if len(data) == NUMBERS.size:
                sums = tuple(map(sum, zip(sums, NUMBERS.unpack(data), strict=True)))
    return sums
