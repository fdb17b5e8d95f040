"""Runs jobs one after another; takes up what an unfinished run left."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from mr_reuse import __version__, storage
from mr_reuse.engine import clusters, conf, launch
from mr_reuse.engine.display import Display
from mr_reuse.engine.record import StepRecord, Steps
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.rundir import RunDir, digest_of
from mr_reuse.errors import RESUME_HINT, UserError
from mr_reuse.shuffle import protocol
from mr_reuse.storage import naming, text_files
from mr_reuse.storage.naming import is_remote

SMALL = 64 << 20  # input up to this size is not worth the start of processes
TAIL = 1 << 20


class Step(NamedTuple):
    """One job of a chain."""

    folder: str
    job: type
    args: dict[str, Any]  # options that decide the output: part of the digest
    inputs: Callable[[], Sequence[str]]  # files or steps' outputs, made when needed
    depends_on: Any  # what else decides its output: for the digest
    small: int = SMALL
    size: int | None = None  # bytes to read, if the inputs do not show it
    # Options that cannot change the output: how it is computed, and names of files
    # whose content is in `depends_on`.
    unhashed: Mapping[str, Any] = MappingProxyType({})

    @property
    def options(self) -> list[str]:
        """All options, as the command line of the job has them."""
        return options({**self.args, **self.unhashed})


class Done(NamedTuple):
    """A finished step."""

    output: str  # its folder
    stats: list[dict[str, Any]]  # of each task
    digest: str  # changes whenever the output does

    @property
    def parts(self) -> list[str]:
        return storage.list_part_names(self.output)


class Chain:
    """Steps in a run directory, with one runner."""

    def __init__(self, run: RunDir, options: RunOptions):
        self.run, self._runner = run, options.runner
        self._confs = conf.config_paths(options.conf)
        self.display = Display(options.quiet, run.temporary_name('progress'))
        self._cluster = clusters.make_cluster(
            self._runner, run, self.display, self._confs
        )
        self._runs_remotely = bool(self._cluster and self._cluster.is_remote)
        self.steps: Steps = {}

    def run_step(self, step: Step) -> Done:
        """Run a step, or skip it if it is finished and nothing has changed."""
        digest = digest_of([__version__, step.folder, step.args, step.depends_on])
        told = self.run.read_step(step.folder)
        if told and told['digest'] == digest and told['bytes'] == self._bytes(told):
            self.display.report(f'{step.folder}: finished before')
        else:
            if told:
                self.display.report(f'{step.folder}: options or inputs are new')
            told = self._attempt(step, digest)
        self.steps[step.folder] = StepRecord(
            output=told['output'],
            seconds=told.get('seconds'),
            bytes=told['bytes'],
            counters=told.get('counters'),
            jobs=told.get('jobs'),
        )
        return Done(self.run.join(told['output']), told['told'], told['output'])

    def _attempt(self, step: Step, digest: str) -> dict[str, Any]:
        began = time.monotonic()
        output = self._resumed_output(step, digest)
        counters: dict[str, Any] = {}
        try:
            if not output:
                output = self.run.new_attempt(step.folder)
                self.run.record_attempt(step.folder, output, digest)
                storage.remove(self.display.folder)  # what the last step has told
                with self.display.show_step(step.folder, step.size):
                    counters = self._run_job(step, output)
            parts = storage.list_parts(self.run.join(output))
            told = {
                'digest': digest,
                'output': output,
                'told': storage.map_names(last_line, (part.name for part in parts)),
                'counters': counters,
                'seconds': round(time.monotonic() - began, 3),
                'bytes': sum(part.size for part in parts),
            }
            if self._cluster and self._cluster.jobs:
                told['jobs'] = self._cluster.jobs
            self.run.write_json(naming.join(step.folder, '_step.json'), told)
        except BaseException:
            self._abandon(step, output)
            raise
        return told

    def _resumed_output(self, step: Step, digest: str) -> str:
        """The output of a step that a cluster has finished without its driver."""
        begun = self.run.read_attempt(step.folder)
        if not (self._cluster and begun):
            return ''
        steps = len(step.job(step.options).steps())
        try:
            whole = self._cluster.resume(begun, digest, steps)
        except KeyboardInterrupt:
            self._abandon(step, begun['output'])
            raise
        except UserError as error:
            self.run.keep_temporary()
            raise UserError(
                f'{self.run.path}: step {step.folder} may run since before: {error}; '
                f'{RESUME_HINT}'
            ) from None
        return begun['output'] if whole else ''

    def _abandon(self, step: Step, output: str) -> None:
        """End what runs of a step, and remove what it made if nothing will use it."""
        if self._cluster and output and not self._cluster.abandon(output):
            self.run.keep_temporary()
            return
        # If this fails as well, the next start removes it, and tells of the same cause.
        with contextlib.suppress(UserError, OSError):
            storage.remove(self.run.join(step.folder))

    def _bytes(self, told: dict[str, Any]) -> int:
        return _size([self.run.join(told['output'])])

    def _args(self, step: Step, runner: str, output: str) -> list[str]:
        args = ['-r', runner, f'--output-dir={output}', '--no-cat-output']
        args += [f'--conf-path={name}' for name in self._confs]
        args += [f'--local-tmp-dir={self.run.temporary_name("mrjob")}']
        args += self._cluster.arguments(output) if self._cluster else []
        return args + step.options

    def _run_job(self, step: Step, output: str) -> dict[str, Any]:
        """Run a job into a folder; its counters."""
        inputs = step.inputs()
        size = _size(inputs) if step.size is None else step.size
        small = self._runner == 'local' and size <= step.small
        runner = 'inline' if small else self._runner
        args = self._args(step, runner, self._job_output(output))
        if not self._runs_remotely:
            inputs = [near for name in inputs for near in self._local_files(name)]
        with launch.collect_warnings() as messages, launch.task_environment(self.run):
            try:
                with step.job([*args, *inputs]).make_runner() as job:
                    if self._cluster:
                        self._cluster.prepare(job, size, output)
                    job.run()
                    self._move_output(output)
                    return launch.sum_counters(job.counters())
            except (UserError, KeyboardInterrupt):
                raise
            except Exception as error:
                launch.raise_hidden_interrupt(error)
                told = self._cluster.failure_lines() if self._cluster else []
                reasons = [*messages, *told]
                logs = self._cluster.logs if self._cluster else ''
                raise launch.describe_failure(
                    step.folder, error, reasons, self.run, logs
                ) from error

    def _local_files(self, name: str) -> Iterator[str]:
        """The files of an input, as a task on this machine opens them."""
        if self._cluster and not is_remote(name):
            yield name  # which may be a folder of more files than a command line holds
            return
        for part in storage.list_part_names(name) if storage.is_dir(name) else [name]:
            if is_remote(part):
                near = self.run.temporary_name(f'near-{digest_of(part)}')
                storage.get(part, near)
                yield near
            else:
                yield part

    def _job_output(self, output: str) -> str:
        """Where a job writes: on this machine, if it runs on this machine."""
        here = is_remote(self.run.path) and not self._runs_remotely
        return self.run.temporary_name('output') if here else self.run.join(output)

    def _move_output(self, output: str) -> None:
        """Bring what a job has written to where it belongs."""
        written = self._job_output(output)
        if written != self.run.join(output):
            storage.move(written, self.run.join(output))

    def write_task_files(self, lines: Sequence[bytes]) -> list[str]:
        """Files of lines for map tasks, a line each.

        A runner gives every file to a task, and a gzipped one to no second one; Hadoop
        makes a task of each line.
        """
        if self._runs_remotely:
            return [text_files.write_lines(self.run.temporary_name('tasks.txt'), lines)]
        folder = self.run.temporary_name('tasks')
        storage.make_dir(folder)
        names = [
            text_files.write_gzip(naming.join(folder, f'task-{n:05d}.gz'), [line])
            for n, line in enumerate(lines)
        ]
        return [folder] if self._cluster else names


def options(args: dict[str, Any]) -> list[str]:
    """The options of a job, as a command line has them."""
    named = ((k, v if isinstance(v, list) else [v]) for k, v in args.items())
    return [f'--{k}={one}' for k, values in named for one in values if one is not None]


def last_line(part: str) -> dict[str, Any]:
    """What the task that wrote a part file told in its last line."""
    size = storage.size(part)
    reach = min(size, TAIL)
    while True:
        with storage.open_read(part, size - reach) as stream:
            lines = stream.read().splitlines()
        if len(lines) > 1 or reach == size:
            return protocol.parse_stats(lines[-1]) if lines else {}
        reach = min(size, reach * 8)


def _size(names: Sequence[str]) -> int:
    found = 0
    for name in names:
        if storage.is_dir(name):
            found += sum(part.size for part in storage.list_parts(name))
        else:
            found += storage.size(name)
    return found
