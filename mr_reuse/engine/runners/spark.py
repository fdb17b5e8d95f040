"""mrjob's Spark runner, which runs mappers and reducers as functions on RDDs.

The changes concern how Spark starts, ends and opens its input. Its temporary files on
this machine are in the temporary folder of the run, which is removed after the run.
"""

import json
import logging
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable

from mrjob.fs.composite import CompositeFilesystem
from mrjob.fs.local import LocalFilesystem
from mrjob.spark.runner import SparkMRJobRunner

from mr_reuse import storage
from mr_reuse.engine import launch, processes
from mr_reuse.engine.runners.client import run_client
from mr_reuse.engine.runners.hadoop import StoreFilesystem
from mr_reuse.errors import UserError
from mr_reuse.storage import naming, text_files
from mr_reuse.storage.naming import is_remote

log = logging.getLogger('mrjob')
NO_SPARK = '-r spark: pyspark is not installed; pip install pyspark'
NO_JAVA = (
    '-r spark: no java in JAVA_HOME or PATH; install Java 17 or later, or set '
    'JAVA_HOME to its folder'
)
NOT_CLIENT = (
    '-r spark: spark_deploy_mode is {}, but the driver of a run is this machine; leave '
    'it out of the mrjob.conf'
)
HARNESS = os.path.join(os.path.dirname(__file__), 'spark_harness.py')
DRIVER = 'MR_REUSE_DRIVER'  # environment variable: the process that started Spark
SPECIAL = '{},'  # characters with a meaning for Spark in names of input
CONNECT_TIMEOUT = 10.0  # seconds


