"""What all commands share at their border: one line for an error, no traceback."""

import contextlib
import functools
import os
import shlex
import signal
import sys
from collections.abc import Callable

from mr_reuse.errors import DONE, FAILED, INTERRUPTED, UserError, told
from mr_reuse.visible import visible

LAYOUT = '\n\t'  # what may stand in a text on a terminal though it is not seen


def say(text: str = '') -> None:
    """Tell the person at the terminal; results go to standard output instead."""
    with contextlib.suppress(BrokenPipeError):  # nobody listens, but the work goes on
        sys.stderr.write(visible(f'{text}\n', kept='\n'))
        sys.stderr.flush()


def warn(text: str) -> None:
    """Tell what is odd, in one line."""
    say(visible(f'warning: {text}'))


def python() -> str:
    """How the person at the terminal calls this Python."""
    here = os.path.relpath(sys.executable)
    return 'python' if here.startswith('..') else here


def typed(command: str, *words: str) -> str:
    """A command line that may be copied as it is, whatever the words are.

    >>> typed('show', 'my run', 'a.org/$(x)/').partition(' -m ')[2]
    "mr_reuse.show 'my run' 'a.org/$(x)/'"
    """
    return shlex.join([python(), '-m', f'mr_reuse.{command}', *words])


def put(text: str) -> None:
    """Write results to standard output; it is no error if nobody reads them all.

    On a terminal nothing in them is a command to it, or hides; elsewhere they stay.
    """
    try:
        sys.stdout.write(visible(text, kept=LAYOUT) if sys.stdout.isatty() else text)
        sys.stdout.flush()
    except BrokenPipeError:
        nobody_reads()


def nobody_reads() -> None:
    """Keep Python from flushing into a closed pipe when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
