"""Locks: files that name a process, and whether that one still runs."""

import contextlib
import os
import socket
import uuid
from pathlib import Path

from mr_reuse import storage


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


def _link_or_move(half: str, path: str) -> None:
    """Give a file a name that is not taken; without links there is a gap, if small."""
    try:
        os.link(half, path)
    except FileExistsError:
        raise
    except OSError:
        with open(path, 'x'):
            pass
        os.replace(half, path)


def create(name: str, text: str) -> bool:
    """Write a file in one piece unless there is one; whether it was written."""
    path = storage.local(name)
    half = f'{path}.{uuid.uuid4().hex[:8]}.half'
    try:
        Path(half).write_text(text, encoding='utf-8')
        _link_or_move(half, path)
    except FileExistsError:
        return False
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(half)
    return True
