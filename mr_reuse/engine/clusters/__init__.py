"""Where jobs run that do not run here, by the name that `-r` gives them."""

import importlib
from typing import Any

from mr_reuse.engine.display import Showing
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UsageError
from mr_reuse.storage.naming import is_remote, last_of, scheme_of

# Loaded when needed: boto3 alone takes a third of a second.
CLUSTERS = {'hadoop': 'Hadoop', 'emr': 'Emr', 'spark': 'Spark'}
PLACES = {'hadoop': 'hdfs:///user/NAME/', 'emr': 's3://BUCKET/'}


def check(runner: str, output: str) -> None:
    """Refuse a run directory that the machines of a cluster do not see."""
    place = PLACES.get(runner)
    if not place:
        return
    better = f'name a folder such as {place}{last_of(output)}'
    if not is_remote(output):
        raise UsageError(
            f'{output}: on this machine, which -r {runner} does not see; {better}'
        )
    if runner == 'emr' and scheme_of(output) != 's3':
        raise UsageError(f'{output}: not on S3, which -r emr needs; {better}')


def cluster(runner: str, run: RunDir, showing: Showing, confs: list[str]) -> Any:
    """The cluster that a runner is, None if jobs run here."""
    if runner not in CLUSTERS:
        return None
    module = importlib.import_module(f'mr_reuse.engine.clusters.{runner}')
    return getattr(module, CLUSTERS[runner])(run, showing, confs)
