"""A cluster on EMR, which is started for a run and ends itself when it is idle."""

import contextlib
import functools
import os
import time
from collections.abc import Iterator
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from mr_reuse.engine.clusters.base import Cluster
from mr_reuse.engine.display import Display
from mr_reuse.engine.rundir import BUNDLES, RunDir
from mr_reuse.engine.runners.emr import EmrRunner
from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.storage import common_crawl, naming
from mr_reuse.storage.naming import last_component

POLL_INTERVAL = 30.0  # seconds between two requests, since AWS limits their rate
CLUSTER_UP = {'STARTING', 'BOOTSTRAPPING', 'RUNNING', 'WAITING'}  # states of clusters
STEP_ALIVE = ['PENDING', 'RUNNING']  # states of steps
CLUSTER_JSON = naming.join(BUNDLES, 'cluster.json')  # id of the cluster of a run


class Emr(Cluster):
    """An EMR cluster. Each job is a step whose name begins with its attempt."""

    def __init__(self, run: RunDir, display: Display, confs: list[str]):
        super().__init__(run, display, confs)
        self._confs = confs
        # Id of a cluster that a mrjob.conf names, else ''. The user ends that one.
        self._users_cluster = self._runner().get_cluster_id() or ''

    def arguments(self, output: str) -> list[str]:
        with _one_line_errors():
            # The cluster may have ended: the driver worked too long between two steps.
            cluster = self._find_cluster() or self._start_cluster()
        return [
            *super().arguments(output),
            f'--cloud-tmp-dir={self.run.join("_tmp", "")}',
            f'--cluster-id={cluster}',
            f'--label={last_component(output)}',
        ]

    def environment(self) -> dict[str, str]:
        place = os.environ.get(common_crawl.VARIABLE) or common_crawl.BUCKET
        return {common_crawl.VARIABLE: place}

    def _runner(self) -> EmrRunner:
        """Make a runner of mrjob, which sends requests and can start one cluster."""
        return EmrRunner(
            conf_paths=self._confs,
            # Nodes may start late, as replacements of others. Their bootstrap needs its
            # files then, and `_tmp` may be removed by that time.
            cloud_tmp_dir=self.run.join(BUNDLES, ''),
            local_tmp_dir=self.run.temporary_name('mrjob'),
            label='mr_reuse',  # the name of the cluster begins with it
        )

    @functools.cached_property
    def _client(self) -> Any:
        return self._runner().make_emr_client()

    def _last_started(self) -> str:
        """Return the id of the cluster that was last started for this run, or ''."""
        return self.run.read_json(CLUSTER_JSON).get('id', '')

    def _find_cluster(self) -> str:
        """Return the id of the cluster that accepts steps of this run, or ''."""
        cluster = self._users_cluster or self._last_started()
        if self._users_cluster or not cluster:
            return cluster
        try:
            answer = self._client.describe_cluster(ClusterId=cluster)['Cluster']
        except ClientError as error:
            if error.response['Error'].get('Code') != 'InvalidRequestException':
                raise
            return ''  # AWS forgets clusters after two months
        return cluster if answer['Status']['State'] in CLUSTER_UP else ''

    def _start_cluster(self) -> str:
        """Start a cluster, record it in the run, and return its id."""
        runner = self._runner()
        try:
            runner.make_persistent_cluster()
        finally:
            # mrjob sends further requests after the one that starts the cluster. If
            # one of them fails, the cluster runs nevertheless.
            if cluster := runner.get_cluster_id():
                self.run.write_json(CLUSTER_JSON, {'id': cluster})
        self.display.report(f'cluster {cluster} is starting, which takes some minutes')
        self.display.report(self._describe_end(cluster))
        return cluster

    def _describe_end(self, cluster: str) -> str:
        region = self._client.meta.region_name
        return (
            f'cluster {cluster} ends itself ten minutes after its last step; to end it '
            f'at once: aws emr terminate-clusters --region {region} '
            f'--cluster-ids {cluster}'
        )

    def list_running(self, attempt: str) -> list[str]:
        with _one_line_errors():
            return self._steps(self._find_cluster(), attempt)

    def wait_for(self, attempt: str) -> None:
        while self.list_running(attempt):
            time.sleep(POLL_INTERVAL)

    def end(self, attempt: str) -> bool:
        cluster, ended = self._users_cluster or self._last_started(), False
        try:
            with _one_line_errors():
                cluster = self._find_cluster()
                self._cancel(cluster, self._steps(cluster, attempt))
            ended = True
        except UserError as error:
            warn(f'a step on cluster {cluster} may still run: {error}')
        if cluster and not self._users_cluster:
            warn(self._describe_end(cluster))
        return ended

    def _cancel(self, cluster: str, steps: list[str]) -> None:
        if steps:
            self._client.cancel_steps(
                ClusterId=cluster,
                StepIds=steps,
                StepCancellationOption='TERMINATE_PROCESS',
            )

    def _steps(self, cluster: str, attempt: str) -> list[str]:
        """Return the ids of the steps of an attempt that have not ended."""
        if not cluster:
            return []
        lister = self._client.get_paginator('list_steps')
        pages = lister.paginate(ClusterId=cluster, StepStates=STEP_ALIVE)
        prefix = f'{last_component(attempt)}.'  # mrjob begins the name with `--label`
        return [
            step['Id']
            for page in pages
            for step in page['Steps']
            if step['Name'].startswith(prefix)
        ]


@contextlib.contextmanager
def _one_line_errors() -> Iterator[None]:
    """Turn errors of AWS into a UserError of one line."""
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise UserError(f'AWS: {" ".join(str(error).split())[:500]}') from None
