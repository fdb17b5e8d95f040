"""A limit on the processes of this machine that read from one web server at a time.

Each of them holds a lock on one of a few files. The system releases the lock when the
process ends, however it ends.
"""

import contextlib
import fcntl
import hashlib
import os
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from mr_reuse.errors import UserError

VARIABLE = 'MR_REUSE_READERS_PER_HOST'  # environment variable; 0 is no limit
READERS = 8
INTERVAL = 0.2  # seconds between two attempts to get a lock


class Slot:
    """The place of a process at a host."""

    def __init__(self) -> None:
        self.answers = 0  # that are open
        self.descriptor = -1  # of the locked file


_slots: defaultdict[tuple[int, str], Slot] = defaultdict(Slot)  # by process and host
# The same thread may close an answer, when it is collected, while it opens another.
_lock = threading.RLock()


def limit() -> int:
    """Return the number of processes that may read from a server; 0 is no limit."""
    text = os.environ.get(VARIABLE, '')
    if text and not text.isdecimal():
        raise UserError(f'{VARIABLE}: {text!r} is no number; set 0 for no limit')
    return int(text) if text else READERS


def take(host: str) -> None:
    """Take the slot of this process for a host, and wait until there is one.

    A process that has it already only counts one answer more. So it never waits for
    itself.
    """
    with _lock:
        slot = _slots[os.getpid(), host]
        slot.answers += 1
        if slot.answers == 1 and (number := limit()):
            slot.descriptor = _wait_for_lock(host, number)


def release(host: str) -> None:
    """Release what `take` took; the last of several calls frees the slot."""
    with _lock:
        slot = _slots[os.getpid(), host]
        slot.answers -= 1
        if not slot.answers and slot.descriptor >= 0:
            descriptor, slot.descriptor = slot.descriptor, -1
            # A fork that has inherited the descriptor must not keep the lock.
            fcntl.flock(descriptor, fcntl.LOCK_UN)
            os.close(descriptor)


@contextlib.contextmanager
def held(host: str) -> Iterator[None]:
    """Hold the slot of this process for a host."""
    take(host)
    try:
        yield
    finally:
        release(host)


def _wait_for_lock(host: str, slots: int) -> int:
    """Return the descriptor of a locked file; -1 if the system has none for us."""
    name = hashlib.blake2b(host.encode(), digest_size=8).hexdigest()
    while True:
        for number in range(slots):
            try:
                descriptor = _lock_file(f'{name}-{number}')
            except BlockingIOError:
                continue
            except OSError:  # no right to write, for example: read without a limit
                return -1
            return descriptor
        time.sleep(INTERVAL)


def _lock_file(name: str) -> int:
    """Lock a file and return its descriptor. Raise BlockingIOError if it is locked."""
    # Not the scratch folder of a run: other runs count as well.
    folder = Path(os.environ.get('TMPDIR') or '/tmp', f'mr_reuse-hosts-{os.getuid()}')
    folder.mkdir(mode=0o700, exist_ok=True)
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(folder / name, flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
