"""Turn a `main` into a command: one line for an error, an exit code, no traceback."""

import functools
import os
import signal
import sys
from collections.abc import Callable

from mr_reuse.errors import DONE, FAILED, INTERRUPTED, UserError, told
from mr_reuse.messages import nobody_reads, say, visible


def command(main: Callable[..., int | None]) -> Callable[..., int]:
    """Turn a `main(args=None)` into a command that returns its exit code."""

    @functools.wraps(main)
    def run(args: list[str] | None = None) -> int:
        _prepare()
        if hasattr(sys.stdout, 'reconfigure'):
            sys.stdout.reconfigure(errors='backslashreplace')  # names can be any bytes
        try:
            code = main(args) or DONE
            sys.stdout.flush()
            return code
        except BrokenPipeError:
            nobody_reads()
            return DONE
        except UserError as error:
            return _failed(str(error), error.exit_code)
        except OSError as error:
            return _failed(told(error))
        except KeyboardInterrupt as stopped:
            say(str(stopped) or 'interrupted')
            return INTERRUPTED

    return run


def _prepare() -> None:
    """Be interrupted in order, and have all three streams, be it to nowhere."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    for name, mode in (('stdin', 'r'), ('stdout', 'w'), ('stderr', 'w')):
        if getattr(sys, name) is None:  # it was closed
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 (to the end)


def _failed(why: str, code: int = FAILED) -> int:
    say(visible(f'error: {why}'))
    return code
