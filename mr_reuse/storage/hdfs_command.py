"""Files on HDFS by the `hadoop fs` command, where WebHDFS is closed.

Each call starts a JVM, a second at the least; but whatever guards the cluster, if the
command works for the user, this does.
"""

import contextlib
import errno
import locale
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import IO

from mr_reuse.errors import UserError
from mr_reuse.storage.base import Answer, Body, Entry, Unreachable
from mr_reuse.storage.hdfs_names import IN_THE_WAY, OnHdfs
from mr_reuse.storage.naming import join

MAGIC = re.compile(r'([][*?{}\\])')
# Kind, size, milliseconds and name: what WebHDFS tells, and `-ls` does not. No name has
# a / in it, but it may have a line feed.
FORMAT = '%F\t%b\t%Y\t%n//'
LINE = re.compile(rb'^([a-z ]+)\t(\d+)\t(\d+)\t([^/]*)//$', re.M)
KINDS = {
    "`.*': No such file": (FileNotFoundError, errno.ENOENT, 'not on HDFS'),
    "`.*': File exists": (FileExistsError, errno.EEXIST, 'exists'),
    "`.*': Is not a dir": (NotADirectoryError, errno.ENOTDIR, 'no folder'),
    f'.*{re.escape(IN_THE_WAY)}': (NotADirectoryError, errno.ENOTDIR, 'no folder'),
    'Permission denied': (PermissionError, errno.EACCES, 'no right on HDFS'),
}
# Java takes names for what the locale says; on our side they are UTF-8 always.
IS_UTF8 = locale.nl_langinfo(locale.CODESET).upper() == 'UTF-8'
LOCALE = {} if IS_UTF8 else {'LC_ALL': 'C.UTF-8'}


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

    max_skip = sys.maxsize  # a command begins at the first byte, always

    def status(self, name: str) -> Entry | None:
        try:
            [found] = self._told(name, escaped(name))
        except (FileNotFoundError, NotADirectoryError):
            return None
        return found._replace(name=name)

    def listing(self, name: str) -> list[Entry]:
        try:
            found = self._told(name, join(escaped(name), '*'))
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(e._replace(name=join(name, e.name)) for e in found)

    def _told(self, name: str, pattern: str) -> list[Entry]:
        """What there is of a pattern, by last names."""
        out = self._run(name, '-stat', FORMAT, pattern)
        if not (found := LINE.findall(out)):
            told = out.decode(errors='replace').strip()
            raise UserError(f'hadoop fs -stat {name}: not understood: {told!r}')
        return [entry(*parts) for parts in found]

    def ask(self, name: str, offset: int, limit: int = 0) -> tuple[Answer, int | None]:
        found = self.status(name)
        if not found:
            raise FileNotFoundError(errno.ENOENT, 'not on HDFS', name)
        return Body(_Cat(name), found.stamp, offset), found.size

    def put(self, path: str, name: str) -> None:
        with open(path, 'rb') as stream:  # paths with blanks it takes for broken URIs
            self._run(name, '-put', '-f', '-', escaped(name), stdin=stream)

    def create(self, name: str, data: bytes) -> bool:
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.seek(0)
            with contextlib.suppress(FileExistsError):
                self._run(name, '-put', '-', escaped(name), stdin=file)
                return True
        return False

    def make_dir(self, name: str) -> None:
        try:
            self._run(name, '-mkdir', '-p', escaped(name))
        except (FileExistsError, NotADirectoryError):
            raise UserError(f'{name}: a file is in the way of this folder') from None

    def remove(self, name: str) -> None:
        self._run(name, '-rm', '-r', '-f', '-skipTrash', escaped(name))

    def _run(
        self, name: str, *args: str, stdin: int | IO[bytes] = subprocess.DEVNULL
    ) -> bytes:
        done = subprocess.run(
            [command(), 'fs', *args],
            check=False,
            capture_output=True,
            stdin=stdin,
            start_new_session=True,  # Ctrl-C is for the driver, which may clean up
            env={**os.environ, **LOCALE},
        )
        if done.returncode:
            raise failure(args[0], name, done.stderr)
        return done.stdout


def entry(kind: bytes, size: bytes, changed: bytes, name: bytes) -> Entry:
    """What a line tells.

    >>> entry(b'regular file', b'3', b'1795075710472', b'a')
    Entry(name='a', is_dir=False, size=3, stamp='3 1795075710472')
    """
    stamp = f'{int(size)} {int(changed)}'
    return Entry(os.fsdecode(name), kind == b'directory', int(size), stamp)


class _Cat:
    """The bytes of a file from its first on, as a command prints them."""

    def __init__(self, name: str):
        self._name = name
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._process = subprocess.Popen(
            [command(), 'fs', '-cat', escaped(name)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env={**os.environ, **LOCALE},
        )

    def read(self, size: int) -> bytes:
        found = self._process.stdout.read(size)
        if size and not found and self._process.wait():
            self._said.seek(0)
            raise failure('-cat', self._name, self._said.read())
        return found

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._said.close()


def failure(option: str, name: str, said: bytes) -> Exception:
    """What a command complains of, in the lines that are its own and no wrapper's.

    >>> failure('-cat', 'f', b"java: No such file or directory\\ncat: Who are you?")
    Unreachable('hadoop fs -cat f: Who are you?')
    >>> failure('-cat', 'f', b"cat: `/f': No such file or directory")
    FileNotFoundError(2, "not on HDFS: `/f': No such file or directory")
    """
    lines = said.decode(errors='replace').strip().splitlines() or ['it failed']
    begin = f'{option[1:]}: '
    own = [line.removeprefix(begin) for line in lines if line.startswith(begin)]
    why = own[0] if own else lines[-1]
    for pattern, (kind, number, text) in KINDS.items():
        if own and re.match(pattern, why):
            return kind(number, f'{text}: {why}', name)
    return Unreachable(f'hadoop fs {option} {name}: {why}')


def escaped(name: str) -> str:
    """A name in which `hadoop fs` sees no pattern.

    >>> print(escaped('hdfs:///a[1].gz'))
    hdfs:///a\\[1\\].gz
    """
    return MAGIC.sub(r'\\\1', name)
