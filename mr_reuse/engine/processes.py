"""Records of processes, such as the owner of a lock, and a test whether one runs."""

import os
import socket
from pathlib import Path


def describe_process() -> dict[str, object]:
    """Describe this process, so that others can check whether it still runs."""
    pid = os.getpid()
    return {'host': socket.gethostname(), 'pid': pid, 'started': _started(pid)}


def is_remote(process: dict[str, object]) -> bool:
    """Return whether a process is on another host, where it cannot be checked."""
    return process.get('host', socket.gethostname()) != socket.gethostname()


def is_alive(process: dict[str, object]) -> bool:
    """Return whether a process still runs. A process on another host counts as alive.

    An empty record, from a lock that was never written completely, is not alive.
    """
    if not process or is_remote(process):
        return bool(process)
    pid = process.get('pid')
    if type(pid) is not int or pid < 1:  # 0 and -1 stand for many processes
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # it runs, and belongs to another user
        pass
    # The system may have given the number to a new process, or the process is a zombie.
    return process.get('started') == _started(pid)


def _started(pid: object) -> str:
    """Return the start of a process in clock ticks since boot; '' if it has ended."""
    try:
        # The name of the program is in parentheses, and may itself contain `)`.
        fields = Path(f'/proc/{pid}/stat').read_bytes().rpartition(b')')[2].split()
    except OSError:
        return ''
    # After the name: state (Z: zombie, X: dead), and 19 fields later the start.
    return '' if fields[0] in (b'Z', b'X') else fields[19].decode()
