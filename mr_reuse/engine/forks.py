"""Work in forks of this process, none of which outlives it.

No thread runs here when a fork is made: what a thread holds at that moment would be
held in the fork for ever.
"""

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection, wait

from mr_reuse.engine import interrupts
from mr_reuse.errors import AGAIN, INTERRUPTED

FORKING = multiprocessing.get_context('fork')
DRIVER = os.pipe()  # its write end is open as long as the process that forks is there

SOON = 0.1  # seconds in which an interruption comes back that Python has dropped

Process = multiprocessing.context.ForkProcess


class TaskFailed(Exception):
    """A task in a fork failed; the text is its traceback."""


def start(func: Callable[..., None], *args: object) -> Process:
    """Run a function in a fork of this process."""
    # An interruption in the middle of a fork would be swallowed by Python's own hooks.
    with interrupts.held() as restore:
        process = FORKING.Process(target=_in_fork, args=(restore, func, *args))
        process.start()
    return process


def _in_fork(
    restore: Callable[[], None], func: Callable[..., None], *args: object
) -> None:
    restore()
    os.close(DRIVER[1])
    threading.Thread(target=_end_with_driver, daemon=True).start()
    func(*args)


def _end_with_driver() -> None:
    os.read(DRIVER[0], 1)
    os._exit(1)


def run_all(funcs: Iterable[Callable[[], None]], most: int) -> None:
    """Run functions in forks, at most so many at a time; if one fails, none goes on."""
    running: dict[Connection, Process] = {}
    todo = iter(funcs)
    try:
        while True:
            while len(running) < most and (func := next(todo, None)):
                ours, theirs = FORKING.Pipe(duplex=False)
                running[ours] = start(_tell, func, theirs)
                theirs.close()
            if not running:
                return
            for ours in wait(list(running)):
                _finish(ours, running[ours])
                del running[ours]
    finally:
        for process in running.values():
            process.kill()
            process.join()


def _tell(func: Callable[[], None], theirs: Connection) -> None:
    """Run a function, and send the driver the traceback if it fails."""
    try:
        func()
        theirs.send('')
    except BaseException:
        theirs.send(traceback.format_exc())


def _finish(ours: Connection, process: Process) -> None:
    try:
        told = ours.recv()
    except EOFError:
        told = ''
    process.join()
    if process.exitcode == INTERRUPTED:
        time.sleep(SOON)  # so are we, as a rule, unless Python has dropped it
        raise KeyboardInterrupt(f'interrupted; {AGAIN}')
    if process.exitcode == -signal.SIGKILL:
        raise TaskFailed('a task was killed, perhaps because memory ran out')
    if told or process.exitcode:
        raise TaskFailed(told or f'a task ended with exit code {process.exitcode}')
