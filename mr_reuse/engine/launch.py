"""Help for the process that runs a job: variables, warnings, the cause of a failure."""

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
from mr_reuse.errors import UserError
from mr_reuse.storage import naming

NO_SPACE = 'no space left on the device'
CAUSE = re.compile(r'^(\w+(?:\.\w+)*): (.*)$')  # the last line of a traceback
# Exceptions of this program, whose text needs no name of a class before it.
OWN_ERRORS = ('UserError', 'UsageError', 'Unreachable', 'Busy')
# Counters of Hadoop that `run.json` keeps: the size of the shuffle, and its cost.
HADOOP_COUNTERS = (
    'Launched map tasks',
    'Launched reduce tasks',
    'Map output bytes',
    'Map output materialized bytes',
    'CPU time spent (ms)',
)


class _Messages(logging.Handler):
    """A log handler that collects warnings and errors."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


@contextlib.contextmanager
def collect_warnings() -> Iterator[list[str]]:
    """Collect warnings of mrjob instead of printing them, and yield the list.

    They are printed only if they show the cause of a failure.
    """
    log, handler = logging.getLogger('mrjob'), _Messages()
    log.addHandler(handler)
    propagated, log.propagate = log.propagate, False
    try:
        yield handler.texts
    finally:
        log.removeHandler(handler)
        log.propagate = propagated


@contextlib.contextmanager
def task_environment(run: RunDir) -> Iterator[None]:
    """Set the environment variables that tasks on this machine inherit."""
    variables = {
        'PYTHONPATH': python_path(),
        # Absolute paths, since a task works in a folder of its own.
        'TMPDIR': naming.absolute(run.temporary_name('')),
        progress.FOLDER: naming.absolute(run.temporary_name('progress')),
        'PYTHONUNBUFFERED': None,  # it would double the writes of a line
    }
    if sys.version_info < (3, 12):
        # mrjob imports distutils. The standard library has it before Python 3.12, and
        # without this variable a task spends 0.3 s on the copy in setuptools.
        variables['SETUPTOOLS_USE_DISTUTILS'] = 'stdlib'
    storage.make_dir(run.temporary_name('progress'))
    previous = {name: os.environ.get(name) for name in variables}
    _set_variables(variables)
    try:
        yield
    finally:
        _set_variables(previous)


def python_path() -> str:
    """Build the PYTHONPATH by which processes on this machine find the package."""
    package = str(Path(__file__).parents[2].absolute())
    paths = os.environ.get('PYTHONPATH', '').split(os.pathsep)
    return os.pathsep.join([package, *(p for p in paths if p not in ('', package))])


def _set_variables(variables: dict[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def raise_hidden_interrupt(error: BaseException) -> None:
    """Raise the interrupt again that an error hides. Do nothing if it hides none.

    After an interrupt, code that cleans up may fail, and its error replaces the
    KeyboardInterrupt. In argparse this happens.
    """
    cause = error.__context__
    while cause and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__context__
    if cause:
        raise cause from None


def find_cause(error: Exception, messages: list[str]) -> str:
    """Find the cause of a failed job, from the traceback of the task that failed.

    The cause is the last line of `messages` or `error` that looks like the end of a
    traceback.
    """
    lines = [line for text in [*messages, str(error)] for line in text.splitlines()]
    causes = [match for line in lines if (match := CAUSE.match(line.strip()))]
    prefix = '' if isinstance(error, TaskFailed) else f'{type(error).__name__}: '
    cause = f'{prefix}{error}'
    if isinstance(error, StepFailedException):  # its text is a long command line
        cause = 'the job gave no cause; -v shows its messages'
    if causes:
        name, text = causes[-1].groups()
        cause = text if name.endswith(OWN_ERRORS) else f'{name}: {text}'
    if 'Errno 28' in cause or 'No space left' in ' '.join(lines) + str(error):
        return NO_SPACE
    return cause


def describe_failure(place: str, cause: str, logs: str, hint: str) -> UserError:
    """Describe a failed job in one line.

    `logs` names the command that shows the complete log. `hint` says what to do next.

    >>> str(describe_failure('RUN: step 02-counts', 'no right', '', 'become root'))
    'RUN: step 02-counts failed: no right; become root'
    """
    if cause == NO_SPACE:
        hint = 'free some, then type the same command again'
    return UserError(f'{place} failed: {"; ".join(filter(None, [cause, logs, hint]))}')


def sum_counters(steps: list[dict[str, dict[str, int]]]) -> dict[str, dict[str, int]]:
    """Add up counters over all steps of a job.

    `run.json` keeps the counters of this program and HADOOP_COUNTERS; drop all others.

    >>> steps = [{'mr_reuse': {'pages': 1}}, {'mr_reuse': {'pages': 2}, 'x': {'y': 1}}]
    >>> sum_counters(steps)
    {'mr_reuse': {'pages': 3}}
    """
    totals: dict[str, dict[str, int]] = {}
    for step in steps:
        for group, counters in step.items():
            for name, number in counters.items():
                if group == 'mr_reuse' or name in HADOOP_COUNTERS:
                    sums = totals.setdefault(group, {})
                    sums[name] = sums.get(name, 0) + number
    return totals
