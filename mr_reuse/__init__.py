"""Finds reused content in web crawls: what is copied, and where the copies are."""

import os
import signal
import sys

__version__ = '0.1.0'

starting = sys.argv[:1] == ['-m']  # `python -m mr_reuse.…` loads the command
if starting or sys.argv and os.path.basename(sys.argv[0]) == 'mr-reuse':
    # numpy's own threads, for algebra that nobody does here, may be the ones to be told
    # of Ctrl-C, and then Python does not notice.
    os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
    # mrjob imports distutils. Where the standard library still has it, setuptools
    # stands in for it and takes 0.1 s to.
    if sys.version_info < (3, 12) and '_distutils_hack' in sys.modules:
        sys.modules['_distutils_hack'].remove_shim()
if starting and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # Ctrl-C has nothing to clean up yet, and nothing to say.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
