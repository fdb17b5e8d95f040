"""Runs jobs one after another; takes up what an unfinished run left."""

import argparse
import contextlib
import logging
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from mr_reuse import __version__, progress, records, storage
from mr_reuse.errors import INTERRUPTED, UserError
from mr_reuse.forking import TaskFailed
from mr_reuse.rundir import RunDir, digest_of
from mr_reuse.showing import Showing

SMALL = 64 << 20  # input up to this size is not worth the start of processes
TAIL = 1 << 20
AGAIN = 'type the same command again to go on from here'
CAUSE = re.compile(r'^(\w+(?:\.\w+)*): (.*)$')


class Step(NamedTuple):
    """One job of a chain."""

    folder: str
    job: type
    args: dict[str, Any]
    inputs: Callable[[], Sequence[str]]  # files or folders, made when needed
    made_of: Any  # what else decides its output: for the digest
    small: int = SMALL
    size: int | None = None  # bytes to read, if the inputs do not show it


class Done(NamedTuple):
    """A finished step: its output folder, what its tasks told, its identity."""

    output: str
    told: list[dict[str, Any]]
    digest: str

    @property
    def parts(self) -> list[str]:
        return storage.part_files(self.output)


def parts_of(folders: list[str]) -> Callable[[], list[str]]:
    """What finds the part files of folders, once they are there."""
    return lambda: [part for name in folders for part in storage.part_files(name)]


class Chain:
    """Steps in a run directory, with one runner."""

    def __init__(self, run: RunDir, given: argparse.Namespace):
        self.run, self._runner, self._conf = run, given.runner, given.conf
        self._showing = Showing(given.quiet, run.temporary('progress'))
        self.steps: dict[str, Any] = {}

    def step(self, step: Step) -> Done:
        """Run a step, or skip it if it is finished and nothing has changed."""
        args = {k: v for k, v in step.args.items() if k not in _NO_MATTER}
        digest = digest_of([__version__, step.folder, args, step.made_of])
        told = self.run.step(step.folder)
        if told and told['digest'] == digest and told['bytes'] == self._bytes(told):
            self._showing.say(f'{step.folder}: finished before')
        else:
            if told:
                self._showing.say(f'{step.folder}: options or inputs are new')
            told = self._attempt(step, digest)
        self.steps[step.folder] = {
            key: told[key] for key in ('output', 'seconds', 'bytes', 'counters')
        }
        return Done(self.run.join(told['output']), told['told'], told['output'])

    def _attempt(self, step: Step, digest: str) -> dict[str, Any]:
        began = time.monotonic()
        output = self.run.new_attempt(step.folder)
        whole = self.run.join(output)
        try:
            with self._showing.step(step.folder, step.size):
                counters = self._work(step, whole)
            told = {
                'digest': digest,
                'output': output,
                'told': [last_line(part) for part in storage.part_files(whole)],
                'counters': counters,
                'seconds': round(time.monotonic() - began, 3),
                'bytes': _size([whole]),
            }
            self.run.write_json(storage.join(step.folder, '_step.json'), told)
        except BaseException:
            storage.remove(self.run.join(step.folder))
            raise
        return told

    def _bytes(self, told: dict[str, Any]) -> int:
        return _size([self.run.join(told['output'])])

    def _args(self, step: Step, runner: str, output: str) -> list[str]:
        args = ['-r', runner, f'--output-dir={output}', '--no-cat-output']
        args += [f'--conf-path={self._conf}'] if self._conf else ['--no-conf']
        args += [f'--local-tmp-dir={self.run.temporary("mrjob")}']
        for name, value in step.args.items():
            values = value if isinstance(value, list) else [value]
            args += [f'--{name}={v}' for v in values if v is not None]
        return args

    def _work(self, step: Step, output: str) -> dict[str, Any]:
        """Run a job into a folder; its counters."""
        inputs = step.inputs()
        size = _size(inputs) if step.size is None else step.size
        small = self._runner == 'local' and size <= step.small
        args = self._args(step, 'inline' if small else self._runner, output)
        with _logged() as messages, _environment(self.run):
            try:
                with step.job([*args, *inputs]).make_runner() as job:
                    job.run()
                    return dict(kv for c in job.counters() for kv in c.items())
            except (UserError, KeyboardInterrupt):
                raise
            except Exception as error:
                raise _failure(step.folder, error, messages, self.run) from error


# What is in the files is in `made_of`; combining and joins change no result.
_NO_MATTER = {'stop', 'labels', 'bad', 'combine', 'join', 'maybe', 'rate', 'ask-bits'}


def last_line(part: str) -> dict[str, Any]:
    """What the task that wrote a part file told in its last line."""
    size = storage.size(part)
    reach = min(size, TAIL)
    while True:
        with storage.open_read(part, size - reach) as stream:
            lines = stream.read().splitlines()
        if len(lines) > 1 or reach == size:
            return records.told(lines[-1]) if lines else {}
        reach = min(size, reach * 8)


def _size(names: Sequence[str]) -> int:
    found = 0
    for name in names:
        parts = storage.part_files(name) if storage.is_dir(name) else [name]
        found += sum(map(storage.size, parts))
    return found


class _Messages(logging.Handler):
    """What mrjob would have printed."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


@contextlib.contextmanager
def _logged() -> Iterator[list[str]]:
    log, handler = logging.getLogger('mrjob'), _Messages()
    log.addHandler(handler)
    before, log.propagate = log.propagate, False
    try:
        yield handler.texts
    finally:
        log.removeHandler(handler)
        log.propagate = before


@contextlib.contextmanager
def _environment(run: RunDir) -> Iterator[None]:
    """What tasks inherit: the package, the progress folder, a quick start."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    paths = [package, *filter(None, [os.environ.get('PYTHONPATH')])]
    changed = {
        'PYTHONPATH': os.pathsep.join(paths),
        # Whole paths: a task works in a folder of its own.
        'TMPDIR': storage.absolute(run.temporary('')),
        progress.FOLDER: storage.absolute(run.temporary('progress')),
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


def _set(changed: dict[str, str | None]) -> None:
    for name, value in changed.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _failure(
    folder: str, error: Exception, messages: list[str], run: RunDir
) -> UserError:
    """One line for a failed step, from the traceback of the task that failed."""
    lines = [line for text in [*messages, str(error)] for line in text.splitlines()]
    causes = [found for line in lines if (found := CAUSE.match(line.strip()))]
    told = '' if isinstance(error, TaskFailed) else f'{type(error).__name__}: '
    cause = causes[-1].group(0) if causes else f'{told}{error}'
    if 'Errno 28' in cause or 'No space left' in ' '.join(lines) + str(error):
        cause = 'no space left on the device'
        hint = 'free some, then type the same command again'
    else:
        hint = AGAIN
    return UserError(f'{run.path}: step {folder} failed: {cause}; {hint}')


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """End in order on Ctrl-C and on a polite kill; forks of this process just end."""
    driver = os.getpid()

    def stop(number: int, frame: object) -> None:
        if os.getpid() != driver:
            os._exit(INTERRUPTED)
        for one in before:
            signal.signal(one, signal.SIG_IGN)  # once is enough
        raise KeyboardInterrupt(f'interrupted; {AGAIN}')

    known = {s: signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)}
    before = {s: what for s, what in known.items() if what != signal.SIG_IGN}
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
