"""The client of a cluster: a process that submits a job and logs its progress."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator

END_TIMEOUT = 10.0  # seconds from SIGTERM to SIGKILL


@contextlib.contextmanager
def run_client(args: list[str], **options) -> Iterator[subprocess.Popen]:
    """Run a client during the block, and end it with the block.

    The client has a session of its own, so Ctrl-C reaches only the driver, which ends
    the job before the client.
    """
    with subprocess.Popen(
        args, stdin=subprocess.DEVNULL, start_new_session=True, **options
    ) as client:
        try:
            yield client
        finally:
            _end(client)


def _end(client: subprocess.Popen) -> None:
    """End a client. If it does not end in time, kill it with all of its children."""
    client.terminate()
    try:
        client.wait(END_TIMEOUT)
    except subprocess.TimeoutExpired:
        os.killpg(client.pid, signal.SIGKILL)  # its session is also its group
