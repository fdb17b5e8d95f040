"""What a task on Hadoop says of how far it is, so that it is not taken for dead.

Hadoop kills a task of which it has heard nothing for ten minutes, and an archive
without pages makes no output. So a task says how far it is, not by the clock but when
something has come: one that hangs stays silent, and is killed.
"""

import os
import time
from collections.abc import Callable, Mapping

from mr_reuse.messages import visible

TIMEOUT = 'mapreduce_task_timeout'  # Hadoop's tasks find their settings so
TIMES = 10  # that it is said before Hadoop has lost its patience: once a minute
EVERY = 60.0  # seconds, if that is endless


def every(settings: Mapping[str, str]) -> float | None:
    """The seconds between two reports; None where there is no Hadoop.

    >>> every({TIMEOUT: '600000'}), every({TIMEOUT: '0'}), every({})
    (60.0, 60.0, None)
    """
    if TIMEOUT not in settings:
        return None
    return int(settings[TIMEOUT]) / 1000 / TIMES or EVERY


class Status:
    """Says what moves, not too often; nothing before it is told how to."""

    def __init__(self) -> None:
        self._say: Callable[[str], None] | None = None

    def begin(self, say: Callable[[str], None], settings: Mapping[str, str]) -> None:
        """Be the status of a task, if this is Hadoop."""
        self._every = every(settings)
        self._say = say if self._every else None
        self._next = time.monotonic() + (self._every or 0)

    def at(self, archive: str, offset: int) -> None:
        """A task has come so far in an archive.

        >>> status = Status()
        >>> status.begin(print, {TIMEOUT: '1'}); time.sleep(0.001)
        >>> status.at('a b.warc.gz', 5_000_000)
        a b.warc.gz: read to byte 5,000,000
        """
        if self._say and time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every
            self._say(f'{visible(archive)}: read to byte {offset:,}')


status = Status()


def begin(say: Callable[[str], None]) -> None:
    """Let the status of this process be said, if it is a task on Hadoop."""
    status.begin(say, os.environ)
