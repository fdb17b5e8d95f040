"""What all tests share."""

import signal
import tracemalloc

# A shell lets what it starts in the background ignore Ctrl-C, and `nohup` the end of a
# terminal. So would all that the tests start to interrupt it.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_make_parametrize_id(config, val, argname):
    """Bytes are named by their number: what is compressed now is other bytes later."""
    return f'{len(val)}_bytes' if isinstance(val, bytes) else None


def pytest_runtest_teardown():
    """Stop what a failed test has left on; it would count what later tests take."""
    tracemalloc.stop()
