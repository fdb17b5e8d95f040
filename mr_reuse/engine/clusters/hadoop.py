"""A Hadoop cluster that this machine is configured for."""

import re
import sys
from typing import Any

from mr_reuse.engine import progress
from mr_reuse.engine.clusters import yarn
from mr_reuse.engine.clusters.base import Cluster
from mr_reuse.engine.display import Showing
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UserError
from mr_reuse.storage import hdfs
from mr_reuse.storage.naming import last_of

PROGRESS = re.compile(r'\s*map (\d+)% reduce (\d+)%')
SUBMITTED = re.compile(r'Submitted application (application_\d+_\d+)')
FAILURE = re.compile(r'^(?:Error|Diagnostics)\b.*|.*Exception: .*', re.MULTILINE)
NO_PYTHON = re.compile(r'Cannot run program "([^"]+)"')


class Hadoop(Cluster):
    """Jobs are submitted by the `hadoop` command, and are applications of YARN."""

    def __init__(self, run: RunDir, showing: Showing, confs: list[str]):
        super().__init__(run, showing, confs)
        yarn.check()

    def arguments(self, output: str) -> list[str]:
        tmp = self.run.join('_tmp')
        return [*super().arguments(output), f'--hadoop-tmp-dir={tmp}']

    def environment(self) -> dict[str, str]:
        return {hdfs.ADDRESSES: hdfs.for_tasks([self.run.path])}

    def prepare(self, job: Any, size: int, attempt: str) -> None:
        if not job.get_hadoop_streaming_jar():
            raise UserError(
                'no hadoop-streaming*.jar found beside the hadoop command; name it in '
                'a mrjob.conf (-c) as runners: {hadoop: {hadoop_streaming_jar: PATH}}'
            )
        super().prepare(job, size, attempt)
        self._said: list[str] = []
        job.hears = self._hear

    def _hear(self, text: str) -> None:
        if found := PROGRESS.match(text):
            done = sum(map(int, found.groups())) / 200
            progress.tell_share(self.showing.folder, done)
        self.jobs += SUBMITTED.findall(text)
        self._said += [line.strip() for line in FAILURE.findall(text)]

    def reasons(self) -> list[str]:
        for line in self._said:
            if found := NO_PYTHON.search(line):
                here = '{}.{}'.format(*sys.version_info)
                return [
                    f'UserError: a node has no {found[1]}; install Python {here} '
                    'there, which this program runs with, or use the version that the '
                    'nodes have; python_bin in a mrjob.conf (-c) says where it is'
                ]
        return self._said + super().reasons()

    @property
    def logs(self) -> str:
        """Where the whole story of a failed step is."""
        last = self.jobs[-1:]
        return ''.join(f'yarn logs -applicationId {one} tells all' for one in last)

    def running(self, attempt: str) -> list[str]:
        return yarn.running(last_of(attempt))

    def wait_for(self, attempt: str) -> None:
        yarn.wait_for(last_of(attempt))

    def end(self, attempt: str) -> bool:
        return yarn.end(last_of(attempt))
