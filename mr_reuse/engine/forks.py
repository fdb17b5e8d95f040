"""Functions that run in forks of this process. No fork outlives the process.

No other thread may run when a process forks. A lock that a thread holds at that moment
would never be released in the fork.
"""

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from mr_reuse.engine import interrupts
from mr_reuse.errors import INTERRUPTED, RESUME_HINT

CONTEXT = multiprocessing.get_context('fork')
# Nobody writes into this pipe. Only the driver holds its write end, so a fork that
# reads from it wakes up when the driver ends, however it ends.
DRIVER_PIPE = os.pipe()
# Seconds in which `interrupts` raises an interrupt again that Python has dropped.
INTERRUPT_DELAY = 0.1

Process = multiprocessing.context.ForkProcess


class TaskFailed(Exception):
    """A failed task in a fork. The text is its traceback or its cause."""


def start_fork(
    func: Callable[..., None], *args: object, daemon: bool = False
) -> Process:
    """Start a function in a fork of this process, which does not wait for a daemon."""
    # Python's fork hooks would swallow an interrupt that arrives during the fork.
    with interrupts.defer_interrupts() as restore:
        args = (restore, func, *args)
        process = CONTEXT.Process(target=_in_fork, args=args, daemon=daemon)
        process.start()
    return process


def _in_fork(
    restore: Callable[[], None], func: Callable[..., None], *args: object
) -> None:
    restore()
    os.close(DRIVER_PIPE[1])  # else the forks would keep each other alive
    threading.Thread(target=_end_with_driver, daemon=True).start()
    func(*args)


def _end_with_driver() -> None:
    os.read(DRIVER_PIPE[0], 1)  # returns at the end of the driver
    os._exit(1)


def run_all(funcs: Iterable[Callable[[], None]], processes: int) -> None:
    """Run functions in forks, at most `processes` at a time.

    Raises TaskFailed when a function fails, and kills the other forks.
    """
    from multiprocessing.connection import wait  # noqa: PLC0415 (slow)

    running: dict[Any, Process] = {}  # by the connection that ends with the fork
    todo = iter(funcs)
    try:
        while True:
            while len(running) < processes and (func := next(todo, None)):
                receiver, sender = CONTEXT.Pipe(duplex=False)
                running[receiver] = start_fork(_run, func, sender)
                sender.close()  # so that the end of the fork is the end of the pipe
            if not running:
                return
            for receiver in wait(list(running)):
                _finish(receiver, running[receiver])
                del running[receiver]
    finally:
        for process in running.values():
            process.kill()
            process.join()


def _run(func: Callable[[], None], sender: Any) -> None:
    """Run a function and send its traceback to the driver, or '' if it succeeds."""
    try:
        func()
        sender.send('')
    except BaseException:
        sender.send(traceback.format_exc())


def _finish(receiver: Any, process: Process) -> None:
    """Wait for the end of a fork, and raise an exception if it failed."""
    try:
        failure = receiver.recv()
    except EOFError:  # the fork was killed before it could send anything
        failure = ''
    process.join()
    if process.exitcode == INTERRUPTED:
        # Ctrl-C reaches the driver as well, and is raised during this sleep.
        time.sleep(INTERRUPT_DELAY)
        raise KeyboardInterrupt(f'interrupted; {RESUME_HINT}')
    if process.exitcode == -signal.SIGKILL:
        raise TaskFailed('a task was killed, perhaps because memory ran out')
    if failure or process.exitcode:
        raise TaskFailed(failure or f'a task ended with exit code {process.exitcode}')
