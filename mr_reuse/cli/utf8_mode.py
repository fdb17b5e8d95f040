"""Python's UTF-8 mode for commands, in any locale. From 3.15 on Python has it always.

In a locale with another encoding, Python decodes the names on a command line by that.
Tables would have other bytes then, and some names could not be opened.
"""

import codecs
import contextlib
import locale
import os
import sys
from pathlib import Path
from typing import TextIO

PACKAGE = 'mr_reuse'
SCRIPT = 'mr-reuse'
LINE = Path('/proc/self/cmdline')


def restart_in_utf8() -> None:
    """Restart this process in UTF-8 mode, unless its names are UTF-8 already.

    Only a process that was started as a command is restarted, before it does anything.
    """
    if sys.getfilesystemencoding() == 'utf-8' or not _is_command():
        return
    with contextlib.suppress(OSError):  # a system without /proc
        # The bytes that were typed: Python may not be able to encode `sys.argv` again.
        line = LINE.read_bytes().split(b'\0')[1:-1]
        os.execv(sys.executable, [sys.executable, '-X', 'utf8', *line])


def _is_command() -> bool:
    spec = sys.modules['__main__'].__spec__
    module = spec.name if spec else ''
    script = os.path.basename(sys.argv[0])
    return module.partition('.')[0] == PACKAGE or script == SCRIPT


def set_encodings() -> None:
    """Set the encoding of output: that of a terminal by its locale, UTF-8 elsewhere."""
    for stream in (sys.stdout, sys.stderr):
        if sys.flags.utf8_mode and stream.isatty():
            _set_encoding(stream, locale.nl_langinfo(locale.CODESET))


def _set_encoding(stream: TextIO, charset: str) -> None:
    """Set the encoding of a terminal. One of ASCII, or of an unknown name, keeps UTF-8.

    UTF-8 on a terminal of another encoding could contain characters that it obeys.
    """
    with contextlib.suppress(LookupError):
        if codecs.lookup(charset).name not in ('utf-8', 'ascii'):
            stream.reconfigure(encoding=charset, errors='backslashreplace')
