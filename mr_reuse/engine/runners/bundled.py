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
        found = settings(self.defaults, super()._jobconf_for_step(step_num))
        if 'reducer' not in self._get_step(step_num):
            found.pop('mapreduce.job.reduces', None)  # mrjob sets it to 0, but earlier
        return found


def settings(ours: dict[str, str], wanted: dict[str, str]) -> dict[str, str]:
    """What a job is told: what the user wants, then what we would have.

    By our tag a job is found again, so it stands beside the user's.

    >>> found = settings({TAGS: 'attempt-1', 'a': '1'}, {TAGS: 'cost-42', 'a': '2'})
    >>> found[TAGS], found['a'], found['mapreduce.output.fileoutputformat.compress']
    ('cost-42,attempt-1', '2', 'false')
    """
    tags = [told[TAGS] for told in (wanted, ours) if TAGS in told]
    return {**ours, **wanted, **FIXED, **({TAGS: ','.join(tags)} if tags else {})}
