"""mrjob's Hadoop runner, without the command `hadoop fs`.

mrjob starts `hadoop fs` for each operation on a file, which takes a second. This runner
uses the package `storage` instead.
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
from mr_reuse.engine.runners.client import run_client


class StoreFilesystem(HadoopFilesystem):
    """The file system interface of mrjob, on top of the package `storage`."""

    def get_hadoop_version(self):
        return hadoop_version(tuple(self.get_hadoop_bin()))

    def ls(self, path_glob) -> Iterator[str]:
        for entry in storage.find(path_glob):
            if entry.is_dir:
                yield from (file.name for file in storage.walk_files(entry.name))
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
def hadoop_version(command: tuple[str, ...]) -> str:
    """Return the version of Hadoop. The command, which takes a second, runs once."""
    filesystem = HadoopFilesystem(list(command))
    return HadoopFilesystem.get_hadoop_version(filesystem)


class HadoopRunner(Bundled, HadoopJobRunner):
    """A runner for jobs on a Hadoop cluster.

    The cluster sets `on_log`, which is called with each log message of the client.
    """

    on_log: Callable[[str], None] = staticmethod(lambda text: None)

    @property
    def fs(self):
        if self._fs is None:
            self._fs = CompositeFilesystem()
            self._fs.add_fs('hadoop', StoreFilesystem(self._opts['hadoop_bin'] or None))
            self._fs.add_fs('local', LocalFilesystem())
        return self._fs

    def _run_hadoop(self, hadoop_args, env, record_callback):
        """Run the client; return its exit code and mrjob's reading of its log."""
        streams = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.PIPE}
        with run_client(hadoop_args, env=env, **streams) as client:
            interpretation = _interpret_hadoop_jar_command_stderr(
                client.stderr, record_callback=self._log_record
            )
            return client.wait(), interpretation

    def _log_record(self, record):
        self.on_log(record['message'])
        _log_record_from_hadoop(record)
