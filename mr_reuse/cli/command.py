"""Decorator of the `main` of commands: errors in one line, exit codes, no traceback."""

import functools
import os
import signal
import sys
from collections.abc import Callable

from mr_reuse import exit_silently
from mr_reuse.cli import utf8_mode
from mr_reuse.errors import (
    DONE,
    FAILED,
    INTERRUPTED,
    INTERRUPTS,
    UserError,
    describe_error,
)
from mr_reuse.messages import discard_stdout, make_visible, say


def command(main: Callable[..., int | None]) -> Callable[..., int]:
    """Turn a `main(args=None)` into a command that returns its exit code."""

    @functools.wraps(main)
    def run(args: list[str] | None = None) -> int:
        if args is None:
            utf8_mode.restart_in_utf8()
        try:
            _prepare()
            code = _run(main, args)
            if args is None:
                _release_interrupts()
        except KeyboardInterrupt as interrupt:
            if args is None:
                _release_interrupts()
            say(describe_interrupt(interrupt))
            code = INTERRUPTED
        return code

    return run


def describe_interrupt(interrupt: BaseException) -> str:
    """Return the message of an interrupt.

    If a codec was interrupted, Python raises another one, with a message of its own.

    >>> wrapped = KeyboardInterrupt('encoding failed')
    >>> wrapped.__cause__ = KeyboardInterrupt('interrupted; try again')
    >>> describe_interrupt(wrapped), describe_interrupt(KeyboardInterrupt())
    ('interrupted; try again', 'interrupted')
    """
    while isinstance(interrupt.__cause__, KeyboardInterrupt):
        interrupt = interrupt.__cause__
    return str(interrupt) or 'interrupted'


def _run(main: Callable[..., int | None], args: list[str] | None) -> int:
    """Run a `main`, print the message of an error, and return the exit code."""
    try:
        code = main(args) or DONE
        sys.stdout.flush()  # a full disk or closed pipe shows here, not at exit
        return code
    except BrokenPipeError:
        discard_stdout()
        return DONE
    except UserError as error:
        return _report(str(error), error.exit_code)
    except OSError as error:
        return _report(describe_error(error))


def _prepare() -> None:
    """Turn interrupts into KeyboardInterrupt, and open missing streams."""
    for number in INTERRUPTS:
        # A script's background jobs start with SIGINT ignored, and keep ignoring it.
        if signal.getsignal(number) in (signal.SIG_DFL, exit_silently):
            signal.signal(number, signal.default_int_handler)
    for name, mode in (('stdin', 'r'), ('stdout', 'w'), ('stderr', 'w')):
        if getattr(sys, name) is None:  # it was closed, as by `>&-`
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 (open until exit)
    utf8_mode.set_encodings()
    if hasattr(sys.stdout, 'reconfigure'):
        sys.stdout.reconfigure(errors='backslashreplace')  # names can be any bytes


def _release_interrupts() -> None:
    """Let interrupts end the process: nothing would catch a KeyboardInterrupt."""
    for number in INTERRUPTS:
        if signal.getsignal(number) == signal.default_int_handler:
            signal.signal(number, signal.SIG_DFL)


def _report(error: str, code: int = FAILED) -> int:
    say(make_visible(f'error: {error}'))
    return code
