"""Runs a command and measures what it and all its descendants took."""

import os
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

INTERVAL = 0.1
PAGE = os.sysconf('SC_PAGE_SIZE')
TICK = os.sysconf('SC_CLK_TCK')
# Set on some machines; they slow Python down by what no user would pay.
UNSET = ('PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE')


def apart(function: Callable, *args: object):
    """Call a function in a process of its own, so that this one stays small.

    The kernel counts the memory of the process that starts a command as the
    command's own: what it once had is the least that the command can show.
    """
    with get_context('spawn').Pool(1) as pool:
        return pool.apply(function, args)


@dataclass
class Usage:
    """What one run of a command took; memory in MB of 10^6 bytes."""

    wall: float = 0.0
    cpu: float = 0.0
    process_mb: float = 0.0
    tree_mb: float = 0.0
    failed: str = ''
    output: str = field(default='', repr=False)
    told: dict[str, Any] = field(default_factory=dict)  # by a run of ours


@dataclass(frozen=True)
class Process:
    """A line of /proc/PID/stat."""

    pid: int
    parent: int
    session: int
    cpu: float
    rss: int


def read_process(pid: str) -> Process | None:
    """Read one process; None if it has just gone."""
    try:
        with open(f'/proc/{pid}/stat', 'rb') as file:
            # the name, in brackets, may hold anything
            cells = file.read().rpartition(b')')[2].split()
    except OSError:
        return None
    return Process(
        int(pid),
        int(cells[1]),
        int(cells[3]),
        (int(cells[11]) + int(cells[12])) / TICK,
        int(cells[21]) * PAGE,
    )


def descendants(root: int) -> list[Process]:
    """Find the living processes that `root` started, itself included.

    Those of its session count too: a child whose parent has gone belongs to init.
    """
    found = (read_process(pid) for pid in os.listdir('/proc') if pid.isdigit())
    processes = [process for process in found if process]
    ours = {root} | {p.pid for p in processes if p.session == root}
    while more := {p.pid for p in processes if p.parent in ours} - ours:
        ours |= more
    return [process for process in processes if process.pid in ours]


def measure(command: list[str], folder: str, logs: str) -> Usage:
    """Run a command in `folder`; what it writes to its streams goes to `logs`."""
    usage, cpu = Usage(), {}
    environment = {k: v for k, v in os.environ.items() if k not in UNSET}
    with (
        open(os.path.join(logs, 'stderr'), 'w+b') as errors,
        open(os.path.join(logs, 'stdout'), 'w+b') as out,
    ):
        began = time.perf_counter()
        child = subprocess.Popen(
            command,
            env=environment,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            cwd=folder,
        )
        try:
            status, rusage = wait_and_sample(child.pid, usage, cpu)
        except BaseException:
            os.killpg(child.pid, signal.SIGTERM)  # it does not hear our Ctrl-C
            raise
        usage.wall = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        usage.output, said = tail(out), tail(errors)
    # Processes whose parent did not wait for them are in the samples only.
    usage.cpu = max(rusage.ru_utime + rusage.ru_stime, sum(cpu.values()))
    usage.process_mb = max(usage.process_mb, rusage.ru_maxrss * 1024 / 1e6)
    usage.tree_mb = max(usage.tree_mb, usage.process_mb)
    if child.returncode:
        reason = said.rpartition('\n')[2]  # below a traceback, if there is one
        usage.failed = f'{shlex.join(command[:4])} …: exit {child.returncode}: {reason}'
    return usage


def wait_and_sample(pid: int, usage: Usage, cpu: dict[int, float]):
    """Look at the processes every 100 ms until the first one has ended."""
    ended = select.poll()
    ended.register(handle := os.pidfd_open(pid), select.POLLIN)
    try:
        while not ended.poll(INTERVAL * 1000):
            sizes = []
            for process in descendants(pid):
                cpu[process.pid] = process.cpu
                sizes.append(process.rss / 1e6)
            usage.process_mb = max([usage.process_mb, *sizes])
            usage.tree_mb = max(usage.tree_mb, sum(sizes))
    finally:
        os.close(handle)
    return os.wait4(pid, 0)[1:]


def tail(file, size: int = 2000) -> str:
    """Read the end of what a command wrote."""
    length = file.seek(0, os.SEEK_END)
    file.seek(max(0, length - size))
    return file.read().decode(errors='replace').strip()
