"""Applications on YARN: those of a step that a driver has left, and how they end."""

import os
import re
import shutil
import subprocess
import time

from mr_reuse.cli import warn
from mr_reuse.errors import UserError
from mr_reuse.stores import hadoop_fs

ALIVE = 'NEW,NEW_SAVING,SUBMITTED,ACCEPTED,RUNNING'
ID = re.compile(r'^\s*(application_\d+_\d+)\b', re.MULTILINE)
PATIENCE = (
    120  # seconds for an answer; a client alone would try for a quarter of an hour
)
EVERY = 5.0  # seconds between two looks


def command() -> str:
    """The `yarn` that is beside `hadoop`."""
    beside = os.path.join(os.path.dirname(hadoop_fs.command()), 'yarn')
    return shutil.which(beside) or shutil.which('yarn') or beside


def check() -> None:
    """Refuse to begin what could not be found again, or ended."""
    if not shutil.which(command()):
        raise UserError(
            'yarn: no such command on this machine, beside hadoop or in PATH; it finds '
            'and ends what runs on the cluster'
        )


def running(tag: str) -> list[str] | None:
    """The applications with a tag that have not ended; None if nobody can tell."""
    found = _ask('-list', '-appTags', tag, '-appStates', ALIVE)
    return None if found is None else ID.findall(found)


def wait_for(tag: str) -> None:
    """Wait until no application with a tag runs."""
    while running(tag):
        time.sleep(EVERY)


def end(tag: str) -> None:
    """End all applications with a tag, or say which one may run on."""
    found = running(tag)
    if found is None:
        warn(
            'YARN does not answer; an application of this step may run on: '
            f'yarn application -list -appTags {tag}'
        )
    for one in found or []:
        if _ask('-kill', one) is None:
            warn(f'{one} may run on; end it with: yarn application -kill {one}')


def _ask(*args: str) -> str | None:
    """What `yarn application` prints, None if it fails."""
    try:
        done = subprocess.run(
            [command(), 'application', *args],
            check=False,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            timeout=PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors='replace') if done.returncode == 0 else None
