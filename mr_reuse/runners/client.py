"""The client of a cluster: a process that is given a job and tells of it."""

import contextlib
import subprocess
from collections.abc import Iterator


@contextlib.contextmanager
def started(args: list[str], **more) -> Iterator[subprocess.Popen]:
    """A client in a session of its own, ended with the block.

    Ctrl-C is for the chain, so that the client does not die before it.
    """
    with subprocess.Popen(
        args, stdin=subprocess.DEVNULL, start_new_session=True, **more
    ) as client:
        yield client
