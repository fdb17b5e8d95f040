"""The clusters on which jobs can run, by the name of their runner (`-r`)."""

import importlib
from typing import Any

from mr_reuse.engine.display import Display
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UsageError
from mr_reuse.storage.naming import is_remote, last_component, scheme_of

# A module and the class in it, imported when needed: boto3 takes a third of a second.
CLUSTERS = {'hadoop': 'Hadoop', 'emr': 'Emr', 'spark': 'Spark'}
# Where the machines of a cluster can read a run directory, for messages.
PLACES = {'hadoop': 'hdfs:///user/NAME/', 'emr': 's3://BUCKET/'}


def check_output(runner: str, output: str) -> None:
    """Refuse a run directory that the machines of a cluster cannot read."""
    place = PLACES.get(runner)
    if not place:
        return
    hint = f'name a folder such as {place}{last_component(output)}'
    if not is_remote(output):
        raise UsageError(
            f'{output}: on this machine, which -r {runner} cannot read; {hint}'
        )
    if runner == 'emr' and scheme_of(output) != 's3':
        raise UsageError(f'{output}: not on S3, which -r emr needs; {hint}')


def make_cluster(runner: str, run: RunDir, display: Display, confs: list[str]) -> Any:
    """Make the cluster of a runner; None if the runner has none.

    `confs` are the names of the configuration files of mrjob.
    """
    if runner not in CLUSTERS:
        return None
    module = importlib.import_module(f'mr_reuse.engine.clusters.{runner}')
    return getattr(module, CLUSTERS[runner])(run, display, confs)
