"""Run the jobs of a command one after another, and resume an unfinished run."""

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from mr_reuse import __version__, storage
from mr_reuse.engine import clusters, launch, step_output
from mr_reuse.engine.display import Display
from mr_reuse.engine.part_files import read_all_stats, sum_sizes
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.run_steps import RunStep, declared_folder
from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.step_record import Attempt, FinishedStep, Steps, digest_of
from mr_reuse.errors import RESUME_HINT, UserError
from mr_reuse.storage import naming, text_files
from mr_reuse.storage.naming import is_remote

SMALL = 64 << 20  # bytes; for less input, starting processes takes longer than working


class Step(NamedTuple):
    """A step to run: a job with its inputs and options."""

    folder: str
    job: type
    args: dict[str, Any]  # options that decide the output; part of the digest
    # Returns files, or output folders of other steps. Called only if the step runs.
    inputs: Callable[[], Sequence[str]]
    # All else that decides the output, such as the digests of other steps. Part of the
    # digest of this step.
    depends_on: Any
    small: int = SMALL  # bytes of input up to which the step runs in the driver
    size: int | None = None  # bytes to read; None for the sizes of the inputs
    # Options that cannot change the output: the way it is computed, and names of files
    # whose content is in `depends_on`.
    unhashed: Mapping[str, Any] = MappingProxyType({})

    @property
    def options(self) -> list[str]:
        """All options, in the form of a command line."""
        return format_options({**self.args, **self.unhashed})

    def near(self, copy: Callable[[str], str]) -> 'Step':
        """Return the step with local names of files, as `copy` makes them."""
        names = {k: copy(v) for k, v in self.unhashed.items() if isinstance(v, str)}
        return self._replace(unhashed={**self.unhashed, **names})


class Done(NamedTuple):
    """A finished step."""

    output: str  # the folder of its output
    stats: list[dict[str, Any]]  # statistics of each task
    digest: str  # for `depends_on` of later steps: changes when this step runs again

    @property
    def parts(self) -> list[str]:
        """The names of its part files."""
        return storage.list_part_names(self.output)

    def sum_stats(self, key: str) -> Counter[str]:
        """Sum a part of the statistics of all tasks.

        >>> done = Done('', [{'pages': {'kept': 2}}, {}, {'pages': {'kept': 1}}], '')
        >>> done.sum_stats('pages')
        Counter({'kept': 3})
        """
        return sum((Counter(task.get(key, {})) for task in self.stats), Counter())