class SparkRunner(SparkMRJobRunner):
    """A runner for jobs on Spark, on this machine or on the master `spark_master`.

    The cluster sets `defaults`: properties of a job, which a mrjob.conf overrides. It
    also sets `on_log`, which is called with each line of Spark's output.
    """

    defaults: dict[str, str] = {}
    on_log: Callable[[str], None] = staticmethod(lambda text: None)

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        # The input format of a list of archives (NLineInputFormat) makes a task of each
        # line. Spark does not support it, so `_upload` writes a file for each line.
        self._lines_are_tasks = bool(self._hadoop_input_format)
        self._hadoop_input_format = None

    @classmethod
    def _default_opts(cls):
        return super()._default_opts() | {'bootstrap_mrjob': False}

    @property
    def runs_locally(self) -> bool:
        """True if all tasks run on this machine, as children of this process."""
        return not self._spark_executors_have_own_wd()

    @property
    def runs_remotely(self) -> bool:
        """True if tasks run on machines that share no disk with this machine.

        Not the opposite of `runs_locally`: the machines of a cluster may share a disk
        with this machine.
        """
        return is_remote(self._output_dir)

    def _emulate_archives_on_spark(self):
        """Return False, since Spark itself unpacks archives from version 3.1 on."""
        return False

    @property
    def fs(self):
        if self._fs is None:
            self._fs = CompositeFilesystem()
            self._fs.add_fs('hadoop', StoreFilesystem())
            self._fs.add_fs('local', LocalFilesystem())
        return self._fs

    def _default_python_bin(self, local=False):
        """Return this Python, or on other machines a Python of this version.

        The bundle has compiled code for this version only.
        """
        if local or not self.runs_remotely:
            return [sys.executable]
        return ['python{}.{}'.format(*sys.version_info)]

    def _pick_spark_tmp_dir(self):
        """Return a folder on this machine, since only counters are written there."""
        return os.path.join(self._get_local_tmp_dir(), 'spark')

    def _check_spark_tmp_dir_opt(self):
        pass  # mrjob would warn that tasks cannot read the folder above

    def _jobconf_for_step(self, step_num):
        scratch = {'spark.local.dir': self._spark_tmp_dir, 'spark.ui.enabled': 'false'}
        local = scratch if self.runs_locally else {}
        return {**local, **self.defaults, **super()._jobconf_for_step(step_num)}

    def _step_input_uris(self, step_num):
        paths = self._get_input_paths()
        return [
            _uri(self._upload(path) if self.runs_remotely else path) for path in paths
        ]

    def _upload(self, path: str) -> str:
        """Copy a local input to where tasks can read it, and return its name there.

        If each line of the input is a task, the copy is a folder with a file for each
        line. They are gzipped, since Spark gives a gzipped file to exactly one task.
        """
        if is_remote(path):
            return path
        target = naming.join(self._opts['spark_tmp_dir'], naming.last_component(path))
        if self._lines_are_tasks:
            with storage.open_read(path) as stream:
                tasks = enumerate(stream.read().splitlines())
            lines = {naming.join(target, f'task-{n:05d}.gz'): line for n, line in tasks}
            storage.map_names(
                lambda name: text_files.write_gzip(name, [lines[name]]), lines
            )
        else:
            storage.put(path, target)
        return target

    def _step_output_uri(self, step_num):
        return _uri(self._output_dir)

    def _dest_in_wd_mirror(self, path, name):
        """Follow links, as Spark does, which then uses the name of the target."""
        path = path if is_remote(path) else os.path.realpath(path)
        return super()._dest_in_wd_mirror(path, name)

    def _spark_harness_path(self):
        return HARNESS

    def _run(self):
        self._check()
        os.makedirs(self._spark_tmp_dir, exist_ok=True)
        super()._run()

    def _check(self) -> None:
        """Refuse to start if something is missing. Errors of Spark are hard to read."""
        if not shutil.which(self.get_spark_submit_bin()[0]):
            raise UserError(NO_SPARK)
        home = os.environ.get('JAVA_HOME')
        if not shutil.which(os.path.join(home, 'bin', 'java') if home else 'java'):
            raise UserError(NO_JAVA)
        if (mode := self._spark_deploy_mode() or 'client') != 'client':
            raise UserError(NOT_CLIENT.format(mode))
        master = self._spark_master()
        if master.startswith('spark://') and not any(map(_answers, _hosts(master))):
            raise UserError(
                f'{master}: no Spark master answers there; a mrjob.conf (-c) names it '
                'as runners: {spark: {spark_master: …}}'
            )

    def _run_spark_submit(self, spark_submit_args, env, record_callback):
        """Run Spark; return its exit code and no interpretation of its log."""
        if self.runs_locally:
            env.setdefault('SPARK_LOCAL_IP', '127.0.0.1')  # no other host connects
        env['PYSPARK_DRIVER_PYTHON'] = sys.executable
        env['PYTHONPATH'] = launch.python_path()  # mrjob set the path of the tasks
        env[DRIVER] = json.dumps(processes.describe_process())
        scratch = f'"-Djava.io.tmpdir={self._spark_tmp_dir}"'
        env['SPARK_SUBMIT_OPTS'] = f'{scratch} {env.get("SPARK_SUBMIT_OPTS", "")}'
        streams = {'stdout': subprocess.PIPE, 'stderr': subprocess.STDOUT}
        with run_client(
            spark_submit_args, env=env, errors='replace', **streams
        ) as client:
            for line in client.stdout:
                log.info(line.rstrip())
                self.on_log(line.rstrip())
            return client.wait(), {}


def _uri(name: str) -> str:
    """Return a name that Spark reads in the same way for any default file system.

    >>> _uri('/a b'), _uri('hdfs://nn/a')
    ('file:///a b', 'hdfs://nn/a')
    """
    if special := set(SPECIAL) & set(name):
        raise UserError(f'{name}: Spark does not read names with {min(special)!r}')
    return name if is_remote(name) else f'file://{naming.absolute(name)}'


def _hosts(master: str) -> list[tuple[str, int]]:
    """Return host and port of a Spark master and of its standby masters.

    >>> _hosts('spark://a:7077,b:7078')
    [('a', 7077), ('b', 7078)]
    """
    addresses = master[len('spark://') :].split(',')
    pairs = (address.rpartition(':') for address in addresses)
    try:
        return [(host.strip('[]'), int(port)) for host, _, port in pairs]
    except ValueError:
        raise UserError(f'{master}: not spark://HOST:PORT') from None


def _answers(address: tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, CONNECT_TIMEOUT).close()
    except OSError:
        return False
    return True
