"""AWS for tests: moto says what it would say, and a real Hadoop does what it would do.

moto takes clusters and steps but runs none; here each step's command is run on the
Hadoop of the tests, with s3a on moto's S3 in place of EMR's own file system.
"""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import boto3
import pytest
from commands import Ended, apart, ended
from hadoop import CLUSTER, HOME, Hadoop
from moto.core.utils import utcnow
from moto.server import ThreadedMotoServer

ACCOUNT, REGION = '123456789012', 'us-east-1'
KEYS = {'AWS_ACCESS_KEY_ID': 'test', 'AWS_SECRET_ACCESS_KEY': 'test'}
LONG = 3 * 600  # seconds that all steps may take where other work goes on
ENV = {**KEYS, 'AWS_DEFAULT_REGION': REGION}


class Aws:
    """S3 and EMR, and what was asked of them."""

    def __init__(self, port: int):
        self.url = f'http://127.0.0.1:{port}'
        self.steps: list[dict] = []  # as mrjob has sent them
        self.steps_of_a_cluster = 0  # with which the next one ends, as when it is idle
        self.hadoop = Hadoop()
        self.hadoop.env |= ENV | {'AWS_ENDPOINT_URL': self.url}
        self._ended = threading.Event()

    def begin(self, name: str, *args, runner: str | None = 'emr') -> subprocess.Popen:
        """Start a command."""
        line = [sys.executable, '-m', f'mr_reuse.{name}', *args]
        line += ['-r', runner] if runner else []
        return apart(*line, env=self.hadoop.env)

    def run(self, name: str, *args, runner: str | None = 'emr') -> Ended:
        """Run a command to its end."""
        return ended(self.begin(name, *args, runner=runner), LONG)

    def client(self, kind: str):
        keys = {'aws_access_key_id': 'test', 'aws_secret_access_key': 'test'}
        return boto3.client(kind, endpoint_url=self.url, region_name=REGION, **keys)

    def clusters(self) -> list:
        """The clusters as moto has them."""
        return list(models().emr_backends[ACCOUNT][REGION].clusters.values())

    def work(self) -> None:
        """Run steps as they come."""
        while not self._ended.wait(0.2):
            for cluster in self.clusters():
                for step in list(cluster.steps):
                    if step.state in ('PENDING', 'RUNNING'):
                        self._run(cluster, step)

    def _run(self, cluster, step) -> None:
        self.steps.append({'name': step.name, 'jar': step.jar, 'args': step.args})
        step.state, step.start_date_time = 'RUNNING', utcnow()
        code = self._streaming(step.args) if step.jar == 'command-runner.jar' else 0
        step.end_date_time, cluster.state = utcnow(), 'WAITING'
        if len(cluster.steps) == self.steps_of_a_cluster:
            cluster.state, self.steps_of_a_cluster = 'TERMINATED_WITH_ERRORS', 0
        if step.state == 'RUNNING':  # it may have been cancelled
            step.state = 'FAILED' if code else 'COMPLETED'  # last: mrjob looks at it

    def _streaming(self, args: list[str]) -> int:
        assert args[0] == 'hadoop-streaming'
        [jar] = HOME.glob('share/hadoop/tools/lib/hadoop-streaming-*.jar')
        line = [HOME / 'bin/hadoop', 'jar', jar]
        line += [arg.replace('s3://', 's3a://') for arg in args[1:]]
        # Nodes of AWS have a role; here it comes with the step.
        line += [word for pair in KEYS.items() for word in ('-cmdenv', '='.join(pair))]
        env = {**os.environ, **self.hadoop.env}
        with open(HOME / 'logs/steps.log', 'ab') as log:
            return subprocess.run(line, check=False, env=env, stderr=log).returncode

    def close(self) -> None:
        self._ended.set()


def models():
    """The module of moto. It takes 120 MB, which every fork of a test would map."""
    from moto.emr import models  # noqa: PLC0415

    return models


def add_applications(self, applications) -> None:
    """As real EMR, tell the version of each application; mrjob asks for Hadoop's."""
    for one in applications:
        name = one.get('Name') or one.get('name')
        self.applications.append(models().Application(name, '3.4.2', [], {}))


@pytest.fixture(scope='module')
def aws() -> Iterator[Aws]:
    """AWS on this machine."""
    models().Cluster.add_applications = add_applications
    with socket.create_server(('127.0.0.1', 0)) as free:
        port = free.getsockname()[1]
    server = ThreadedMotoServer(ip_address='127.0.0.1', port=port, verbose=False)
    server.start()
    env = {**os.environ, 'S3_ENDPOINT': f'http://127.0.0.1:{port}'}
    subprocess.run([CLUSTER, 'up', HOME], check=True, env=env, capture_output=True)
    found = Aws(port)
    worker = threading.Thread(target=found.work, daemon=True)
    worker.start()
    yield found
    found.close()
    server.stop()
    subprocess.run([CLUSTER, 'up', HOME], check=True, capture_output=True)
