"""mrjob's Hadoop runner, with fewer starts of a JVM.

mrjob asks `hadoop fs` for every little thing, a second a time; here files are the
business of `storage.py`.
"""

import functools
import subprocess
from collections.abc import Callable, Iterator

from mrjob.fs.composite import CompositeFilesystem
from mrjob.fs.hadoop import HadoopFilesystem
from mrjob.fs.local import LocalFilesystem
from mrjob.hadoop import HadoopJobRunner, _log_record_from_hadoop
from mrjob.logs.step import _interpret_hadoop_jar_command_stderr

from mr_reuse import storage
from mr_reuse.engine.runners.bundled import Bundled
from mr_reuse.engine.runners.client import started


class StoreFilesystem(HadoopFilesystem):
    """Files on HDFS and S3, as `storage.py` reads and writes them."""

    def get_hadoop_version(self):
        return version(tuple(self.get_hadoop_bin()))

    def ls(self, path_glob) -> Iterator[str]:
        for entry in storage.find(path_glob):
            if entry.is_dir:
                yield from (one.name for one in storage.tree(entry.name))
            else:
                yield entry.name

    def exists(self, path_glob) -> bool:
        return bool(storage.find(path_glob))

    def mkdir(self, path):
        storage.make_dir(path)

    def put(self, src, path):
        storage.put(src, path)

    def rm(self, path_glob):
        storage.remove(path_glob)


@functools.lru_cache
def version(command: tuple[str, ...]) -> str:
    """The version of Hadoop, asked once."""
    found = HadoopFilesystem(list(command))
    return HadoopFilesystem.get_hadoop_version(found)


class HadoopRunner(Bundled, HadoopJobRunner):
    """Jobs on a Hadoop cluster.

    The chain sets `hears`, which is given what the client of the cluster says.
    """

    hears: Callable[[str], None] = staticmethod(lambda text: None)

    @property
    def fs(self):
        if self._fs is None:
            self._fs = CompositeFilesystem()
            self._fs.add_fs('hadoop', StoreFilesystem(self._opts['hadoop_bin'] or None))
            self._fs.add_fs('local', LocalFilesystem())
        return self._fs

    def _run_hadoop(self, hadoop_args, env, record_callback):
        """Run the client, and tell what it says."""
        streams = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.PIPE}
        with started(hadoop_args, env=env, **streams) as client:
            told = _interpret_hadoop_jar_command_stderr(
                client.stderr, record_callback=self._record
            )
            return client.wait(), told

    def _record(self, record):
        self.hears(record['message'])
        _log_record_from_hadoop(record)
