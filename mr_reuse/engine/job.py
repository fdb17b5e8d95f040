"""The base of all jobs: lines of bytes in and out, and the runners of this package."""

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
        return runners.runner(alias) if alias else super()._runner_class()

    def execute(self):
        """Be a task."""
        kernel.keep_freed()
        heartbeat.begin(self.set_status)
        with tracebacks.told():
            super().execute()

    def _runner_kwargs(self):
        more = {'mrjob_cls': type(self)} if self.options.runner == 'local' else {}
        return {**super()._runner_kwargs(), **more}

    def count(self, counts):
        """Hand a task's counts to the runner; results never depend on them."""
        for name, number in counts.items():
            self.increment_counter('mr_reuse', name, int(number))
