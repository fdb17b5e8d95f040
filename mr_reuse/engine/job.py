"""The base class of all jobs: lines of bytes, and the runners of this package."""

import functools
from typing import Any

from mrjob.job import MRJob

from mr_reuse import kernel
from mr_reuse.archives import heartbeat
from mr_reuse.engine import runners, tracebacks
from mr_reuse.shuffle.protocol import Lines


@functools.cache
def _mrjob_options():
    """Return a parser with the options that mrjob gives every job."""
    return MRJob([]).arg_parser


class LineJob(MRJob):
    """A job whose lines are a key and a value of bytes."""

    INPUT_PROTOCOL = Lines
    INTERNAL_PROTOCOL = Lines
    OUTPUT_PROTOCOL = Lines

    def configure_args(self):
        # mrjob would define its 130 options again for each job, and each task is one.
        # That took half of the time of a run on a few pages.
        options = _mrjob_options()
        usage = self.arg_parser.usage
        self.arg_parser = type(options)(usage=usage, add_help=False, parents=[options])

    def _runner_class(self):
        alias = self.options.runner
        return runners.runner_class(alias) if alias else super()._runner_class()

    def execute(self):
        """Run this process as a task.

        An exception is also written where the driver finds it (`tracebacks.py`).
        """
        kernel.keep_freed()
        heartbeat.begin(self.set_status)
        with tracebacks.report_errors():
            super().execute()

    def _runner_kwargs(self):
        return self._kwargs_of_runner  # mrjob asks twice

    @functools.cached_property
    def _kwargs_of_runner(self) -> dict[str, Any]:
        # The local runner calls tasks of this class in forks of the driver. mrjob hands
        # the class only to runners with the alias `inline` or `spark`.
        extra = {'mrjob_cls': type(self)} if self.options.runner == 'local' else {}
        return {**super()._runner_kwargs(), **extra}

    def count(self, counts):
        """Add a task's counts to the counters of the job.

        Counters are for people. A cluster may lose them, so no result depends on them.
        """
        for name, number in counts.items():
            self.increment_counter('mr_reuse', name, int(number))
