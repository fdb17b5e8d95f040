"""What all jobs share: lines of bytes in and out, and how pages are cut."""

from mrjob.job import MRJob

from mr_reuse import kernel
from mr_reuse.archives import heartbeat
from mr_reuse.chunks.hasher import Chunker
from mr_reuse.engine import runners, tracebacks
from mr_reuse.shuffle.protocol import Lines


class LineJob(MRJob):
    """A job whose lines are a key and a value of bytes (`records.py`)."""

    INPUT_PROTOCOL = Lines
    INTERNAL_PROTOCOL = Lines
    OUTPUT_PROTOCOL = Lines

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg('--hash', default=Chunker().hash)

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

    def add_chunker_args(self):
        """The options that decide which digests a page has."""
        self.add_passthru_arg('--delimiters', default=Chunker().delimiters)
        self.add_passthru_arg('--normalize', default=Chunker().normalize)
        self.add_passthru_arg('--compat', default=Chunker().compat)

    def chunker(self):
        return Chunker(*(getattr(self.options, name) for name in Chunker._fields))

    def count(self, counts):
        """Hand a task's counts to the runner; results never depend on them."""
        for name, number in counts.items():
            self.increment_counter('mr_reuse', name, int(number))
