"""Progress reports of tasks on Hadoop, which keep Hadoop from killing them.

Hadoop kills a task that is silent for a timeout, by default ten minutes. A task writes
no output while it reads an archive without pages. It therefore reports its offset in
the archive. A report follows data that was read, not the clock alone, so a task that
hangs stays silent and is killed.
"""

import os
import time
from collections.abc import Callable, Mapping

from mr_reuse.messages import make_visible

TIMEOUT = 'mapreduce_task_timeout'  # milliseconds; Hadoop sets it in the environment
# A late report must not end the task. With the default timeout, one is due each minute.
REPORTS_PER_TIMEOUT = 10
DEFAULT_INTERVAL = 60.0  # seconds, if the timeout is 0, which means none


def report_interval(settings: Mapping[str, str]) -> float | None:
    """Return the seconds between two reports; None outside Hadoop.

    >>> [report_interval({TIMEOUT: timeout}) for timeout in ('600000', '0')]
    [60.0, 60.0]
    >>> report_interval({})
    """
    if TIMEOUT not in settings:
        return None
    return int(settings[TIMEOUT]) / 1000 / REPORTS_PER_TIMEOUT or DEFAULT_INTERVAL


class Heartbeat:
    """Reports the progress of a task at most once in an interval."""

    def __init__(self) -> None:
        self._send: Callable[[str], None] | None = None  # None until `begin`

    def begin(self, send: Callable[[str], None], settings: Mapping[str, str]) -> None:
        """Report through a function from now on, if the settings are Hadoop's."""
        self._interval = report_interval(settings)
        self._send = send if self._interval else None
        self._next = time.monotonic() + (self._interval or 0)

    def report(self, archive: str, offset: int) -> None:
        """Report the offset up to which an archive was read, if a report is due.

        >>> heartbeat = Heartbeat()
        >>> heartbeat.begin(print, {TIMEOUT: '1'}); time.sleep(0.001)
        >>> heartbeat.report('a b.warc.gz', 5_000_000)
        a b.warc.gz: read to byte 5,000,000
        """
        if self._send and time.monotonic() >= self._next:
            self._next = time.monotonic() + self._interval
            self._send(f'{make_visible(archive)}: read to byte {offset:,}')


heartbeat = Heartbeat()


def begin(send: Callable[[str], None]) -> None:
    """Report the progress of this process, if it is a task on Hadoop."""
    heartbeat.begin(send, os.environ)
