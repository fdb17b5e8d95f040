"""Spark, on this machine, or on others that share its disk or have an HDFS."""

import os
import re
from collections import deque
from typing import Any, ClassVar

from mr_reuse.engine import launch, progress
from mr_reuse.engine.clusters.base import ENV, PASSED_ON, sent_bundle
from mr_reuse.engine.display import Showing
from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.runners.spark import SparkRunner
from mr_reuse.storage import hdfs, naming
from mr_reuse.storage.naming import is_remote

CAUSED = re.compile(r'^((Caused by)?: |Exception in thread "main" )')
WORKER_GONE = 'Python worker exited unexpectedly'
SQLSTATE = 'SQLSTATE: '  # which follows a traceback
LINES = 10_000  # of what Spark says, which are kept


class Spark:
    """Jobs end with their driver, so nothing is left to be taken up or ended."""

    logs = ''
    jobs: ClassVar[list[str]] = []

    def __init__(self, run: RunDir, showing: Showing, confs: list[str]):
        self._run, self._showing = run, showing
        self._said: deque[str] = deque(maxlen=LINES)
        with launch.logged():
            asked = SparkRunner(conf_paths=confs, local_tmp_dir=run.temporary('mrjob'))
        # Tasks elsewhere share a disk with this machine, or nothing.
        self.far = is_remote(run.path) and not asked.is_here

    def arguments(self, output: str) -> list[str]:
        """What mrjob is told for the job that writes to a folder."""
        env = {
            'OPENBLAS_NUM_THREADS': '1',  # a task is given one core
            **{k: os.environ[k] for k in PASSED_ON if k in os.environ},
            **(self._far_environment() if self.far else self._near_environment()),
        }
        found = [f'--cmdenv={name}={value}' for name, value in env.items() if value]
        if self.far:
            bundle = sent_bundle(self._run, self._showing)
            tmp = self._run.join('_tmp', naming.last_of(output))
            found += [f'--archives={bundle}#{ENV}', f'--spark-tmp-dir={tmp}']
        return found

    def _near_environment(self) -> dict[str, str]:
        folder = naming.absolute(self._showing.folder)
        return {'PYTHONPATH': launch.python_path(), progress.FOLDER: folder}

    def _far_environment(self) -> dict[str, str]:
        return {'PYTHONPATH': ENV, hdfs.ADDRESSES: hdfs.for_tasks([self._run.path])}

    def prepare(self, job: Any, size: int, attempt: str) -> None:
        """Set what depends on a step, and listen."""
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
