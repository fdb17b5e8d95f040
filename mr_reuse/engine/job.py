"""The base class of all jobs: lines of bytes, and the runners of this package."""

import functools
import gc
import multiprocessing
import sys
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from mrjob.job import MRJob
from mrjob.options import SUPPRESS

from mr_reuse import kernel
from mr_reuse.archives import heartbeat
from mr_reuse.cli.command import command
from mr_reuse.engine import runners, tracebacks
from mr_reuse.errors import DONE
from mr_reuse.shuffle.protocol import Lines
from mr_reuse.tables.table_parts import PartWriter

DEFAULT_RUNNER = 'local'
# The options of mrjob in the help of a job.
SHOWN = 'help runner output_dir conf_paths quiet verbose'.split()
COLLECT_AFTER = 100_000  # new objects; they take a few MB
EPILOG = 'The other options are those of mrjob: --help -r RUNNER. See docs/jobs.md.'


def _collect_rarely() -> None:
    """Leave the objects of the driver to it, and search for unused cycles less often.

    A task makes many objects and nearly no cycles. By default, Python would look at all
    objects every few thousand pages. To look at those of the driver would also copy the
    memory that a fork shares with it. In the driver itself, nothing is frozen: what it
    no longer uses would stay in memory.
    """
    if multiprocessing.parent_process():
        gc.freeze()
    gc.set_threshold(COLLECT_AFTER)


@functools.cache
def _mrjob_options():
    """Return a parser with the options that mrjob gives every job."""
    parser = MRJob([]).arg_parser
    [runner] = [action for action in parser._actions if action.dest == 'runner']
    runner.choices = tuple(runners.CLASSES)
    runner.help = f'Where to run the job. Default: {DEFAULT_RUNNER}'
    return parser


def _begins_any(options: Iterable[str], others: Iterable[str]) -> bool:
    """Test whether one of some options is the beginning of another option.

    >>> _begins_any(['-l', '--label'], ['--labels']), _begins_any(['-l'], ['--labels'])
    (True, False)
    """
    others = list(others)
    return any(other.startswith(option) for option in options for other in others)


class LineJob(MRJob):
    """A job whose lines are a key and a value of bytes."""

    INPUT_PROTOCOL = Lines
    INTERNAL_PROTOCOL = Lines
    OUTPUT_PROTOCOL = Lines
    # The beginnings of the lines that the mappers use; without any, they get all lines.
    # A runner may pass on others as well.
    USED: tuple[bytes, ...] = ()

    @staticmethod
    def shorten_stats(tasks: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the statistics of tasks that the driver keeps."""
        return list(tasks)

    def configure_args(self):
        # mrjob would define its 130 options again for each job, and each task is one.
        # That took half of the time of a run on a few pages.
        options = _mrjob_options()
        usage = self.arg_parser.usage
        self.arg_parser = type(options)(usage=usage, add_help=False, parents=[options])

    @property
    def runner(self) -> str:
        """The name of the runner."""
        return self.options.runner or DEFAULT_RUNNER

    def _runner_class(self):
        return runners.runner_class(self.runner)

    def _usage(self):
        return '%(prog)s [options] INPUT… -o OUTPUT'

    def _print_help(self, options):
        """Print what this job does, and its own options."""
        if options.runner:
            super()._print_help(options)
            return
        own = self._passthru_arg_dests | self._file_arg_dests
        for action in self.arg_parser._actions:
            if action.dest not in own and action.dest not in SHOWN:
                action.help = SUPPRESS
        self.arg_parser.description = self.__doc__
        self.arg_parser.epilog = EPILOG
        self.arg_parser.print_help()

    def execute(self):
        """Run this process as a task.

        An exception is also written where the driver finds it (`tracebacks.py`).
        """
        kernel.keep_freed()
        _collect_rarely()
        heartbeat.begin(self.set_status)
        with tracebacks.report_errors():
            super().execute()

    def _read_input(self):
        lines = super()._read_input()
        if not (self.USED and self.options.run_mapper):
            return lines
        # mrjob takes some microseconds for a line, also for one that a mapper skips.
        used = self.USED
        return (line for line in lines if line.startswith(used))

    def run_job(self):
        """Run this process as the driver of this job alone, without a run directory."""
        # Tasks do not need it, and it takes a while to import.
        from mr_reuse.engine import standalone  # noqa: PLC0415

        if code := command(lambda _: standalone.run(self))():
            sys.exit(code)

    def check_input(self, name: str) -> None:
        """Refuse a file that is no input of this job. Called if it runs by itself."""

    def prepare(self, folder: str) -> dict[str, Any]:
        """Return options to replace, if the job runs by itself.

        Files for tasks can be written to `folder`, which is removed at the end.
        """
        return {}

    def report(self, parts: list[str]) -> int:
        """Report on the output of a job that ran by itself; return the exit code."""
        return DONE

    def _non_option_kwargs(self):
        # mrjob looks for the job's own options with a parser that it builds anew of all
        # options. A parser of the own ones finds the same in a tenth of the time.
        whole = self.arg_parser
        dests = self._passthru_arg_dests | self._file_arg_dests
        own = [action for action in whole._actions if action.dest in dests]
        # Such a parser would take --label of mrjob for a short form of --labels.
        words = [word for action in own for word in action.option_strings]
        shorter = [
            action
            for action in whole._actions
            if action.dest not in dests and _begins_any(action.option_strings, words)
        ]
        self.arg_parser = SimpleNamespace(_actions=[*own, *shorter])
        try:
            return super()._non_option_kwargs()
        finally:
            self.arg_parser = whole

    def _runner_kwargs(self):
        return self._kwargs_of_runner  # mrjob asks twice

    @functools.cached_property
    def _kwargs_of_runner(self) -> dict[str, Any]:
        # The local runner calls tasks of this class in forks of the driver. mrjob hands
        # the class only to runners with the alias `inline` or `spark`.
        extra = {'mrjob_cls': type(self)} if self.runner == 'local' else {}
        return {**super()._runner_kwargs(), **extra}

    def add_parts_args(self):
        """Add the options for a job whose reducers write the parts of tables."""
        text = 'Folder for the parts of tables. Default: rows in the output'
        self.add_passthru_arg('--parts-in', default='', metavar='RUN', help=text)
        text = 'Part of the names of the folders in it'
        self.add_passthru_arg('--mark', default='', help=text)

    def new_part_writer(self) -> PartWriter:
        """Return the writer of the parts of tables, for a reducer."""
        return PartWriter(self.options.parts_in, self.options.mark)

    def count(self, counts):
        """Add a task's counts to the counters of the job.

        Counters are for people. A cluster may lose them, so no result depends on them.
        """
        for name, number in counts.items():
            self.increment_counter('mr_reuse', name, int(number))
