"""mrjob's Spark runner: its harness runs mappers and reducers as functions on RDDs.

Only how Spark is started and ended is ours. What it leaves on this machine lies in the
run's own folder, which goes with the run.
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
from mr_reuse.engine import locks
from mr_reuse.engine.runners.client import started
from mr_reuse.engine.runners.hadoop import StoreFilesystem
from mr_reuse.errors import UserError
from mr_reuse.storage import naming, text_files
from mr_reuse.storage.naming import is_remote

log = logging.getLogger('mrjob')
NO_SPARK = '-r spark: pyspark is not installed; pip install pyspark'
NO_JAVA = (
    '-r spark: Java is not found; install 17 or later, name its folder in JAVA_HOME '
    'if java is not found'
)
NOT_HERE = (
    '-r spark: spark_deploy_mode is {}, but the driver of a run is this machine; leave '
    'it out of the mrjob.conf'
)
HARNESS = os.path.join(os.path.dirname(__file__), 'spark_harness.py')
CHAIN = 'MR_REUSE_CHAIN'  # tells the harness for which process it works
ODD = '{},'  # what Spark gives a meaning in names of folders that it reads
PATIENCE = 10.0  # seconds for an answer


class SparkRunner(SparkMRJobRunner):
    """Jobs on Spark, on this machine or wherever `spark_master` is.

    The chain sets `defaults`, properties of a job that a mrjob.conf may override, and
    `hears`, which is given what Spark says.
    """

    defaults: dict[str, str] = {}
    hears: Callable[[str], None] = staticmethod(lambda text: None)

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        # It says that a line is a task, as Spark's reading of it cannot.
        self._lines_are_tasks = bool(self._hadoop_input_format)
        self._hadoop_input_format = None

    @classmethod
    def _default_opts(cls):
        return super()._default_opts() | {'bootstrap_mrjob': False}

    @property
    def is_here(self) -> bool:
        """Whether all tasks run on this machine, as children of this process."""
        return not self._spark_executors_have_own_wd()

    @property
    def is_far(self) -> bool:
        """Whether tasks run on machines that share no disk with this one."""
        return is_remote(self._output_dir)

    def _emulate_archives_on_spark(self):
        """Spark unpacks archives by itself since version 3.1."""
        return False

    @property
    def fs(self):
        if self._fs is None:
            self._fs = CompositeFilesystem()
            self._fs.add_fs('hadoop', StoreFilesystem())
            self._fs.add_fs('local', LocalFilesystem())
        return self._fs

    def _default_python_bin(self, local=False):
        """Compiled code in a bundle is for this version alone."""
        here = local or not self.is_far
        return [sys.executable if here else 'python{}.{}'.format(*sys.version_info)]

    def _pick_spark_tmp_dir(self):
        """Where the counters go, and nothing else."""
        return os.path.join(self._get_local_tmp_dir(), 'spark')

    def _check_spark_tmp_dir_opt(self):
        pass

    def _jobconf_for_step(self, step_num):
        scratch = {'spark.local.dir': self._spark_tmp_dir, 'spark.ui.enabled': 'false'}
        found = scratch if self.is_here else {}
        return {**found, **self.defaults, **super()._jobconf_for_step(step_num)}

    def _step_input_uris(self, step_num):
        paths = self._get_input_paths()
        return [_uri(self._sent(path) if self.is_far else path) for path in paths]

    def _sent(self, path: str) -> str:
        """An input where tasks elsewhere see it; if its lines are tasks, a folder."""
        if is_remote(path):
            return path
        there = naming.join(self._opts['spark_tmp_dir'], naming.last_of(path))
        if self._lines_are_tasks:
            with storage.open_read(path) as stream:
                tasks = enumerate(stream.read().splitlines())
            lines = {naming.join(there, f'task-{n:05d}.gz'): line for n, line in tasks}
            storage.each(lambda name: text_files.write_gzip(name, [lines[name]]), lines)
        else:
            storage.put(path, there)
        return there

    def _step_output_uri(self, step_num):
        return _uri(self._output_dir)

    def _dest_in_wd_mirror(self, path, name):
        """Spark follows links, and calls a file as what it has found there."""
        path = path if is_remote(path) else os.path.realpath(path)
        return super()._dest_in_wd_mirror(path, name)

    def _spark_harness_path(self):
        return HARNESS

    def _run(self):
        self._check()
        os.makedirs(self._spark_tmp_dir, exist_ok=True)
        super()._run()

    def _check(self) -> None:
        """Say what is missing before Spark says it in its own way."""
        if not shutil.which(self.get_spark_submit_bin()[0]):
            raise UserError(NO_SPARK)
        home = os.environ.get('JAVA_HOME')
        if not shutil.which(os.path.join(home, 'bin', 'java') if home else 'java'):
            raise UserError(NO_JAVA)
        if (mode := self._spark_deploy_mode() or 'client') != 'client':
            raise UserError(NOT_HERE.format(mode))
        master = self._spark_master()
        if master.startswith('spark://') and not any(map(_answers, _hosts(master))):
            raise UserError(
                f'{master}: no Spark master answers there; a mrjob.conf (-c) names it '
                'as runners: {spark: {spark_master: …}}'
            )

    def _run_spark_submit(self, spark_submit_args, env, record_callback):
        """Run Spark, and tell what it says."""
        if self.is_here:
            env.setdefault('SPARK_LOCAL_IP', '127.0.0.1')  # nobody else has to reach it
        env['PYSPARK_DRIVER_PYTHON'] = sys.executable
        env['PYTHONPATH'] = os.environ['PYTHONPATH']  # tasks may have another
        env[CHAIN] = json.dumps(locks.process())
        scratch = f'"-Djava.io.tmpdir={self._spark_tmp_dir}"'
        env['SPARK_SUBMIT_OPTS'] = f'{scratch} {env.get("SPARK_SUBMIT_OPTS", "")}'
        streams = {'stdout': subprocess.PIPE, 'stderr': subprocess.STDOUT}
        with started(spark_submit_args, env=env, errors='replace', **streams) as client:
            for line in client.stdout:
                log.info(line.rstrip())
                self.hears(line.rstrip())
            return client.wait(), {}


def _uri(name: str) -> str:
    """A name as Spark reads it, whatever file system it takes for its own.

    >>> _uri('/a b'), _uri('hdfs://nn/a')
    ('file:///a b', 'hdfs://nn/a')
    """
    if odd := set(ODD) & set(name):
        raise UserError(f'{name}: Spark does not read names with {min(odd)!r}')
    return name if is_remote(name) else f'file://{naming.absolute(name)}'


def _hosts(master: str) -> list[tuple[str, int]]:
    """The hosts and ports of a Spark master and those that stand by.

    >>> _hosts('spark://a:7077,b:7078')
    [('a', 7077), ('b', 7078)]
    """
    pairs = (one.rpartition(':') for one in master[len('spark://') :].split(','))
    try:
        return [(host.strip('[]'), int(port)) for host, _, port in pairs]
    except ValueError:
        raise UserError(f'{master}: no spark://HOST:PORT') from None


def _answers(address: tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, PATIENCE).close()
    except OSError:
        return False
    return True
