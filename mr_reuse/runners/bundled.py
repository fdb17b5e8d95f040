"""What the runners of clusters share: code that comes along in a bundle."""

import sys
from typing import ClassVar

TAGS = 'mapreduce.job.tags'
# What a cluster may have otherwise, and no step can read.
FIXED = {'mapreduce.output.fileoutputformat.compress': 'false'}


class Bundled:
    """A runner for tasks that find all they need in a bundle (`bundling.py`).

    The chain sets `defaults`, properties of a job that a mrjob.conf may override.
    """

    defaults: ClassVar[dict[str, str]] = {}

    @classmethod
    def _default_opts(cls):
        # The bundle has mrjob; logs are on the nodes, where mrjob does not look.
        return super()._default_opts() | {'bootstrap_mrjob': False, 'read_logs': False}

    def _default_python_bin(self, local=False):
        """Compiled code in the bundle is for this version alone."""
        if local:
            return super()._default_python_bin(local=True)
        return ['python{}.{}'.format(*sys.version_info)]

    def _jobconf_for_step(self, step_num):
        wanted = super()._jobconf_for_step(step_num)
        found = {**self.defaults, **wanted, **FIXED}
        if TAGS in wanted and TAGS in self.defaults:  # by ours a step is found again
            found[TAGS] = f'{wanted[TAGS]},{self.defaults[TAGS]}'
        if 'reducer' not in self._get_step(step_num):
            found.pop('mapreduce.job.reduces', None)  # mrjob sets it to 0, but earlier
        return found
