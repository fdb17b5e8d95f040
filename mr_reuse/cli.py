"""What all commands share at their border: one line for an error, no traceback."""

import errno
import functools
import sys
from collections.abc import Callable

from mr_reuse.errors import DONE, FAILED, INTERRUPTED, UserError


def say(text: str = '') -> None:
    """Tell the person at the terminal; results go to standard output instead."""
    sys.stderr.write(f'{text}\n')


def command(main: Callable[..., int | None]) -> Callable[..., int]:
    """Turn a `main(args=None)` into a command that returns its exit code."""

    @functools.wraps(main)
    def run(args: list[str] | None = None) -> int:
        try:
            return main(args) or DONE
        except UserError as error:
            say(f'error: {error}')
            return error.exit_code
        except BrokenPipeError:
            sys.stdout = None  # nobody reads on; keep Python from flushing at exit
            return DONE
        except OSError as error:
            if error.errno not in TOLD:
                raise
            say(f'error: {TOLD[error.errno]}: {error.filename or error}')
            return FAILED
        except KeyboardInterrupt:
            say('interrupted')
            return INTERRUPTED

    return run


TOLD = {
    errno.ENOSPC: 'no space left on the device; free some or name another folder',
    errno.EDQUOT: 'disk quota exceeded; free some or name another folder',
    errno.EACCES: 'no right to read or write',
    errno.EROFS: 'cannot write: the file system is read-only',
}
