"""Spark, on this machine, or on machines that share its disk or a remote storage."""

import os
import re
from collections import deque
from typing import Any, ClassVar

from mr_reuse.engine import launch, progress
from mr_reuse.engine.clusters.base import BUNDLE_FOLDER, SENT_VARIABLES, send_bundle
from mr_reuse.engine.display import Display
from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.runners.spark import SparkRunner
from mr_reuse.engine.step_record import Attempt
from mr_reuse.storage import hdfs, naming
from mr_reuse.storage.naming import is_remote
from mr_reuse.storage.web import host_slots

CAUSE_PREFIX = re.compile(r'^((Caused by)?: |Exception in thread "main" )')
WORKER_GONE = 'Python worker exited unexpectedly'
SQLSTATE = 'SQLSTATE: '  # in the line after a traceback, which names no cause
MAX_LINES = 10_000  # lines of Spark's log that are kept


class Spark:
    """Spark. Its jobs end with their driver, so none can be resumed."""

    logs = ''
    jobs: ClassVar[list[str]] = []

    def __init__(self, run: RunDir, display: Display, confs: list[str]):
        self._run, self._display = run, display
        self._log: deque[str] = deque(maxlen=MAX_LINES)
        with launch.collect_warnings():
            runner = SparkRunner(
                conf_paths=confs, local_tmp_dir=run.temporary_name('mrjob')
            )
        # Tasks on other machines share the disk of RUN with this machine, unless RUN
        # is in a remote storage.
        self.is_remote = is_remote(run.path) and not runner.runs_locally

    def arguments(self, output: str) -> list[str]:
        """Return the options of mrjob for a job that writes into this folder."""
        env = {
            'PYTHONUTF8': '1',  # the locale of a worker is not that of the driver
            'OPENBLAS_NUM_THREADS': '1',  # a task has one core
            host_slots.VARIABLE: '0',  # settings of Spark limit the tasks
            **{k: os.environ[k] for k in SENT_VARIABLES if k in os.environ},
            **(
                self._remote_environment()
                if self.is_remote
                else self._local_environment()
            ),
        }
        args = [f'--cmdenv={name}={value}' for name, value in env.items() if value]
        if self.is_remote:
            bundle = send_bundle(self._run, self._display)
            tmp = self._run.join('_tmp', naming.last_component(output))
            args += [f'--archives={bundle}#{BUNDLE_FOLDER}', f'--spark-tmp-dir={tmp}']
        return args

    def _local_environment(self) -> dict[str, str]:
        folder = naming.absolute(self._display.folder)
        return {'PYTHONPATH': launch.python_path(), progress.FOLDER: folder}

    def _remote_environment(self) -> dict[str, str]:
        return {
            'PYTHONPATH': BUNDLE_FOLDER,
            hdfs.ADDRESSES: hdfs.addresses_for_tasks([self._run.path]),
        }

    def prepare(self, job: Any, size: int, attempt: str) -> None:
        """Set the properties of the job of a step, and collect its log."""
        self._log.clear()
        job.on_log = self._log.append
        job.defaults = {'spark.app.name': f'mr_reuse {self._run.path} {attempt}'}

    def failure_lines(self) -> list[str]:
        """Return lines that may name the cause of a failure, the best one last."""
        if any(WORKER_GONE in line for line in self._log):
            return ['UserError: a task was killed, perhaps because memory ran out']
        lines = (line for line in self._log if SQLSTATE not in line)
        return [CAUSE_PREFIX.sub('', line) for line in lines]

    def resume(self, recorded: Attempt, digest: str, steps: int) -> bool:
        """Return False, since no job outlives its driver."""
        return False

    def abandon(self, attempt: str) -> bool:
        """Return True: the job has ended with its runner, so its output can go."""
        return True
