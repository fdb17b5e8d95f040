"""Scratch files, which are always on this machine."""

import os
import tempfile
from typing import IO

from mr_reuse.storage.naming import is_remote, path_of

BUFFER = 8 << 10  # bytes; a merge reads many files, and Python 3.14 has 128 KB for each


def set_scratch_folder(folder: str | None) -> str | None:
    """Set the folder for scratch files of this process; return the previous one."""
    previous = tempfile.tempdir
    tempfile.tempdir = folder and os.path.abspath(path_of(folder))
    return previous


def open_scratch(folder: str | None = None) -> IO[bytes]:
    """Open a scratch file. It has no name, so it vanishes even if the process dies."""
    place = None if folder and is_remote(folder) else folder
    return tempfile.TemporaryFile(buffering=BUFFER, dir=place)
