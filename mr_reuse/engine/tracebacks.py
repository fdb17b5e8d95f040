"""Tracebacks of tasks on other machines, written where the driver can read them."""

import contextlib
import os
import traceback
import uuid
from collections.abc import Iterator

from mr_reuse import storage
from mr_reuse.storage import naming

# Environment variable with the name of the folder, which tasks and driver can reach.
FOLDER = 'MR_REUSE_TRACEBACKS'
MAX_LENGTH = 20_000  # characters of a traceback; its end names the error


@contextlib.contextmanager
def report_errors() -> Iterator[None]:
    """Write the traceback of an exception in the block to the folder, and raise it.

    Without the environment variable, only raise it.
    """
    try:
        yield
    except Exception:
        if folder := os.environ.get(FOLDER):
            text = traceback.format_exc()[-MAX_LENGTH:]
            # A failure to write it must not hide the exception itself.
            with contextlib.suppress(Exception):
                storage.create(naming.join(folder, uuid.uuid4().hex), text)
        raise


def read_tracebacks(folder: str) -> list[str]:
    """Read the tracebacks of all tasks, as far as they can be read.

    The step has failed already, so an error of the storage must not hide its cause.
    """
    texts = []
    with contextlib.suppress(Exception):
        for name in storage.list_names(folder):
            texts.append(storage.read_text(naming.join(folder, name)))
    return texts
