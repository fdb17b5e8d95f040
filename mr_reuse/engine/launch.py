"""What surrounds a job of mrjob: its environment, its messages, why it has failed."""

import contextlib
import logging
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from mrjob.step import StepFailedException

from mr_reuse import storage
from mr_reuse.engine import progress
from mr_reuse.engine.forks import TaskFailed
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import AGAIN, UserError
from mr_reuse.storage import naming

CAUSE = re.compile(r'^(\w+(?:\.\w+)*): (.*)$')
# What is said for people already.
FOR_PEOPLE = ('UserError', 'UsageError', 'Unreachable')


class _Messages(logging.Handler):
    """What mrjob would have printed."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


@contextlib.contextmanager
def logged() -> Iterator[list[str]]:
    """Keep what mrjob would have printed, in case it says why a job failed."""
    log, handler = logging.getLogger('mrjob'), _Messages()
    log.addHandler(handler)
    before, log.propagate = log.propagate, False
    try:
        yield handler.texts
    finally:
        log.removeHandler(handler)
        log.propagate = before


@contextlib.contextmanager
def environment(run: RunDir) -> Iterator[None]:
    """What tasks inherit: the package, the progress folder, a quick start."""
    changed = {
        'PYTHONPATH': python_path(),
        # Whole paths: a task works in a folder of its own.
        'TMPDIR': naming.absolute(run.temporary('')),
        progress.FOLDER: naming.absolute(run.temporary('progress')),
        'PYTHONUNBUFFERED': None,  # two writes a line otherwise
    }
    if sys.version_info < (3, 12):
        # The standard library's distutils is there; setuptools' costs 0.3 s a task.
        changed['SETUPTOOLS_USE_DISTUTILS'] = 'stdlib'
    storage.make_dir(run.temporary('progress'))
    before = {name: os.environ.get(name) for name in changed}
    _set(changed)
    try:
        yield
    finally:
        _set(before)


def python_path() -> str:
    """Where a Python on this machine finds the package."""
    package = str(Path(__file__).parents[2].absolute())
    paths = os.environ.get('PYTHONPATH', '').split(os.pathsep)
    return os.pathsep.join([package, *(p for p in paths if p not in ('', package))])


def _set(changed: dict[str, str | None]) -> None:
    for name, value in changed.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def raise_interrupt(error: BaseException) -> None:
    """Raise the interrupt that an error has covered, if one has.

    Code that cleans up may stumble over what an interrupt has left half-done, as that
    of argparse does.

    """
    below = error.__context__
    while below and not isinstance(below, KeyboardInterrupt):
        below = below.__context__
    if below:
        raise below from None


def failure(
    folder: str, error: Exception, messages: list[str], run: RunDir, logs: str = ''
) -> UserError:
    """One line for a failed step, from the traceback of the task that failed."""
    lines = [line for text in [*messages, str(error)] for line in text.splitlines()]
    causes = [found for line in lines if (found := CAUSE.match(line.strip()))]
    told = '' if isinstance(error, TaskFailed) else f'{type(error).__name__}: '
    cause = f'{told}{error}'
    if isinstance(error, StepFailedException):  # which tells the whole command line
        cause = 'the job did not say why; -v shows what it says'
    if causes:
        name, text = causes[-1].groups()
        cause = text if name.endswith(FOR_PEOPLE) else f'{name}: {text}'
    if 'Errno 28' in cause or 'No space left' in ' '.join(lines) + str(error):
        cause = 'no space left on the device'
        hint = 'free some, then type the same command again'
    else:
        hint = AGAIN
    told = '; '.join(filter(None, [cause, logs, hint]))
    return UserError(f'{run.path}: step {folder} failed: {told}')


# Of what Hadoop counts, what tells how much went through the shuffle and at what cost.
COUNTED = (
    'Launched map tasks',
    'Launched reduce tasks',
    'Map output bytes',
    'Map output materialized bytes',
    'CPU time spent (ms)',
)


def counted(steps: list[dict[str, dict[str, int]]]) -> dict[str, dict[str, int]]:
    """The counters that are kept, of all steps of a job.

    >>> counted([{'mr_reuse': {'pages': 1}}, {'mr_reuse': {'pages': 2}, 'x': {'y': 1}}])
    {'mr_reuse': {'pages': 3}}
    """
    found: dict[str, dict[str, int]] = {}
    for step in steps:
        for group, counters in step.items():
            for name, number in counters.items():
                if group == 'mr_reuse' or name in COUNTED:
                    sums = found.setdefault(group, {})
                    sums[name] = sums.get(name, 0) + number
    return found
