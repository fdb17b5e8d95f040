"""A cluster of AWS, which is made for a run and ends itself when it has no work."""

import contextlib
import functools
import time
from collections.abc import Iterator
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from mr_reuse.engine.clusters.base import Cluster
from mr_reuse.engine.display import Showing
from mr_reuse.engine.rundir import BUNDLES, RunDir
from mr_reuse.engine.runners.emr import EmrRunner
from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.storage import naming
from mr_reuse.storage.naming import last_of

EVERY = 30.0  # seconds between two looks; AWS counts the questions
UP = {'STARTING', 'BOOTSTRAPPING', 'RUNNING', 'WAITING'}
AT_IT = ['PENDING', 'RUNNING']
MADE = naming.join(BUNDLES, 'cluster.json')  # which cluster was made for a run


class Emr(Cluster):
    """Jobs are steps of an EMR cluster, which bear the attempt in their names."""

    def __init__(self, run: RunDir, showing: Showing, confs: list[str]):
        super().__init__(run, showing, confs)
        self._confs = confs
        self._users = self._runner().get_cluster_id() or ''  # which a mrjob.conf names

    def arguments(self, output: str) -> list[str]:
        with _told():
            # Work of the driver between two steps may have been too long for it.
            found = self._up() or self._make()
        return [
            *super().arguments(output),
            f'--cloud-tmp-dir={self.run.join("_tmp", "")}',
            f'--cluster-id={found}',
            f'--label={last_of(output)}',
        ]

    def _runner(self) -> EmrRunner:
        """mrjob's way to AWS; each can make one cluster."""
        return EmrRunner(
            conf_paths=self._confs,
            # What a node needs when it starts, which may be late, has to stay there.
            cloud_tmp_dir=self.run.join(BUNDLES, ''),
            local_tmp_dir=self.run.temporary('mrjob'),
            label='mr_reuse',  # which a cluster's name begins with
        )

    @functools.cached_property
    def _client(self) -> Any:
        return self._runner().make_emr_client()

    def _made(self) -> str:
        """The cluster that was made for this run last."""
        return self.run.read_json(MADE).get('id', '')

    def _up(self) -> str:
        """The cluster that takes the steps of this run, if there is one now."""
        known = self._users or self._made()
        if self._users or not known:
            return known
        try:
            found = self._client.describe_cluster(ClusterId=known)['Cluster']
        except ClientError as error:
            if error.response['Error'].get('Code') != 'InvalidRequestException':
                raise
            return ''  # it was so long ago that AWS has forgotten it
        return known if found['Status']['State'] in UP else ''

    def _make(self) -> str:
        runner = self._runner()
        try:
            runner.make_persistent_cluster()
        finally:
            if made := runner.get_cluster_id():
                self.run.write_json(MADE, {'id': made})
        self.showing.say(f'cluster {made} is starting, which takes some minutes')
        self.showing.say(self._how_it_ends(made))
        return made

    def _how_it_ends(self, made: str) -> str:
        region = self._client.meta.region_name
        return (
            f'cluster {made} ends itself ten minutes after the last step, or at once '
            f'by: aws emr terminate-clusters --region {region} --cluster-ids {made}'
        )

    def running(self, attempt: str) -> list[str]:
        with _told():
            return self._steps(self._up(), attempt)

    def wait_for(self, attempt: str) -> None:
        while self.running(attempt):
            time.sleep(EVERY)

    def end(self, attempt: str) -> bool:
        known, ended = self._users or self._made(), False
        try:
            with _told():
                known = self._up()
                self._cancel(known, self._steps(known, attempt))
            ended = True
        except UserError as error:
            warn(f'a step on cluster {known} may run on: {error}')
        if known and not self._users:
            warn(self._how_it_ends(known))
        return ended

    def _cancel(self, cluster: str, steps: list[str]) -> None:
        if steps:
            self._client.cancel_steps(
                ClusterId=cluster,
                StepIds=steps,
                StepCancellationOption='TERMINATE_PROCESS',
            )

    def _steps(self, cluster: str, attempt: str) -> list[str]:
        """The steps of an attempt that have not ended."""
        if not cluster:
            return []
        lister = self._client.get_paginator('list_steps')
        pages = lister.paginate(ClusterId=cluster, StepStates=AT_IT)
        begins = f'{last_of(attempt)}.'
        return [
            step['Id']
            for page in pages
            for step in page['Steps']
            if step['Name'].startswith(begins)
        ]


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """What AWS refuses, in one line."""
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise UserError(f'AWS: {" ".join(str(error).split())[:500]}') from None
