"""A cluster of AWS, which is made for a run and ends itself when it has no work."""

import contextlib
import os
import time
from collections.abc import Iterator
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from mr_reuse import naming
from mr_reuse.cli import warn
from mr_reuse.clusters.base import Cluster
from mr_reuse.errors import UserError
from mr_reuse.naming import last_of
from mr_reuse.rundir import BUNDLES, RunDir
from mr_reuse.runners.emr import EmrRunner
from mr_reuse.showing import Showing

EVERY = 30.0  # seconds between two looks; AWS counts the questions
UP = {'STARTING', 'BOOTSTRAPPING', 'RUNNING', 'WAITING'}
AT_IT = ['PENDING', 'RUNNING']
MADE = naming.join(BUNDLES, 'cluster.json')  # which cluster was made for a run


class Emr(Cluster):
    """Jobs are steps of an EMR cluster, which bear the attempt in their names."""

    def __init__(self, run: RunDir, showing: Showing, confs: list[str]):
        super().__init__(run, showing, confs)
        # What a node needs when it starts, which may be late, has to stay where it is.
        self._maker = EmrRunner(
            conf_paths=confs,
            cloud_tmp_dir=run.join(BUNDLES, ''),
            local_tmp_dir=run.temporary('mrjob'),
        )
        self._id = self._maker.get_cluster_id() or ''  # if the configuration has one

    def arguments(self, output: str) -> list[str]:
        with _told():
            self._id = self._id or self._made() or self._make()
        return [
            *super().arguments(output),
            f'--cloud-tmp-dir={self.run.join("_tmp", "")}',
            f'--cluster-id={self._id}',
            f'--label={last_of(output)}',
        ]

    def _client(self) -> Any:
        return self._maker.make_emr_client()

    def _made(self) -> str:
        """The cluster that was made for this run before, if it is up."""
        known = self.run.read_json(MADE).get('id', '')
        if not known:
            return ''
        found = self._client().describe_cluster(ClusterId=known)['Cluster']
        return known if found['Status']['State'] in UP else ''

    def _make(self) -> str:
        try:
            self._maker.make_persistent_cluster()
        finally:
            if made := self._maker.get_cluster_id():
                self.run.write_json(MADE, {'id': made})
        self.showing.say(f'cluster {made} is starting, which takes some minutes')
        self.showing.say(self._how_it_ends(made))
        return made

    def _how_it_ends(self, made: str) -> str:
        region = self._client().meta.region_name
        return (
            f'cluster {made} ends itself ten minutes after the last step, or at once '
            f'by: aws emr terminate-clusters --region {region} --cluster-ids {made}'
        )

    def running(self, attempt: str) -> list[str]:
        with _told():
            self._id = self._id or self._made()
            return [step['Id'] for step in self._steps(attempt)]

    def wait_for(self, attempt: str) -> None:
        while self.running(attempt):
            time.sleep(float(os.environ.get('MR_REUSE_EMR_EVERY', EVERY)))

    def end(self, attempt: str) -> bool:
        ended = False
        try:
            with _told():
                self._cancel([step['Id'] for step in self._steps(attempt)])
            ended = True
        except UserError as error:
            warn(f'a step on cluster {self._id} may run on: {error}')
        if self._id and self._id == self.run.read_json(MADE).get('id'):
            warn(self._how_it_ends(self._id))
        return ended

    def _cancel(self, steps: list[str]) -> None:
        if steps:
            self._client().cancel_steps(
                ClusterId=self._id,
                StepIds=steps,
                StepCancellationOption='TERMINATE_PROCESS',
            )

    def _steps(self, attempt: str) -> Iterator[dict[str, Any]]:
        """The steps of an attempt that have not ended."""
        if not self._id:
            return
        lister = self._client().get_paginator('list_steps')
        for page in lister.paginate(ClusterId=self._id, StepStates=AT_IT):
            for step in page['Steps']:
                if step['Name'].startswith(f'{last_of(attempt)}.'):
                    yield step


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """What AWS refuses, in one line."""
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise UserError(f'AWS: {" ".join(str(error).split())[:500]}') from None
