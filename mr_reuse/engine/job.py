"""The base class of all jobs: lines of bytes, and the runners of this package."""

from mrjob.job import MRJob

from mr_reuse import kernel
from mr_reuse.archives import heartbeat
from mr_reuse.engine import runners, tracebacks
from mr_reuse.shuffle.protocol import Lines


class LineJob(MRJob):
    """A job whose lines are a key and a value of bytes."""

    INPUT_PROTOCOL = Lines
    INTERNAL_PROTOCOL = Lines
    OUTPUT_PROTOCOL = Lines

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
