"""Progress of the tasks of a step, through small files in a folder.

Each task on this machine writes three numbers into a file of its own, and the driver
adds them up. Tasks on other machines, where no environment variable names the folder,
write nothing. For those the driver writes the share that the cluster reports.
"""

import contextlib
import itertools
import math
import os
import struct
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

FOLDER = 'MR_REUSE_PROGRESS'  # environment variable with the name of the folder
WRITE_INTERVAL = 0.25  # seconds between two writes of a task
SHARE = 'share'  # file with the share that a cluster reported
# Stands for the bytes of all archives in a step whose tasks read none. Each task then
# reports its share of this number.
WHOLE = 10**15
METER_NUMBERS = itertools.count()  # a process may run several tasks, each with a file
RECORD = struct.Struct('<QQQ')  # pages, bytes of bodies, bytes of archives


class Meter:
    """The counts of a task: pages, bytes of bodies, bytes of archives."""

    def __init__(self, folder: str | None = None) -> None:
        folder = folder or os.environ.get(FOLDER)
        path = folder and Path(folder, f'{os.getpid()}-{next(METER_NUMBERS)}')
        self._file = path and open(path, 'wb', 0)  # noqa: SIM115 (as long as the task)
        self._pages = self._size = self._finished = 0
        # The time from which `add` should be called. Until then callers add up pages
        # themselves, so that a page costs no system call.
        self.due = 0.0 if path else math.inf

    def add(self, pages: int, size: int, read: int = 0) -> None:
        """Add pages and the size of their bodies, and write the file.

        `read` is the offset that reading has reached in the current archive.
        """
        self._pages += pages
        self._size += size
        if self._file:
            self.due = time.monotonic() + WRITE_INTERVAL
            record = RECORD.pack(self._pages, self._size, self._finished + read)
            # A single write of 24 bytes, so the driver never reads half of it.
            os.pwrite(self._file.fileno(), record, 0)

    def finish(self, size: int) -> None:
        """Add the size of an archive that was read completely."""
        self._finished += size
        self.add(0, 0)

    def close(self) -> None:
        """Close the file; its numbers still count."""
        if self._file:
            self._file.close()


def meter_lines(lines: Iterable[bytes], weight: float) -> Iterator[bytes]:
    """Yield the input lines of a task, and write its progress.

    A byte of input adds `weight` to the progress of the step; WHOLE is the end.
    """
    meter, size = Meter(), 0
    try:
        for line in lines:
            yield line
            size += len(line)
            if time.monotonic() > meter.due:
                meter.add(0, 0, int(size * weight))
        meter.add(0, 0, int(size * weight))
    finally:
        meter.close()


def write_share(folder: str, done: float) -> None:
    """Write the finished share of a step, as a cluster reported it.

    Errors are ignored: a full disk on this machine must not end a job on a cluster.
    """
    partial = Path(folder, f'{SHARE}.half')
    with contextlib.suppress(OSError):
        partial.write_text(str(done), encoding='ascii')
        partial.rename(Path(folder, SHARE))


def read_share(folder: str) -> float | None:
    """Read the finished share of a step; None if no cluster reported one."""
    with contextlib.suppress(FileNotFoundError):
        return float(Path(folder, SHARE).read_text(encoding='ascii'))
    return None


def sum_meters(folder: str) -> tuple[int, int, int]:
    """Add up pages, bytes of bodies and bytes of archives of all tasks so far."""
    sums = (0, 0, 0)
    with contextlib.suppress(FileNotFoundError):
        for file in Path(folder).iterdir():
            data = file.read_bytes()
            if len(data) == RECORD.size:  # else empty as yet, or the share
                sums = tuple(map(sum, zip(sums, RECORD.unpack(data), strict=True)))
    return sums
