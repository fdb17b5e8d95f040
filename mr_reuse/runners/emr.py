"""mrjob's runner for AWS: one cluster for all steps of a chain."""

from mrjob.emr import EMRJobRunner

from mr_reuse.runners.bundled import Bundled


class EmrRunner(Bundled, EMRJobRunner):
    """Jobs as steps of an EMR cluster, which stays for the next one for a while."""

    @classmethod
    def _default_opts(cls):
        return super()._default_opts() | {
            'pool_clusters': True,  # or every step would wait for a cluster of its own
            'pool_name': 'mr_reuse',
            'pool_jitter_seconds': 0,
            'max_mins_idle': 10.0,
            'cloud_fs_sync_secs': 0.0,  # S3 is consistent now
        }
