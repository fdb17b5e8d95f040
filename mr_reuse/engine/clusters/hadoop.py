"""A Hadoop cluster that this machine is configured for."""

import re
import sys
from typing import Any

from mr_reuse.engine import progress
from mr_reuse.engine.clusters import yarn
from mr_reuse.engine.clusters.base import Cluster
from mr_reuse.engine.display import Display
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UserError
from mr_reuse.storage import hdfs
from mr_reuse.storage.naming import last_component

# Lines of the client of Hadoop.
PROGRESS = re.compile(r'\s*map (\d+)% reduce (\d+)%')
SUBMITTED = re.compile(r'Submitted application (application_\d+_\d+)')
FAILURE = re.compile(r'^(?:Error|Diagnostics)\b.*|.*Exception: .*', re.MULTILINE)
NO_PYTHON = re.compile(r'Cannot run program "([^"]+)"')


class Hadoop(Cluster):
    """A Hadoop cluster. Each job is an application on YARN, tagged with its attempt."""

    def __init__(self, run: RunDir, display: Display, confs: list[str]):
        super().__init__(run, display, confs)
        yarn.require_command()

    def arguments(self, output: str) -> list[str]:
        tmp = self.run.join('_tmp')
        return [*super().arguments(output), f'--hadoop-tmp-dir={tmp}']

    def environment(self) -> dict[str, str]:
        return {hdfs.ADDRESSES: hdfs.addresses_for_tasks([self.run.path])}

    def prepare(self, job: Any, size: int, attempt: str) -> None:
        if not job.get_hadoop_streaming_jar():
            raise UserError(
                'no hadoop-streaming*.jar found beside the hadoop command; name it in '
                'a mrjob.conf (-c) as runners: {hadoop: {hadoop_streaming_jar: PATH}}'
            )
        super().prepare(job, size, attempt)
        self._failures: list[str] = []
        job.on_log = self._read_log

    def _read_log(self, text: str) -> None:
        """Read progress, the id of the application and failures from a log message."""
        if match := PROGRESS.match(text):
            done = sum(map(int, match.groups())) / 200  # the mean of two percentages
            progress.write_share(self.display.folder, done)
        self.jobs += SUBMITTED.findall(text)
        self._failures += [line.strip() for line in FAILURE.findall(text)]

    def failure_lines(self) -> list[str]:
        for line in self._failures:
            if match := NO_PYTHON.search(line):
                version = '{}.{}'.format(*sys.version_info)
                return [
                    f'UserError: a node has no {match[1]}; install Python {version}, '
                    'the version of the driver, on the nodes, or start the driver with '
                    'the version of the nodes; python_bin in a mrjob.conf (-c) names '
                    'its path'
                ]
        return self._failures + super().failure_lines()

    @property
    def logs(self) -> str:
        """The command for the complete log of a failed step; '' without an id."""
        return f'log: yarn logs -applicationId {self.jobs[-1]}' if self.jobs else ''

    def list_running(self, attempt: str) -> list[str]:
        return yarn.list_running(last_component(attempt))

    def wait_for(self, attempt: str) -> None:
        yarn.wait_for(last_component(attempt))

    def end(self, attempt: str) -> bool:
        return yarn.end_all(last_component(attempt))
