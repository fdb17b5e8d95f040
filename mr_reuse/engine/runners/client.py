"""The client of a cluster: a process that is given a job and tells of it."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator

PATIENCE = 10.0  # seconds for an end in order


@contextlib.contextmanager
def started(args: list[str], **more) -> Iterator[subprocess.Popen]:
    """A client in a session of its own, ended with the block.

    Ctrl-C is for the chain, so that the client does not die before it.
    """
    with subprocess.Popen(
        args, stdin=subprocess.DEVNULL, start_new_session=True, **more
    ) as client:
        try:
            yield client
        finally:
            _end(client)


def _end(client: subprocess.Popen) -> None:
    """End a client, which ends its children; if it does not, end them with it."""
    client.terminate()
    try:
        client.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(client.pid, signal.SIGKILL)
