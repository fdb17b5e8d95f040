"""Files on HDFS by the `hadoop fs` command, where WebHDFS is closed.

Each call starts a JVM, a second at the least; but whatever guards the cluster, if the
command works for the user, this does.
"""

import contextlib
import errno
import os
import re
import shutil
import subprocess
import tempfile
from typing import IO

from mr_reuse.errors import UserError
from mr_reuse.naming import join, last_of
from mr_reuse.stores.base import Answer, Entry
from mr_reuse.stores.on_hdfs import OnHdfs

MAGIC = re.compile(r'([][*?{}\\])')
LINE = re.compile(rb'([d-])\S{9}\S?\s+\S+\s+\S+\s+\S+\s+(\d+)\s+(\S+\s\S+)\s(.*)')
MISSING, DENIED = b'No such file or directory', b'Permission denied'


def command() -> str:
    """The `hadoop` of this machine."""
    home = os.environ.get('HADOOP_HOME', '')
    found = shutil.which('hadoop') or shutil.which(os.path.join(home, 'bin', 'hadoop'))
    if not found:
        raise UserError(
            'hadoop: no such command on this machine; put the bin folder of Hadoop '
            'into PATH, or name its folder in HADOOP_HOME'
        )
    return found


class HadoopFs(OnHdfs):
    """One HDFS, by what `hadoop fs` prints."""

    def status(self, name: str) -> Entry | None:
        try:
            return next(iter(self._list('-d', name)), None)
        except FileNotFoundError:
            return None

    def listing(self, name: str) -> list[Entry]:
        try:
            return sorted(self._list(name))
        except FileNotFoundError:
            return []

    def _list(self, *args: str) -> list[Entry]:
        *options, name = args
        found = []
        for line in self._run('-ls', *options, escaped(name)).split(b'\n'):
            if told := LINE.fullmatch(line):
                kind, size, changed, path = told.groups()
                path = os.fsdecode(path)
                one = name if options else join(name, last_of(path))
                stamp = f'{int(size)} {changed.decode()}'
                found.append(Entry(one, kind == b'd', int(size), stamp))
        return found

    def ask(self, name: str, offset: int) -> tuple[Answer, int | None]:
        found = self.status(name)
        if not found:
            raise FileNotFoundError(errno.ENOENT, 'not on HDFS', name)
        answer = _Cat([command(), 'fs', '-cat', escaped(name)])
        answer.skip(offset)
        return answer, found.size

    def put(self, path: str, name: str) -> None:
        with open(path, 'rb') as stream:  # paths with blanks it takes for broken URIs
            self._run('-put', '-f', '-', escaped(name), stdin=stream)

    def create(self, name: str, data: bytes) -> bool:
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.seek(0)
            with contextlib.suppress(FileExistsError):
                self._run('-put', '-', escaped(name), stdin=file)
                return True
        return False

    def make_dir(self, name: str) -> None:
        self._run('-mkdir', '-p', escaped(name))

    def remove(self, name: str) -> None:
        self._run('-rm', '-r', '-f', '-skipTrash', escaped(name))

    def _run(self, *args: str, stdin: int | IO[bytes] = subprocess.DEVNULL) -> bytes:
        done = subprocess.run(
            [command(), 'fs', *args],
            check=False,
            capture_output=True,
            stdin=stdin,
        )
        if done.returncode == 0:
            return done.stdout
        name = args[-1]
        lines = done.stderr.decode(errors='replace').strip().splitlines()
        last = lines[-1] if lines else f'it ended with {done.returncode}'
        why = next((li for li in lines if li.startswith(f'{args[0][1:]}:')), last)
        if MISSING in done.stderr:
            raise FileNotFoundError(errno.ENOENT, 'not on HDFS', name)
        if DENIED in done.stderr:
            raise PermissionError(errno.EACCES, f'no right on HDFS: {why}', name)
        if b'File exists' in done.stderr:
            raise FileExistsError(errno.EEXIST, 'exists', name)
        raise UserError(f'hadoop fs {args[0]} {name}: {why}')


class _Cat:
    """What a command prints."""

    def __init__(self, args: list[str]):
        self._process = subprocess.Popen(
            args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._out: IO[bytes] = self._process.stdout

    def skip(self, size: int) -> None:
        """Read over what is not wanted: the command cannot begin later."""
        while size and (read := self._out.read(min(size, 1 << 20))):
            size -= len(read)

    def read(self, size: int) -> bytes:
        return self._out.read(size)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._out.close()


def escaped(name: str) -> str:
    """A name in which `hadoop fs` sees no pattern.

    >>> print(escaped('hdfs:///a[1].gz'))
    hdfs:///a\\[1\\].gz
    """
    return MAGIC.sub(r'\\\1', name)
