"""What Ctrl-C and a polite kill do, and how they wait where they would do harm."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from mr_reuse.errors import AGAIN, INTERRUPTED

POLITE = (signal.SIGINT, signal.SIGTERM)
AGAIN_SOON = signal.SIGALRM  # brings an interruption back that Python has dropped
MOMENT = 0.01  # seconds until then


@contextlib.contextmanager
def held() -> Iterator[Callable[[], None]]:
    """Hold interruptions back; gives what a fork calls to have its own again.

    Blocking them for this thread would not do: another may be the one to be told.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    came: list[int] = []
    before = {
        one: signal.signal(one, lambda number, _: came.append(number))
        for one in (*POLITE, AGAIN_SOON)
    }

    def restore() -> None:
        for one, handler in before.items():
            signal.signal(one, signal.SIG_DFL if handler is None else handler)

    try:
        yield restore
    finally:
        restore()
        for number in came[:1]:
            signal.raise_signal(number)


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """End in order on Ctrl-C and on a polite kill; forks of this process just end."""
    driver, hook = os.getpid(), sys.unraisablehook
    came: list[int] = []

    def stop(number: int, frame: object) -> None:
        if os.getpid() != driver:
            os._exit(INTERRUPTED)
        if not came:  # once is enough
            came.append(number)
            raise KeyboardInterrupt(f'interrupted; {AGAIN}')

    def dropped(told: Any) -> None:
        """Python drops what is raised in a finalizer: raise it a moment later."""
        if told.exc_type is not KeyboardInterrupt:
            hook(told)
            return
        came.clear()
        signal.setitimer(signal.ITIMER_REAL, MOMENT)

    known = {s: signal.getsignal(s) for s in POLITE}
    before = {s: what for s, what in known.items() if what != signal.SIG_IGN}
    before[AGAIN_SOON] = signal.getsignal(AGAIN_SOON)
    for number in before:
        signal.signal(number, stop)
    sys.unraisablehook = dropped
    try:
        yield
    finally:
        sys.unraisablehook = hook
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
