"""Applications on YARN: find those of a step by their tag, wait for them, end them."""

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
TIMEOUT = 120  # seconds for an answer; the client itself would retry for much longer
SILENCE = 900  # seconds without an answer after which waiting ends: YARN may restart
POLL_INTERVAL = 5.0  # seconds between two requests


def find_command() -> str:
    """Return the path of the `yarn` command: beside `hadoop`, else in PATH."""
    beside = os.path.join(os.path.dirname(hdfs_command.find_command()), 'yarn')
    return shutil.which(beside) or shutil.which('yarn') or beside


def require_command() -> None:
    """Refuse to run without `yarn`, since jobs could be neither found nor ended."""
    if not shutil.which(find_command()):
        raise UserError(
            'yarn: no such command on this machine, beside hadoop or in PATH; install '
            'it, since it finds and ends the jobs of a run'
        )


def list_running(tag: str) -> list[str]:
    """Return the ids of the applications with a tag that have not ended."""
    return ID.findall(_run_yarn('-list', '-appTags', tag, '-appStates', ALIVE))


def wait_for(tag: str) -> None:
    """Wait until it is certain that no application with a tag runs.

    Raises Unreachable if YARN does not answer for 15 minutes.
    """
    answered = time.monotonic()
    while True:
        try:
            if not list_running(tag):
                return
            answered = time.monotonic()
        except Unreachable:
            if time.monotonic() - answered > SILENCE:
                raise
        time.sleep(POLL_INTERVAL)


def end_all(tag: str) -> bool:
    """End all applications with a tag. Return whether it is certain that none runs.

    If it is not, warn, with the command that lists or ends the application.
    """
    remedy = f'yarn application -list -appTags {tag}'
    try:
        for application in list_running(tag):
            remedy = f'yarn application -kill {application}'
            _run_yarn('-kill', application)
    except Unreachable as error:
        warn(f'{error}; the application of this step may still run; type: {remedy}')
        return False
    return True


def _run_yarn(*args: str) -> str:
    """Run `yarn application`, and return what it prints.

    Raises Unreachable if it fails, or does not end in time.
    """
    try:
        done = subprocess.run(
            [find_command(), 'application', *args],
            check=False,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C must not end it
            timeout=TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        raise Unreachable(f'YARN does not answer within {TIMEOUT} s') from None
    except OSError as error:
        raise Unreachable(f'YARN: the command cannot be started: {error}') from None
    if done.returncode:
        lines = done.stderr.decode(errors='replace').strip().splitlines()
        why = lines[-1][:200] if lines else f'exit code {done.returncode}'
        raise Unreachable(f'YARN does not answer: {why}')
    return done.stdout.decode(errors='replace')
