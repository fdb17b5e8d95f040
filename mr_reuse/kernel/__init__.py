"""The kernel (`kernel/`, in C), where it could be compiled.

Whoever uses it has the same in Python, which says what is to be done: both give the
same bytes.
"""

import os
from typing import Any

from mr_reuse import __version__

try:
    from mr_reuse import _kernel
except ImportError:
    _kernel = None

PURE = 'MR_REUSE_PURE'  # set, it leaves the kernel alone
VERSION = 3  # of the kernel that this program works with


def load():
    """The compiled module, None if there is none that fits, or it is not wanted."""
    return None if os.environ.get(PURE) or not fits(_kernel) else _kernel


def fits(module: Any) -> bool:
    """Whether a compiled module is of this version: one may be left of an older one.

    >>> fits(None)
    False
    """
    return getattr(module, 'VERSION', 0) == VERSION


def keep_freed() -> None:
    """Keep memory that was freed: the next batch of a task is just as large."""
    if found := load():
        found.keep_freed()


def version() -> str:
    """Which program this is, and whether it has its kernel."""
    found = load()
    what = f'kernel: {found.how()}' if found else f'kernel: none ({_why_not()})'
    return f'mr_reuse {__version__}, {what}'


def _why_not() -> str:
    if fits(_kernel):
        return f'{PURE} is set'
    if _kernel:
        return 'it was compiled for another version; install again'
    return 'it was not compiled; slower, with the same results'
