"""The ways in which a command ends badly, told to people in one line.

Where, what was found, what to do: `RUN: holds 'x', which is not of a run; name another
folder, or give --force`.
"""

import errno
import os
import re

AGAIN = 'type the same command again to go on from here'
DONE, FAILED, USAGE, DAMAGED, INTERRUPTED = 0, 1, 2, 3, 130


class UserError(Exception):
    """Something that the user can mend: what was found, where, what to do."""

    exit_code = FAILED


class UsageError(UserError):
    """A command line that cannot be meant."""

    exit_code = USAGE


TOLD = {
    errno.ENOENT: 'no such file or folder',
    errno.EISDIR: 'a folder, not a file',
    errno.ENOTDIR: 'a file, not a folder',
    errno.ENOSPC: 'no space left on the device; free some or name another folder',
    errno.EDQUOT: 'disk quota exceeded; free some or name another folder',
    errno.EACCES: 'no right to read or write',
    errno.EROFS: 'cannot write: the file system is read-only; name another folder',
}
HALF = re.compile(r'\.[0-9a-f]{8}\.half$')  # what a file is called until it is whole


def told(error: OSError) -> str:
    """An error of the system, for people.

    >>> told(OSError(errno.ENOENT, os.strerror(errno.ENOENT), 'a/x.0a1b2c3d.half'))
    'a/x: no such file or folder'
    """
    why = error.strerror or ' '.join(str(error).split()) or type(error).__name__
    # What a store says of its own is more than the system knows.
    if error.errno and why == os.strerror(error.errno):
        why = TOLD.get(error.errno, why)
    if not isinstance(error.filename, str | bytes | os.PathLike):
        return why
    return f'{HALF.sub("", os.fsdecode(error.filename))}: {why}'
