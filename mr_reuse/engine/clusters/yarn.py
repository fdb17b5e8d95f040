"""Applications on YARN: those of a step that a driver has left, and how they end."""

import os
import re
import shutil
import subprocess
import time

from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.storage import Unreachable, hdfs_command

ALIVE = 'NEW,NEW_SAVING,SUBMITTED,ACCEPTED,RUNNING'
ID = re.compile(r'^\s*(application_\d+_\d+)\b', re.MULTILINE)
PATIENCE = 120  # seconds for an answer; a client alone would try for much longer
SILENCE = 900  # seconds without an answer that a wait survives: YARN may be restarted
EVERY = 5.0  # seconds between two looks


def command() -> str:
    """The `yarn` that is beside `hadoop`."""
    beside = os.path.join(os.path.dirname(hdfs_command.command()), 'yarn')
    return shutil.which(beside) or shutil.which('yarn') or beside


def check() -> None:
    """Refuse to begin what could not be found again, or ended."""
    if not shutil.which(command()):
        raise UserError(
            'yarn: no such command on this machine, beside hadoop or in PATH; it finds '
            'and ends what runs on the cluster'
        )


def running(tag: str) -> list[str]:
    """The applications with a tag that have not ended."""
    return ID.findall(_ask('-list', '-appTags', tag, '-appStates', ALIVE))


def wait_for(tag: str) -> None:
    """Wait until it is certain that no application with a tag runs."""
    heard = time.monotonic()
    while True:
        try:
            if not running(tag):
                return
            heard = time.monotonic()
        except Unreachable:
            if time.monotonic() - heard > SILENCE:
                raise
        time.sleep(EVERY)


def end(tag: str) -> bool:
    """End all applications with a tag, or say which one may run on.

    Whether it is certain that none does.
    """
    look = f'yarn application -list -appTags {tag}'
    try:
        for one in running(tag):
            look = f'yarn application -kill {one}'
            _ask('-kill', one)
    except Unreachable as error:
        warn(f'{error}; the application of this step may run on: {look}')
        return False
    return True


def _ask(*args: str) -> str:
    """What `yarn application` prints."""
    try:
        done = subprocess.run(
            [command(), 'application', *args],
            check=False,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        raise Unreachable(f'YARN does not answer within {PATIENCE} s') from None
    except OSError as error:
        raise Unreachable(f'YARN cannot be asked: {error}') from None
    if done.returncode:
        said = done.stderr.decode(errors='replace').strip().splitlines()
        why = said[-1][:200] if said else f'it ended with {done.returncode}'
        raise Unreachable(f'YARN does not answer: {why}')
    return done.stdout.decode(errors='replace')