class Chain:
    """Runs steps in a run directory, with a runner.

    `declared` has the steps of the command, for the display.
    """

    def __init__(
        self, run: RunDir, options: RunOptions, declared: Sequence[RunStep] = ()
    ):
        self.run, self._runner = run, options.runner
        self._folders = [step.folder for step in declared]
        self._confs = options.confs
        self.display = Display(options.quiet, run.temporary_name('progress'))
        self._cluster = clusters.make_cluster(
            self._runner, run, self.display, self._confs
        )
        self._runs_remotely = bool(self._cluster and self._cluster.is_remote)
        self.steps: Steps = {}

    def run_step(self, step: Step, is_incomplete: bool = False) -> Done:
        """Run a step, or skip it if it is finished and nothing has changed.

        A step that is incomplete runs again even so: what it has written elsewhere is
        gone. Its output is the same, and keeps its name.
        """
        digest = digest_of([__version__, step.folder, step.args, step.depends_on])
        finished = self.run.read_step(step.folder)
        if change := finished and self._find_change(finished, digest):
            self.display.report(f'{step.folder}: runs again, since {change} changed')
        elif finished and not is_incomplete:
            self.display.report(f'{step.folder}: finished before')
        if change or not finished:
            finished = self._run_attempt(step, digest)
        elif is_incomplete:
            finished = self._run_attempt(step, digest, finished.output)
        self.steps[step.folder] = finished.to_step_record()
        # The output folder has a new name whenever the step runs, so its name serves
        # as the digest of the output.
        folder = finished.output
        return Done(self.run.join(folder), finished.stats, folder)

    def _title(self, step: Step) -> str:
        """Return the name of a step for the display, with its number if it has one."""
        declared = declared_folder(step.folder)
        if declared not in self._folders or len(self._folders) < 2:
            return step.folder
        number = self._folders.index(declared) + 1
        return f'step {number} of {len(self._folders)}, {step.folder}'

    def _find_change(self, finished: FinishedStep, digest: str) -> str:
        """Name what has changed since a step was finished; '' if nothing has."""
        if finished.digest != digest:
            return 'options or inputs have'
        is_same = step_output.is_unchanged(self.run.join(finished.output), finished)
        return '' if is_same else 'its output has'

    def _run_attempt(self, step: Step, digest: str, name: str = '') -> FinishedStep:
        """Run a step, or resume it on its cluster, and record that it has finished.

        `name` is that of the output, if it has to be the name of an older attempt.
        """
        began = time.monotonic()
        output = '' if name else self._resumed_output(step, digest)
        counters: dict[str, Any] = {}
        try:
            if not output:
                output = self.run.prepare_attempt(step.folder, name)
                attempt = Attempt(output=output, digest=digest)
                self.run.write_attempt(step.folder, attempt)
                storage.remove(self.display.folder)  # progress of the previous step
                with self.display.show_step(self._title(step), step.size):
                    counters = self._run_job(step, output)
            parts = storage.list_parts(self.run.join(output))
            names = (part.name for part in parts)
            finished = FinishedStep(
                digest=digest,
                output=output,
                stats=step.job.shorten_stats(read_all_stats(names)),
                counters=counters,
                seconds=round(time.monotonic() - began, 3),
                bytes=sum(part.size for part in parts),
                jobs=self._cluster.jobs or None if self._cluster else None,
                checksums=step_output.compute_checksums(self.run.join(output)),
            )
            self.run.write_step(step.folder, finished)
        except BaseException:
            self._abandon(step, output)
            raise
        return finished

    def _resumed_output(self, step: Step, digest: str) -> str:
        """Return the output of a step that a cluster finished without its driver.

        Wait for the step if it still runs. Return '' if the step has to run again.
        """
        attempt = self.run.read_attempt(step.folder)
        if not (self._cluster and attempt):
            return ''
        job_steps = len(step.job(step.options).steps())
        try:
            is_complete = self._cluster.resume(attempt, digest, job_steps)
        except KeyboardInterrupt:
            self._abandon(step, attempt.output)
            raise
        except UserError as error:
            self.run.keep_temporary()
            raise UserError(
                f'{self.run.path}: step {step.folder} of an earlier command may still '
                f'run: {error}; {RESUME_HINT}'
            ) from None
        return attempt.output if is_complete else ''

    def _abandon(self, step: Step, output: str) -> None:
        """End the jobs of a step. Remove its output unless the next driver can use it.

        The output of a step that may still run is kept.
        """
        if self._cluster and output and not self._cluster.abandon(output):
            self.run.keep_temporary()
            return
        # An error here would hide the one that ended the step. The next driver removes
        # the output, or reports why it cannot.
        with contextlib.suppress(UserError, OSError):
            storage.remove(self.run.join(step.folder))

    def _arguments(self, step: Step, runner: str, output: str) -> list[str]:
        """Return the command line of a job that writes into this folder."""
        args = ['-r', runner, f'--output-dir={output}', '--no-cat-output']
        args += [f'--conf-path={name}' for name in self._confs] or ['--no-conf']
        args += [f'--local-tmp-dir={self.run.temporary_name("mrjob")}']
        args += self._cluster.arguments(output) if self._cluster else []
        return args + step.options

    def _run_job(self, step: Step, output: str) -> dict[str, Any]:
        """Run the job of a step into an output folder. Return its counters."""
        inputs = step.inputs()
        size = sum_sizes(inputs) if step.size is None else step.size
        small = self._runner == 'local' and size <= step.small
        runner = 'inline' if small else self._runner
        if not self._runs_remotely:
            inputs = [file for name in inputs for file in self._local_files(name)]
            step = step.near(self._near_copy)
        args = self._arguments(step, runner, self._job_output(output))
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
                lines = self._cluster.failure_lines() if self._cluster else []
                reasons = [*messages, *lines]
                logs = self._cluster.logs if self._cluster else ''
                cause = launch.find_cause(error, reasons)
                raise self._describe_failure(step, cause, logs) from error

    def _describe_failure(self, step: Step, cause: str, logs: str) -> UserError:
        """Describe a failed job in one line. `logs` is a command, or empty."""
        place = f'{self.run.path}: step {step.folder}'
        return launch.describe_failure(place, cause, logs, RESUME_HINT)

    def _local_files(self, name: str) -> Iterator[str]:
        """Yield the files of an input, for tasks on this machine. Copy remote ones."""
        if self._cluster and not is_remote(name):
            # Spark lists a folder itself. Its files may be too many for a command line.
            yield name
            return
        names = storage.list_part_names(name) if storage.is_dir(name) else [name]
        yield from map(self._near_copy, names)

    def _near_copy(self, name: str) -> str:
        """Copy a remote file, and return the name of the copy; a local one stays."""
        if not is_remote(name):
            return name
        copy = self.run.temporary_name(f'near-{digest_of(name)}')
        storage.get(name, copy)
        return copy

    def _job_output(self, output: str) -> str:
        """Return the folder into which a job writes.

        A job on this machine cannot write into a remote run, so it writes into a
        temporary folder first.
        """
        is_moved = is_remote(self.run.path) and not self._runs_remotely
        return self.run.temporary_name('output') if is_moved else self.run.join(output)

    def _move_output(self, output: str) -> None:
        """Move the output of a job into the run, if the job wrote it elsewhere."""
        written = self._job_output(output)
        if written != self.run.join(output):
            storage.move(written, self.run.join(output))

    def write_task_files(self, lines: Iterable[bytes]) -> list[str]:
        """Write the input of map tasks, a line for each. Return files or folders.

        Hadoop makes a task of each line of a file. Other runners make a task of each
        file, and never divide a gzipped one.
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


def format_options(args: dict[str, Any]) -> list[str]:
    """Format the options of a job for a command line. Leave out those that are None.

    >>> format_options({'hash': 'sha1', 'filter': ['a', 'b'], 'limit': None})
    ['--hash=sha1', '--filter=a', '--filter=b']
    """
    lists = {k: v if isinstance(v, list) else [v] for k, v in args.items()}
    return [
        f'--{k}={v}' for k, values in lists.items() for v in values if v is not None
    ]
