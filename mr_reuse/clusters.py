"""What a chain does for jobs that run on other machines than the driver.

Code, input and addresses get there; what a dead driver has left is taken up or ended.
"""

import argparse
import os
import re
from typing import Any

from mr_reuse import bundling, naming, progress, storage, troubles, yarn
from mr_reuse.errors import UsageError
from mr_reuse.naming import is_remote
from mr_reuse.rundir import BUNDLES, RunDir
from mr_reuse.showing import Showing
from mr_reuse.stores import hdfs

ENV = 'mr_reuse_env'  # what tasks call the bundle
REDUCE_BYTES = 256 << 20  # of a step's input, for one reducer
PROGRESS = re.compile(r'\s*map (\d+)% reduce (\d+)%')
FAILURE = re.compile(r'^(?:Error|Diagnostics)\b.*|.*\bException: .*', re.MULTILINE)
NO_PYTHON = re.compile(r'Cannot run program "(python[\d.]+)"')
# What says where S3 is; keys are for the cluster to have.
PASSED_ON = 'AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 AWS_DEFAULT_REGION AWS_REGION'.split()


def check(given: argparse.Namespace) -> None:
    """Refuse a run directory that the machines of a cluster do not see."""
    if given.runner == 'hadoop' and not is_remote(given.output):
        raise UsageError(
            f'{given.output}: on this machine, which -r hadoop does not see; name a '
            f'folder such as hdfs:///user/NAME/{naming.last_of(given.output)}'
        )


class Hadoop:
    """A Hadoop cluster, as the chain of one run uses it."""

    def __init__(self, run: RunDir, showing: Showing):
        self._run, self._showing = run, showing
        self._troubles = run.join('_tmp', 'troubles')
        self._said: list[str] = []

    def arguments(self) -> list[str]:
        """What mrjob is told for every job."""
        env = {
            'PYTHONPATH': ENV,
            hdfs.ADDRESSES: hdfs.for_tasks([self._run.path]),
            troubles.FOLDER: self._troubles,
            'OPENBLAS_NUM_THREADS': '1',  # a task is given one core
            **{k: os.environ[k] for k in PASSED_ON if k in os.environ},
        }
        return [
            f'--archives={self._bundle()}#{ENV}',
            f'--hadoop-tmp-dir={self._run.join("_tmp")}',
            *(f'--cmdenv={name}={value}' for name, value in env.items() if value),
        ]

    def _bundle(self) -> str:
        """Where the code for tasks is, which is sent there once a run."""
        path = bundling.cached()
        name = self._run.join(BUNDLES, naming.last_of(path))
        if not storage.exists(name):
            self._showing.say(f'sending code to {name}')
            storage.make_dir(self._run.join(BUNDLES))
            storage.put(path, name)
        return name

    def prepare(self, job: Any, size: int, attempt: str) -> None:
        """Set what depends on a step: its reducers, and how it is found again."""
        storage.remove(self._troubles)
        self._said = []
        job.hears = self._hear
        job.defaults = {
            'mapreduce.job.name': f'mr_reuse {self._run.path} {attempt}',
            'mapreduce.job.tags': naming.last_of(attempt),
            'mapreduce.job.reduces': str(max(1, -(-size // REDUCE_BYTES))),
            'mapreduce.map.output.compress': 'true',
            'mapreduce.input.lineinputformat.linespermap': '1',
            'stream.map.input.ignoreKey': 'true',
        }

    def _hear(self, text: str) -> None:
        if found := PROGRESS.match(text):
            done = sum(map(int, found.groups())) / 200
            progress.tell_share(self._run.temporary('progress'), done)
        self._said += [line.strip() for line in FAILURE.findall(text)]

    def reasons(self) -> list[str]:
        """Why a step has failed, the best reason last."""
        for line in self._said:
            if found := NO_PYTHON.search(line):
                return [
                    f'UserError: a node has no {found[1]}, the version of Python that '
                    'this program runs with; install it there, or use the version '
                    'that the nodes have'
                ]
        told = troubles.all_in(self._troubles)
        return [*self._said, *(line for text in told for line in text.splitlines())]

    def take_up(self, left: dict[str, Any], digest: str, steps: int) -> str:
        """What an application that outlived its driver has made, '' if nothing."""
        tag, output = naming.last_of(left['output']), self._run.join(left['output'])
        wanted = left['digest'] == digest and steps == 1
        apps = yarn.running(tag)
        if apps and wanted:
            self._showing.say(f'{apps[0]} is still at it, so it is waited for')
            yarn.wait_for(tag)
        elif apps or apps is None:
            yarn.end(tag)
        finished = storage.exists(naming.join(output, '_SUCCESS'))
        return left['output'] if wanted and finished else ''

    def end(self, attempt: str) -> None:
        """End what still runs of a step."""
        yarn.end(naming.last_of(attempt))
