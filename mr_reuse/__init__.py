"""Find reused content in web crawls, and the places of its copies."""

import os
import signal
import sys

from mr_reuse.errors import INTERRUPTED, INTERRUPTS

__version__ = '0.1.0'


def exit_silently(number: int, frame: object) -> None:
    """Exit at once: the handler of interrupts until a command begins."""
    os._exit(INTERRUPTED)


def _prepare_command() -> None:
    """Prepare a process in which only a command of this package runs."""
    # numpy starts threads for linear algebra, which this program does not use. If the
    # system delivers Ctrl-C to one of them, Python does not notice it.
    os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
    # mrjob imports distutils. Where the standard library still has it, the replacement
    # by setuptools would only cost 0.1 s.
    if sys.version_info < (3, 12) and '_distutils_hack' in sys.modules:
        sys.modules['_distutils_hack'].remove_shim()
    # Until the command begins, an interrupt has nothing to clean up.
    for number in INTERRUPTS:
        if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
            signal.signal(number, exit_silently)


# `sys.argv` is ['-m'] while `python -m mr_reuse.…` searches for the module to run. A
# program that only imports the package is left as it is.
if sys.argv[:1] == ['-m'] or os.path.basename((sys.argv or [''])[0]) == 'mr-reuse':
    _prepare_command()
