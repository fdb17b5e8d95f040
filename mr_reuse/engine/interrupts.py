"""Interrupts by signals: defer them in a block, or end a run in order."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from mr_reuse.errors import INTERRUPTED, INTERRUPTS, RESUME_HINT

RETRY = signal.SIGALRM  # a timer raises an interrupt again that Python has dropped
RETRY_DELAY = 0.01  # seconds


@contextlib.contextmanager
def defer_interrupts() -> Iterator[Callable[[], None]]:
    """Defer interrupts to the end of the block.

    Yields a function that a forked child calls to restore its handlers. A signal mask
    for this thread would not be enough, since the system may deliver a signal to any
    other thread.
    """
    # Only the main thread may set handlers, and only it runs them.
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    received: list[int] = []
    handlers = {
        number: signal.signal(number, lambda number, _: received.append(number))
        for number in (*INTERRUPTS, RETRY)
    }

    def restore() -> None:
        for number, handler in handlers.items():
            # None: the handler was set by C code, so Python cannot set it again.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    try:
        yield restore
    finally:
        restore()
        for number in received[:1]:
            signal.raise_signal(number)


@contextlib.contextmanager
def raise_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt on an interrupt. Forks of this process just exit.

    Signals that are ignored, as SIGINT is under `nohup`, stay ignored.
    """
    driver, hook = os.getpid(), sys.unraisablehook
    received: list[int] = []

    def interrupt(number: int, frame: object) -> None:
        if os.getpid() != driver:
            os._exit(INTERRUPTED)
        if not received:  # a second Ctrl-C must not interrupt the cleanup
            received.append(number)
            raise KeyboardInterrupt(f'interrupted; {RESUME_HINT}')

    def retry(unraisable: Any) -> None:
        """Raise an interrupt again a moment later.

        Python drops an exception that is raised in a finalizer.
        """
        if unraisable.exc_type is not KeyboardInterrupt:
            hook(unraisable)
            return
        received.clear()
        signal.setitimer(signal.ITIMER_REAL, RETRY_DELAY)

    current = {number: signal.getsignal(number) for number in INTERRUPTS}
    handlers = {
        n: handler for n, handler in current.items() if handler != signal.SIG_IGN
    }
    handlers[RETRY] = signal.getsignal(RETRY)
    for number in handlers:
        signal.signal(number, interrupt)
    sys.unraisablehook = retry
    try:
        yield
    finally:
        sys.unraisablehook = hook
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in handlers.items():
            signal.signal(number, handler)
