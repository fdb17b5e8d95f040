"""A job whose tasks fail."""

import os
import signal

from mr_reuse.engine.job import LineJob
from mr_reuse.errors import UserError


class Failing(LineJob):
    """Fails in a way of its own."""

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg('--how')

    def mapper(self, key, value):
        if self.options.how == 'killed':
            os.kill(os.getpid(), signal.SIGKILL)
        raise UserError('a: b: c')
