"""What a chain does for jobs that run on other machines than the driver.

Code, input and addresses get there; what a dead driver has left is taken up or ended.
"""

import os
from abc import ABC, abstractmethod
from typing import Any

from mr_reuse import storage
from mr_reuse.engine import tracebacks
from mr_reuse.engine.clusters import bundling
from mr_reuse.engine.display import Showing
from mr_reuse.engine.rundir import BUNDLES, RunDir
from mr_reuse.engine.runners.bundled import TAGS
from mr_reuse.errors import UserError
from mr_reuse.storage import naming

ENV = 'mr_reuse_env'  # what tasks call the bundle
REDUCE_BYTES = 256 << 20  # of a step's input, for one reducer
# What says where S3 is; keys are for the cluster to have.
PASSED_ON = 'AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 AWS_DEFAULT_REGION AWS_REGION'.split()


class Cluster(ABC):
    """Machines elsewhere, as the chain of one run uses them."""

    far = True  # they see no files of this machine
    logs = ''  # where the whole story of a failed step is

    def __init__(self, run: RunDir, showing: Showing, confs: list[str]):
        self.run, self.showing = run, showing
        self._troubles = run.join('_tmp', 'troubles')
        self.jobs: list[str] = []  # of the step that runs, as the cluster calls them

    def arguments(self, output: str) -> list[str]:
        """What mrjob is told for the job that writes to a folder."""
        env = {
            'PYTHONPATH': ENV,
            tracebacks.FOLDER: self._troubles,
            'OPENBLAS_NUM_THREADS': '1',  # a task is given one core
            **{k: os.environ[k] for k in PASSED_ON if k in os.environ},
            **self.environment(),
        }
        return [
            f'--archives={sent_bundle(self.run, self.showing)}#{ENV}',
            *(f'--cmdenv={name}={value}' for name, value in env.items() if value),
        ]

    def environment(self) -> dict[str, str]:
        """What else tasks have to be told."""
        return {}

    def prepare(self, job: Any, size: int, attempt: str) -> None:
        """Set what depends on a step: its reducers, and how it is found again."""
        storage.remove(self._troubles)
        self.jobs = []
        job.defaults = {
            'mapreduce.job.name': f'mr_reuse {self.run.path} {attempt}',
            TAGS: naming.last_of(attempt),
            'mapreduce.job.reduces': str(max(1, -(-size // REDUCE_BYTES))),
            'mapreduce.map.output.compress': 'true',
            'mapreduce.input.lineinputformat.linespermap': '1',
            'stream.map.input.ignoreKey': 'true',
        }

    def reasons(self) -> list[str]:
        """Why a step has failed, the best reason last."""
        told = tracebacks.all_in(self._troubles)
        return [line for text in told for line in text.splitlines()]

    def take_up(self, left: dict[str, Any], digest: str, steps: int) -> bool:
        """Whether a job that outlived its driver has made all of its output.

        One that has more than a step to go cannot be waited for, since its driver would
        have to begin the next.
        """
        attempt = left['output']
        same = left['digest'] == digest
        self.jobs = self.running(attempt)
        if self.jobs and same and steps == 1:
            self.showing.say(f'{self.jobs[0]} is still at it, so it is waited for')
            self.wait_for(attempt)
        elif self.jobs:
            self.end(attempt)
        return same and self._finished(attempt)

    def give_up(self, attempt: str) -> bool:
        """End what runs of a step; whether nothing of it is left, or of use."""
        if not self.end(attempt):
            return False
        try:
            return not self._finished(attempt)
        except (UserError, OSError):
            return False

    def _finished(self, attempt: str) -> bool:
        """Whether all of its output is there: the last job of a step says so."""
        return storage.exists(naming.join(self.run.join(attempt), '_SUCCESS'))

    @abstractmethod
    def running(self, attempt: str) -> list[str]:
        """What still runs of a step; `UserError` if nobody can tell."""

    @abstractmethod
    def wait_for(self, attempt: str) -> None:
        """Wait until nothing of a step runs any more."""

    @abstractmethod
    def end(self, attempt: str) -> bool:
        """End what still runs of a step; whether it is certain that nothing does."""


def sent_bundle(run: RunDir, showing: Showing) -> str:
    """Where the code for tasks is, which is sent there once a run."""
    path = bundling.cached()
    name = run.join(BUNDLES, naming.last_of(path))
    if not storage.exists(name):
        showing.say(f'sending code to {name}')
        storage.make_dir(run.join(BUNDLES))
        storage.put(path, name)
    return name
