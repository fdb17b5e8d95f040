"""Interruptions that wait for a moment in which they do no harm.

Blocking them for this thread would not do: another thread may be the one to be told.
"""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator

# The last brings again what Python has dropped (`chain.interruptible`).
HELD = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)


@contextlib.contextmanager
def held() -> Iterator[Callable[[], None]]:
    """Hold interruptions back; gives what a fork calls to have its own again."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    came: list[int] = []
    before = {
        one: signal.signal(one, lambda number, _: came.append(number)) for one in HELD
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
