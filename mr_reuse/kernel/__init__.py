"""Loader of the kernel, the C code in this folder, where it could be compiled.

Each function of the kernel has a Python function beside its caller, which defines the
result. Both return the same bytes.
"""

import os
from typing import Any

from mr_reuse import __version__

try:
    from mr_reuse import _kernel
except ImportError:
    _kernel = None

PURE = 'MR_REUSE_PURE'  # environment variable: if it is set, the kernel is not used
VERSION = 13  # interface of the kernel, as in module.c; raise both together


def load():
    """Return the compiled module; None if it is missing, outdated or disabled."""
    # For each page: `get` takes several times as long for a variable that is not set.
    is_disabled = PURE in os.environ and os.environ[PURE]
    return None if is_disabled or not fits(_kernel) else _kernel


def fits(module: Any) -> bool:
    """Return whether a compiled module has the interface that this program expects.

    An older build may remain in a source tree after an update.

    >>> fits(None)
    False
    """
    return getattr(module, 'VERSION', 0) == VERSION


def keep_freed() -> None:
    """Keep freed memory for the next batch of a task, which has the same size."""
    if kernel := load():
        kernel.keep_freed()


def version() -> str:
    """Describe the version of the program, and the state of its kernel."""
    kernel = load()
    state = f'kernel: {kernel.how()}' if kernel else f'kernel: none ({_why_unused()})'
    return f'mr_reuse {__version__}, {state}'


def _why_unused() -> str:
    if fits(_kernel):
        return f'{PURE} is set'
    if _kernel:
        return 'it was compiled for another version; install again'
    return 'it was not compiled; slower, with the same results'
