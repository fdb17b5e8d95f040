"""The base class of runners whose tasks get their code from a bundle."""

import sys
from typing import ClassVar

TAGS = 'mapreduce.job.tags'
# Set for every job, whatever the cluster is configured for: steps and the driver read
# the output of other steps, and cannot read it compressed.
FIXED = {'mapreduce.output.fileoutputformat.compress': 'false'}


class Bundled:
    """A runner for tasks whose code is in a bundle (`bundling.py`).

    The cluster sets `defaults`: properties of a job, which a mrjob.conf overrides.
    """

    defaults: ClassVar[dict[str, str]] = {}

    @classmethod
    def _default_opts(cls):
        # The bundle contains mrjob. Logs are on the nodes, out of reach of mrjob.
        return super()._default_opts() | {'bootstrap_mrjob': False, 'read_logs': False}

    def _default_python_bin(self, local=False):
        """Return a Python of this version, for which the bundle has compiled code."""
        if local:
            return super()._default_python_bin(local=True)
        return ['python{}.{}'.format(*sys.version_info)]

    def _jobconf_for_step(self, step_num):
        conf = merge_properties(self.defaults, super()._jobconf_for_step(step_num))
        if 'reducer' not in self._get_step(step_num):
            # mrjob sets 0 for a step without reducer in an option that comes before
            # this one on the command line, so this one would win.
            conf.pop('mapreduce.job.reduces', None)
        return conf


def merge_properties(
    defaults: dict[str, str], configured: dict[str, str]
) -> dict[str, str]:
    """Merge the defaults of a job with the properties that the user configured.

    The user's properties win. Tags are joined, since another driver finds the job by
    the tag in `defaults`.

    >>> conf = merge_properties({TAGS: 'attempt-1', 'a': '1'}, {TAGS: 'it', 'a': '2'})
    >>> conf[TAGS], conf['a'], conf['mapreduce.output.fileoutputformat.compress']
    ('it,attempt-1', '2', 'false')
    """
    tags = [conf[TAGS] for conf in (configured, defaults) if TAGS in conf]
    joined = {TAGS: ','.join(tags)} if tags else {}
    return {**defaults, **configured, **FIXED, **joined}
