"""Finds reused content in web crawls: what is copied, and where the copies are."""

import os
import signal
import sys

__version__ = '0.1.0'

starting = sys.argv[:1] == ['-m']  # `python -m mr_reuse.…` loads the command
if starting and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # Ctrl-C has nothing to clean up yet, and nothing to say.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
