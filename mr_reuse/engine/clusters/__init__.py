"""Where jobs run that do not run here, by the name that `-r` gives them."""

import argparse
import importlib
from typing import Any

from mr_reuse.engine.display import Showing
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UsageError
from mr_reuse.storage.naming import is_remote, last_of, scheme_of

# Loaded when needed: boto3 alone takes a third of a second.
CLUSTERS = {'hadoop': 'Hadoop', 'emr': 'Emr', 'spark': 'Spark'}
PLACES = {'hadoop': 'hdfs:///user/NAME/', 'emr': 's3://BUCKET/'}


def check(given: argparse.Namespace) -> None:
    """Refuse a run directory that the machines of a cluster do not see."""
    place = PLACES.get(given.runner)
    if not place:
        return
    better = f'name a folder such as {place}{last_of(given.output)}'
    if not is_remote(given.output):
        raise UsageError(
            f'{given.output}: on this machine, which -r {given.runner} does not see; '
            f'{better}'
        )
    if given.runner == 'emr' and scheme_of(given.output) != 's3':
        raise UsageError(f'{given.output}: not on S3, which -r emr needs; {better}')


def cluster(runner: str, run: RunDir, showing: Showing, confs: list[str]) -> Any:
    """The cluster that a runner is, None if jobs run here."""
    if runner not in CLUSTERS:
        return None
    module = importlib.import_module(f'mr_reuse.engine.clusters.{runner}')
    return getattr(module, CLUSTERS[runner])(run, showing, confs)
