"""Spark, on this machine or on others that share its disk."""

import os
import re
from collections import deque
from typing import Any, ClassVar

from mr_reuse import launching, naming, progress
from mr_reuse.clusters.base import PASSED_ON
from mr_reuse.errors import UserError
from mr_reuse.naming import is_remote
from mr_reuse.rundir import RunDir
from mr_reuse.showing import Showing

CAUSED = re.compile(r'^(Caused by)?: ')
WORKER_GONE = 'Python worker exited unexpectedly'
SQLSTATE = 'SQLSTATE: '  # which follows a traceback
LINES = 10_000  # of what Spark says, which are kept


class Spark:
    """Jobs end with their driver, so nothing is left to be taken up or ended."""

    far = False
    logs = ''
    jobs: ClassVar[list[str]] = []

    def __init__(self, run: RunDir, showing: Showing, confs: list[str]):
        self._run, self._showing = run, showing
        self._said: deque[str] = deque(maxlen=LINES)

    def arguments(self, output: str) -> list[str]:
        """What mrjob is told for the job that writes to a folder."""
        env = {
            'PYTHONPATH': launching.python_path(),
            'OPENBLAS_NUM_THREADS': '1',  # a task is given one core
            progress.FOLDER: naming.absolute(self._showing.folder),
            **{k: os.environ[k] for k in PASSED_ON if k in os.environ},
        }
        return [f'--cmdenv={name}={value}' for name, value in env.items()]

    def prepare(self, job: Any, size: int, attempt: str) -> None:
        """Set what depends on a step, if its tasks can see the run."""
        if is_remote(self._run.path) and not job.is_here:
            raise UserError(
                f'{self._run.path}: with -r spark on other machines, name a folder on '
                'a disk that all of them share'
            )
        self._said.clear()
        job.hears = self._said.append
        job.defaults = {'spark.app.name': f'mr_reuse {self._run.path} {attempt}'}

    def reasons(self) -> list[str]:
        """Why a step has failed, the best reason last."""
        if any(WORKER_GONE in line for line in self._said):
            return ['UserError: a task was killed, perhaps because memory ran out']
        lines = (line for line in self._said if SQLSTATE not in line)
        return [CAUSED.sub('', line) for line in lines]

    def take_up(self, left: dict[str, Any], digest: str, steps: int) -> bool:
        """Whether a job that outlived its driver has made its output: none does."""
        return False

    def give_up(self, attempt: str) -> bool:
        """Whether nothing is left of a step: it has ended with its runner."""
        return True
