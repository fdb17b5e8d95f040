"""Locks: files that name a process, and whether that one still runs."""

import os
import socket
from pathlib import Path


def process() -> dict[str, object]:
    """This process, so that another one can tell whether it is still there."""
    pid = os.getpid()
    return {'host': socket.gethostname(), 'pid': pid, 'started': _started(pid)}


def is_remote(owner: dict[str, object]) -> bool:
    """Whether a process is on another host, so that one cannot tell if it runs."""
    return owner.get('host', socket.gethostname()) != socket.gethostname()


def is_alive(owner: dict[str, object]) -> bool:
    """Whether a process still runs, as far as it can be told from here."""
    if not owner or is_remote(owner):
        return bool(owner)
    try:
        os.kill(int(owner.get('pid', 0)), 0)
    except (ProcessLookupError, ValueError, TypeError, OverflowError):
        return False
    except PermissionError:
        pass
    # The number may be another's now, or that of one that has ended unnoticed.
    return owner.get('started') == _started(owner.get('pid'))


def _started(pid: object) -> str:
    try:
        fields = Path(f'/proc/{pid}/stat').read_bytes().rpartition(b')')[2].split()
    except OSError:
        return ''
    return '' if fields[0] in (b'Z', b'X') else fields[19].decode()
