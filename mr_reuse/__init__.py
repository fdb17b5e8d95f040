"""Find reused content in web crawls, and the places of its copies."""

import os
import signal
import sys

__version__ = '0.1.0'

# `sys.argv` is ['-m'] while `python -m mr_reuse.…` searches for the module to run. A
# program that only imports the package is left as it is.
is_starting = sys.argv[:1] == ['-m']
if is_starting or sys.argv and os.path.basename(sys.argv[0]) == 'mr-reuse':
    # numpy starts threads for linear algebra, which this program does not use. If the
    # system delivers Ctrl-C to one of them, Python does not notice it.
    os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
    # mrjob imports distutils. Where the standard library still has it, the replacement
    # by setuptools would only cost 0.1 s.
    if sys.version_info < (3, 12) and '_distutils_hack' in sys.modules:
        sys.modules['_distutils_hack'].remove_shim()
if is_starting and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # Until the command begins, Ctrl-C has nothing to clean up: exit silently.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
