"""The base class of clusters, which run jobs on other machines than the driver.

A cluster sends code and addresses to the tasks. It resumes or ends a job whose driver
has died.
"""

import os
from abc import ABC, abstractmethod
from typing import Any

from mr_reuse import storage
from mr_reuse.engine import tracebacks
from mr_reuse.engine.clusters import bundling
from mr_reuse.engine.display import Display
from mr_reuse.engine.rundir import BUNDLES, RunDir
from mr_reuse.engine.runners.bundled import TAGS
from mr_reuse.engine.step_record import Attempt
from mr_reuse.errors import UserError
from mr_reuse.storage import common_crawl, naming
from mr_reuse.storage.web import host_slots

BUNDLE_FOLDER = 'mr_reuse_env'  # the unpacked bundle, in the folder of a task
REDUCE_BYTES = 256 << 20  # bytes of a step's input for each reducer
# Environment variables with addresses of servers, which tasks receive. Credentials are
# not sent: a cluster has its own.
SENT_VARIABLES = (
    *'AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 AWS_DEFAULT_REGION AWS_REGION'.split(),
    common_crawl.VARIABLE,
)


class Cluster(ABC):
    """The machines that run the jobs of a chain.

    An `attempt` is the name of the output folder of a step, relative to the run, as in
    `Attempt.output`. Its last component is unique and identifies the jobs of the step
    on the cluster.
    """

    is_remote = True  # the machines share no disk with the driver
    logs = ''  # the command that shows the complete log of a failed step

    def __init__(self, run: RunDir, display: Display, confs: list[str]):
        self.run, self.display = run, display
        self._tracebacks = run.join('_tmp', 'tracebacks')
        self.jobs: list[str] = []  # ids of the jobs of the current step

    def arguments(self, output: str) -> list[str]:
        """Return the options of mrjob for a job that writes into this folder."""
        env = {
            'PYTHONPATH': BUNDLE_FOLDER,
            'PYTHONUTF8': '1',  # the locale of a node is not that of the driver
            tracebacks.FOLDER: self._tracebacks,
            'OPENBLAS_NUM_THREADS': '1',  # a task has one core
            # A task that waits would seem dead; settings of the cluster limit it.
            host_slots.VARIABLE: '0',
            **{k: os.environ[k] for k in SENT_VARIABLES if k in os.environ},
            **self.environment(),
        }
        return [
            f'--archives={send_bundle(self.run, self.display)}#{BUNDLE_FOLDER}',
            *(f'--cmdenv={name}={value}' for name, value in env.items() if value),
        ]

    def environment(self) -> dict[str, str]:
        """Return further environment variables of tasks."""
        return {}

    def prepare(self, job: Any, size: int, attempt: str) -> None:
        """Set the properties of the job of a step.

        `size` is the bytes of its input. `attempt` goes into its name and its tag, by
        which another driver finds the job.
        """
        storage.remove(self._tracebacks)
        self.jobs = []
        job.defaults = {
            'mapreduce.job.name': f'mr_reuse {self.run.path} {attempt}',
            TAGS: naming.last_component(attempt),
            'mapreduce.job.reduces': str(max(1, -(-size // REDUCE_BYTES))),
            'mapreduce.map.output.compress': 'true',
            # One task for each line of a list of archives. The key of such a line is
            # its offset in the list, which no mapper expects.
            'mapreduce.input.lineinputformat.linespermap': '1',
            'stream.map.input.ignoreKey': 'true',
        }

    def failure_lines(self) -> list[str]:
        """Return lines that may name the cause of a failure, the best one last."""
        texts = tracebacks.read_tracebacks(self._tracebacks)
        return [line for text in texts for line in text.splitlines()]

    def resume(self, recorded: Attempt, digest: str, steps: int) -> bool:
        """Return whether a job that outlived its driver has written all of its output.

        `recorded` is the attempt that the dead driver recorded. `steps` is the number
        of jobs that mrjob runs for this step. Wait for the job if its digest is still
        right and no other job has to follow, which only its own driver could start.
        Otherwise end it.
        """
        attempt = recorded.output
        is_same = recorded.digest == digest
        self.jobs = self.list_running(attempt)
        if self.jobs and is_same and steps == 1:
            self.display.report(f'{self.jobs[0]} still runs; waiting for it')
            self.wait_for(attempt)
        elif self.jobs:
            self.end(attempt)
        return is_same and self._is_finished(attempt)

    def abandon(self, attempt: str) -> bool:
        """End the jobs of a step. Return whether its output can be removed.

        The output has to stay if a job may still run, or if it is complete and
        therefore useful to the next driver.
        """
        if not self.end(attempt):
            return False
        try:
            return not self._is_finished(attempt)
        except (UserError, OSError):  # unknown, so keep it
            return False

    def _is_finished(self, attempt: str) -> bool:
        """Return whether the output is complete: Hadoop then writes `_SUCCESS`."""
        return storage.exists(naming.join(self.run.join(attempt), '_SUCCESS'))

    @abstractmethod
    def list_running(self, attempt: str) -> list[str]:
        """Return the ids of the jobs of a step that still run.

        Raises UserError if the cluster does not answer.
        """

    @abstractmethod
    def wait_for(self, attempt: str) -> None:
        """Wait until no job of a step runs."""

    @abstractmethod
    def end(self, attempt: str) -> bool:
        """End the jobs of a step. Return whether it is certain that none runs."""


def send_bundle(run: RunDir, display: Display) -> str:
    """Send the code for tasks to the run, once a run, and return its name there."""
    path = bundling.cached_bundle()
    name = run.join(BUNDLES, naming.last_component(path))
    if not storage.exists(name):
        display.report(f'sending code to {name}')
        storage.make_dir(run.join(BUNDLES))
        storage.put(path, name)
    return name
