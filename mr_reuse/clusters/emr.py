"""Clusters that AWS makes and ends for us."""

import os
import time
from collections.abc import Iterator
from typing import Any

import boto3

from mr_reuse.clusters.base import Cluster
from mr_reuse.naming import last_of

EVERY = 30.0  # seconds between two looks; AWS counts the questions
UP = ['STARTING', 'BOOTSTRAPPING', 'RUNNING', 'WAITING']
AT_IT = ['PENDING', 'RUNNING']


class Emr(Cluster):
    """Jobs are steps of an EMR cluster, which bears the attempt in their names."""

    def arguments(self, output: str) -> list[str]:
        return [
            *super().arguments(output),
            f'--cloud-tmp-dir={self.run.join("_tmp", "")}',
            f'--label={last_of(output)}',
        ]

    def running(self, attempt: str) -> list[str] | None:
        return [f'{cluster}/{step}' for cluster, step in self._steps(attempt)]

    def wait_for(self, attempt: str) -> None:
        while self.running(attempt):
            time.sleep(float(os.environ.get('MR_REUSE_EMR_EVERY', EVERY)))

    def end(self, attempt: str) -> None:
        for cluster, step in self._steps(attempt):
            client().cancel_steps(
                ClusterId=cluster,
                StepIds=[step],
                StepCancellationOption='TERMINATE_PROCESS',
            )

    def _steps(self, attempt: str) -> Iterator[tuple[str, str]]:
        """Cluster and step of the jobs of an attempt that have not ended."""
        begins = f'{last_of(attempt)}.'
        pages = client().get_paginator('list_clusters').paginate(ClusterStates=UP)
        for cluster in (one['Id'] for page in pages for one in page['Clusters']):
            lister = client().get_paginator('list_steps')
            for page in lister.paginate(ClusterId=cluster, StepStates=AT_IT):
                for step in page['Steps']:
                    if step['Name'].startswith(begins):
                        yield cluster, step['Id']


def client() -> Any:
    """What speaks to EMR."""
    return boto3.client('emr')
