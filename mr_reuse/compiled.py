"""The kernel (`kernel/`, in C), where it could be compiled.

Whoever uses it has the same in Python, which says what is to be done: both give the
same bytes.
"""

import os

from mr_reuse import __version__

try:
    from mr_reuse import _kernel  # type: ignore[attr-defined]
except ImportError:
    _kernel = None

PURE = 'MR_REUSE_PURE'  # set, it leaves the kernel alone


def kernel():
    """The compiled module, None if there is none or it is not wanted."""
    return None if os.environ.get(PURE) else _kernel


def version() -> str:
    """Which program this is, and whether it has its kernel."""
    found = kernel()
    what = f'kernel: {found.how()}' if found else f'kernel: none ({_why_not()})'
    return f'mr_reuse {__version__}, {what}'


def _why_not() -> str:
    if _kernel:
        return f'{PURE} is set'
    return 'it was not compiled; slower, with the same results'
