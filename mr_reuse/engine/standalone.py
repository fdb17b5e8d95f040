"""Run a job by itself, without a run directory.

    python -m mr_reuse.chunks.jobs.count_duplicates -r hadoop PAGES -o COUNTS

The command line names the input and the output folder. Before the job starts, it checks
its input (`check_input`) and makes files for its tasks (`prepare`). At the end it
reports on its output (`report`). A chain calls none of these methods.
"""

import logging
import shutil
import sys
from collections.abc import Iterable
from typing import Any

from mrjob.conf import find_mrjob_conf
from mrjob.options import _parse_raw_args

from mr_reuse import storage
from mr_reuse.engine import clusters, conf, interrupts, launch
from mr_reuse.engine.chain import SMALL, Chain, Step
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.rundir import RunDir, check_name
from mr_reuse.errors import UsageError, UserError
from mr_reuse.storage import naming
from mr_reuse.storage.naming import is_remote

STDIN = '-'
SUFFIX = '_tmp'  # of the folder beside the output, with files for tasks on a cluster
# Options that are not passed on as they were typed.
READ_HERE = 'args runner output_dir conf_paths quiet verbose cat_output'.split()


class JobFolder(RunDir):
    """Temporary files of a job, in place of a run directory: no lock and no record."""

    def __enter__(self) -> 'JobFolder':
        self._use_temporary(is_elsewhere=True)
        return self

    def __exit__(self, *_: object) -> None:
        with interrupts.defer_interrupts():
            storage.set_scratch_folder(self._scratch)
            storage.remove(self._temporary)
            if is_remote(self.path):
                storage.remove(self.path)


class Standalone(Chain):
    """A chain of one job, whose output goes into a folder that the user named.

    `words` are options that the user gave to mrjob.
    """

    def __init__(self, run: RunDir, options: RunOptions, words: list[str]):
        super().__init__(run, options)
        self._words = words

    def run_job(self, step: Step, output: str) -> None:
        """Run the job of a step. If it fails on this machine, remove its output."""
        try:
            with self.display.show_step(step.folder, None):
                self._run_job(step, output)
        except BaseException:
            if not self._runs_remotely:  # a cluster may still write there
                storage.remove(output)
            raise

    def _arguments(self, step: Step, runner: str, output: str) -> list[str]:
        return super()._arguments(step, runner, output) + self._words

    def _describe_failure(self, step: Step, cause: str, logs: str) -> UserError:
        return launch.describe_failure(step.folder, cause, logs, '')


def run(job: Any) -> int:
    """Run a job as its command line says, and return the exit code."""
    options = _read_options(job)
    check_output(options.runner, options.output)
    output = naming.absolute(options.output) if options.output else ''
    with interrupts.raise_interrupts(), JobFolder(output + SUFFIX) as folder:
        typed = job.options.args or [STDIN]
        inputs = find_inputs(_copy_stdin(folder) if n == STDIN else n for n in typed)
        for file in list_files(inputs):
            job.check_input(file)
        args = job.prepare(folder.temporary_name(''))
        step = Step(
            type(job).__name__,
            type(job),
            args,
            lambda: inputs,
            None,
            # A few bytes of a list may name many archives.
            small=-1 if job.hadoop_input_format() else SMALL,
        )
        words = _other_words(job, [*READ_HERE, *args])
        target = output or folder.temporary_name('result')
        Standalone(folder, options, words).run_job(step, target)
        parts = storage.list_part_names(target)
        if not output:
            _print_parts(parts)
        return job.report(parts)


def _read_options(job: Any) -> RunOptions:
    """Return the options of a run that the command line of a job has."""
    typed = job.options
    # Without -c and --no-conf, mrjob looks for a file in its usual places.
    names = [find_mrjob_conf()] if typed.conf_paths is None else typed.conf_paths
    if len(names) > 1:
        raise UsageError('-c: given twice; name one file, which may include others')
    name = names[0] if names else None
    if name:
        conf.check_config(name, job.runner)
    if typed.verbose:
        logging.getLogger('mrjob').addHandler(logging.StreamHandler())
        logging.getLogger('mrjob').setLevel(logging.INFO)
    return RunOptions(typed.output_dir or '', job.runner, name, typed.quiet)


def check_output(runner: str, output: str) -> None:
    """Refuse a folder for output that the runner cannot use, or that has content."""
    if runner in clusters.PLACES and not output:
        raise UsageError(f'-o: missing; name a folder below {clusters.PLACES[runner]}')
    clusters.check_output(runner, output)
    check_name(output)
    # Jobs would add their part files to those that are there.
    if output and storage.list_names(output):
        raise UserError(f'{output}: has content already; name another folder with -o')


def find_inputs(patterns: Iterable[str]) -> list[str]:
    """Find the files and folders that names stand for, which may be globs."""
    names = []
    for pattern in patterns:
        entries = storage.find(pattern)
        if not entries:
            raise UserError(f'{pattern}: no such file or folder')
        names += [entry.name for entry in entries]
    return names


def list_files(names: list[str]) -> list[str]:
    """List the files of inputs: files, and the part files in folders."""
    files = []
    for name in names:
        parts = storage.list_part_names(name) if storage.is_dir(name) else [name]
        if not parts:
            raise UserError(f'{name}: no part files in it; name the output of a job')
        files += parts
    return files


def _copy_stdin(folder: JobFolder) -> str:
    """Copy standard input to a file, and return its name."""
    if sys.stdin.isatty():
        raise UsageError('INPUT: missing; --help describes what this job reads')
    name = folder.temporary_name('stdin')
    with storage.write(name) as stream:
        shutil.copyfileobj(sys.stdin.buffer, stream)
    return name


def _other_words(job: Any, known: list[str]) -> list[str]:
    """Return the words of the command line of a job, without those of some options."""
    words = []
    for option, flag, values in _parse_raw_args(job.arg_parser, job._cl_args):
        if option not in known:
            words += [f'{flag}={values[0]}'] if len(values) == 1 else [flag, *values]
    return words


def _print_parts(parts: list[str]) -> None:
    for part in parts:
        with storage.open_read(part) as stream:
            shutil.copyfileobj(stream, sys.stdout.buffer)
    sys.stdout.buffer.flush()
