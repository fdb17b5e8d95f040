"""Errors that end a command, exit codes, and one-line texts for system errors.

A message names the place, the cause and the remedy: `RUN: holds 'x', which is not part
of a run; name another folder, or give --force`.
"""

import errno
import os
import re
import signal

RESUME_HINT = 'type the same command again to resume'
DONE, FAILED, USAGE, DAMAGED, INTERRUPTED = 0, 1, 2, 3, 130
# Signals that interrupt a command: Ctrl-C, `kill`, the end of the terminal.
INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class UserError(Exception):
    """A problem that the user can solve. Its text has the place, cause and remedy."""

    exit_code = FAILED


class UsageError(UserError):
    """A command line that is not valid."""

    exit_code = USAGE


# Texts for the errors that users meet most often, with a remedy where there is one.
ERRNO_TEXTS = {
    errno.ENOENT: 'no such file or folder',
    errno.EISDIR: 'a folder, not a file',
    errno.ENOTDIR: 'a file, not a folder',
    errno.ENOSPC: 'no space left on the device; free some or name another folder',
    errno.EDQUOT: 'disk quota exceeded; free some or name another folder',
    errno.EACCES: 'no right to read or write',
    errno.EROFS: 'cannot write: the file system is read-only; name another folder',
}
# `storage` writes a file under its name with this suffix and renames it when complete.
PARTIAL_SUFFIX = re.compile(r'\.[0-9a-f]{8}\.half$')


def describe_error(error: OSError) -> str:
    """Describe an error of the operating system or a store in one line.

    The suffix of a partial file is removed, since users know only the final name.

    >>> text = os.strerror(errno.ENOENT)
    >>> describe_error(OSError(errno.ENOENT, text, 'a/x.0a1b2c3d.half'))
    'a/x: no such file or folder'
    """
    why = error.strerror or ' '.join(str(error).split()) or type(error).__name__
    # A store puts its own text in place of the standard one. It is more precise, so
    # only the standard text is replaced.
    if error.errno and why == os.strerror(error.errno):
        why = ERRNO_TEXTS.get(error.errno, why)
    if not isinstance(error.filename, str | bytes | os.PathLike):
        return why
    return f'{PARTIAL_SUFFIX.sub("", os.fsdecode(error.filename))}: {why}'
