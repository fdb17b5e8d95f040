"""A Hadoop of our own for tests, and what is done to it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import Ended, apart, ended
from crawls import ROOT

HOME = Path(os.environ.get('HADOOP_CLUSTER', ROOT / '.hadoop')).absolute()
CLUSTER = ROOT / 'tests/cluster/cluster'
COMMANDS = ('discover', 'detect')
# What is the same on every runner; run.json and inputs.txt tell of seconds and paths.
RESULTS = (
    'labels.tsv file_labels.tsv frequency.tsv labels.mrl pages.tsv bad_pages.tsv '
    'neighborhoods.tsv bad_neighborhoods.tsv file_matches.tsv '
    'label_counts.tsv origins.tsv stats.json'
).split()
ALIVE = 'NEW,NEW_SAVING,SUBMITTED,ACCEPTED,RUNNING'
SECONDS = 600


def cluster(*args: str) -> str:
    """Do something to the cluster."""
    line = [CLUSTER, args[0], HOME, *args[1:]]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope='session')
def hadoop() -> Iterator['Hadoop']:
    """The cluster, which is started if it does not run."""
    done = subprocess.run([CLUSTER, 'up', HOME], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    yield Hadoop()


class Hadoop:
    """A cluster that runs, as a user's shell and its web pages show it."""

    def __init__(self) -> None:
        ports = int((HOME / 'run/ports').read_text())
        self.files = f'hdfs://localhost:{ports}'
        self._yarn, self._history = ports + 9, ports + 41
        self.env = {
            'PATH': f'{HOME}/bin:{os.environ["PATH"]}',
            'HADOOP_HOME': str(HOME),
            'HADOOP_CONF_DIR': f'{HOME}/etc/hadoop',
        }

    def command(self, name: str, *args, **more) -> subprocess.Popen:
        """Begin a command as a user of the cluster does."""
        line = [sys.executable, '-m', f'mr_reuse.{name}', *args, '-r', 'hadoop']
        return apart(*line, env=self.env, **more)

    def run(self, name: str, *args, seconds: float = SECONDS) -> Ended:
        """Run a command to its end."""
        return ended(self.command(name, *args), seconds)

    def fs(self, *args, given: bytes = b'') -> bytes:
        """What `hadoop fs` prints."""
        line = [f'{HOME}/bin/hadoop', 'fs', *map(str, args)]
        env = {**os.environ, **self.env}
        told = subprocess.run(
            line, input=given, check=True, capture_output=True, env=env
        )
        return told.stdout

    def put(self, path: Path | str, name: str) -> None:
        """Copy a file to HDFS."""
        name = name.replace('[', r'\[').replace(']', r'\]')  # no pattern
        self.fs('-put', '-', name, given=Path(path).read_bytes())

    def names(self, folder: str) -> list[str]:
        """What lies anywhere below a folder on HDFS."""
        lines = self.fs('-ls', '-R', '-C', folder).decode().split('\n')
        return [line[len(folder) :] for line in lines if line]

    def fetch(self, run: str, folder: Path, names=RESULTS) -> dict[str, bytes]:
        """The results of a run."""
        self.fs('-get', *(f'{run}/{name}' for name in names), folder)
        return results(folder)

    def applications(self, state: str = ALIVE) -> list[dict]:
        """What YARN says of the applications in some states."""
        url = f'http://127.0.0.1:{self._yarn}/ws/v1/cluster/apps?states={state}'
        return (told(url)['apps'] or {}).get('app', [])

    def job(self, application: str) -> dict[str, int]:
        """How the tasks of a job that is finished went."""
        return self._of_job(application, '')['job']

    def state(self, application: str) -> str:
        """What YARN says of an application."""
        return self._application(application, '')['app']['state']

    def _application(self, application: str, what: str) -> dict:
        at = f'http://127.0.0.1:{self._yarn}/ws/v1/cluster/apps/{application}'
        return told(at + what)

    def attempts(self, application: str) -> list[dict]:
        """The attempts at all tasks of a job that is finished."""
        tasks = self._of_job(application, '/tasks')['tasks']['task']
        found = (self._of_job(application, f'/tasks/{t["id"]}/attempts') for t in tasks)
        return [one for t in found for one in t['taskAttempts']['taskAttempt']]

    def lost(self, application: str) -> int:
        """How many attempts at tasks, and at being its master, a job has lost."""
        masters = self._application(application, '/appattempts')['appAttempts']
        ended = [one['state'] for one in self.attempts(application)]
        return len(masters['appAttempt']) + len(ended) - 1 - ended.count('SUCCEEDED')

    def _of_job(self, application: str, what: str) -> dict:
        job = application.replace('application', 'job')
        at = f'http://127.0.0.1:{self._history}/ws/v1/history/mapreduce/jobs/{job}'
        return patiently(lambda: told(at + what))

    def running(self, step: str) -> dict | None:
        """The application of a step, if it runs."""
        apps = self.applications('RUNNING')
        return next((app for app in apps if f' {step}/' in app['name']), None)

    def busy_nodes(self) -> set[str]:
        """The addresses of the NodeManagers that have containers."""
        url = f'http://127.0.0.1:{self._yarn}/ws/v1/cluster/nodes?states=RUNNING'
        nodes = (told(url)['nodes'] or {}).get('node', [])
        return {node['id'] for node in nodes if node['numContainers']}

    def wait_for(self, step: str, seconds: float = 120) -> dict:
        """The application of a step, once it runs."""
        return patiently(lambda: self.running(step), seconds)


def told(address: str) -> dict | None:
    """What a daemon says, if it knows of what is asked."""
    try:
        with urllib.request.urlopen(address) as answer:
            return json.load(answer)
    except urllib.error.HTTPError:
        return None


def results(folder: Path) -> dict[str, bytes]:
    """The results of a run on this machine."""
    return {n: (folder / n).read_bytes() for n in RESULTS if (folder / n).exists()}


def patiently(look: Callable, seconds: float = 120) -> object:
    """What a function gives, as soon as it gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.1)
    raise AssertionError(f'not within {seconds} s')


class Process(NamedTuple):
    """A process in a container of the cluster."""

    pid: int
    parent: int
    node: str  # the daemon that has started it
    app: str
    line: list[str]


def containers() -> list[Process]:
    """What runs in the containers of this cluster, and of no other on the machine."""
    found = []
    for process in Path('/proc').glob('[0-9]*'):
        try:
            folder = os.readlink(process / 'cwd')
            line = (process / 'cmdline').read_bytes().decode().split('\0')
            parent = int((process / 'stat').read_text().rpartition(')')[2].split()[1])
        except OSError:
            continue  # has just ended
        if of := re.match(rf'{HOME}/data/(nodemanager.)/.*/(application_\w+)/', folder):
            found.append(Process(int(process.name), parent, *of.groups(), line))
    return found


def tasks(*words: str) -> list[Process]:
    """The Python tasks of the cluster with some words in their command line."""
    return [
        one
        for one in containers()
        if 'python' in one.line[0]
        and any(word.startswith('--step-num=') for word in one.line)
        and {*words} <= {*one.line}
    ]


def master(application: str) -> list[Process]:
    """The process that is the master of an application, if it is there."""
    return [
        one
        for one in containers()
        if one.app == application
        and 'java' in one.line[0]
        and any(word.endswith('.MRAppMaster') for word in one.line)
    ]


def kill_a_task() -> int:
    """Kill a task as soon as there is one."""

    def killed() -> int | None:
        for one in tasks():
            try:
                os.kill(one.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            return one.pid
        return None

    return patiently(killed)
