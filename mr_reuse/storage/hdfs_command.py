"""Files on HDFS, accessed by the `hadoop fs` command where WebHDFS is closed.

Each call starts a JVM, which takes a second or more. But this store works with every
kind of authentication for which the user's command works.
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
from mr_reuse.storage.base import Body, Entry, Opened, Unreachable
from mr_reuse.storage.hdfs_names import IN_THE_WAY, OnHdfs
from mr_reuse.storage.naming import join

MAGIC = re.compile(r'([][*?{}\\])')  # special characters of Hadoop's globs
# Kind, size, modification time in milliseconds, name; `-ls` prints only minutes. A name
# may contain a line feed but no slash, so two slashes mark its end.
FORMAT = '%F\t%b\t%Y\t%n//'
LINE = re.compile(rb'^([a-z ]+)\t(\d+)\t(\d+)\t([^/]*)//$', re.M)
# The messages of `hadoop fs`, as patterns, and the exceptions that they become.
ERRORS = {
    "`.*': No such file": (FileNotFoundError, errno.ENOENT, 'not on HDFS'),
    "`.*': File exists": (FileExistsError, errno.EEXIST, 'exists'),
    "`.*': Is not a dir": (NotADirectoryError, errno.ENOTDIR, 'not a folder'),
    f'.*{re.escape(IN_THE_WAY)}': (NotADirectoryError, errno.ENOTDIR, 'not a folder'),
    'Permission denied': (PermissionError, errno.EACCES, 'no right on HDFS'),
}
# Java decodes its arguments by the locale; this program always encodes names as UTF-8.
IS_UTF8 = locale.nl_langinfo(locale.CODESET).upper() == 'UTF-8'
LOCALE = {} if IS_UTF8 else {'LC_ALL': 'C.UTF-8'}


def find_command() -> str:
    """Return the path of the `hadoop` command of this machine."""
    home = os.environ.get('HADOOP_HOME', '')
    path = shutil.which('hadoop') or shutil.which(os.path.join(home, 'bin', 'hadoop'))
    if not path:
        raise UserError(
            'hadoop: no such command on this machine; put the bin folder of Hadoop '
            'into PATH, or name its folder in HADOOP_HOME'
        )
    return path


class HadoopFs(OnHdfs):
    """One HDFS, accessed by `hadoop fs`."""

    max_skip = sys.maxsize  # `-cat` always begins at the first byte of a file

    def status(self, name: str) -> Entry | None:
        try:
            [entry] = self._stat(name, escape(name))
        except (FileNotFoundError, NotADirectoryError):
            return None
        return entry._replace(name=name)

    def list_entries(self, name: str) -> list[Entry]:
        try:
            entries = self._stat(name, join(escape(name), '*'))
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(e._replace(name=join(name, e.name)) for e in entries)

    def _stat(self, name: str, pattern: str) -> list[Entry]:
        """Return the entries that match a pattern, named by their last component."""
        out = self._run(name, '-stat', FORMAT, pattern)
        if not (lines := LINE.findall(out)):
            text = out.decode(errors='replace').strip()
            raise UserError(f'hadoop fs -stat {name}: unexpected output: {text!r}')
        return [parse_entry(*fields) for fields in lines]

    def open_range(self, name: str, offset: int, limit: int = 0) -> Opened:
        entry = self.status(name)
        if not entry:
            raise FileNotFoundError(errno.ENOENT, 'not on HDFS', name)
        return Body(_Cat(name), entry.stamp, offset), entry.size

    def put(self, path: str, name: str) -> None:
        # From stdin, since the command reads a local path with blanks as a broken URI.
        with open(path, 'rb') as stream:
            self._run(name, '-put', '-f', '-', escape(name), stdin=stream)

    def create(self, name: str, data: bytes) -> bool:
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.seek(0)
            with contextlib.suppress(FileExistsError):
                self._run(name, '-put', '-', escape(name), stdin=file)
                return True
        return False

    def make_dir(self, name: str) -> None:
        try:
            self._run(name, '-mkdir', '-p', escape(name))
        except (FileExistsError, NotADirectoryError):
            raise UserError(f'{name}: a file is in the way of this folder') from None

    def remove(self, name: str) -> None:
        self._run(name, '-rm', '-r', '-f', '-skipTrash', escape(name))

    def rename(self, old: str, new: str) -> None:
        self._run(old, '-mv', escape(old), escape(new))

    def _run(
        self, name: str, *args: str, stdin: int | IO[bytes] = subprocess.DEVNULL
    ) -> bytes:
        done = subprocess.run(
            [find_command(), 'fs', *args],
            check=False,
            capture_output=True,
            stdin=stdin,
            start_new_session=True,  # Ctrl-C ends the driver only, which may clean up
            env={**os.environ, **LOCALE},
        )
        if done.returncode:
            raise failure(args[0], name, done.stderr)
        return done.stdout


def parse_entry(kind: bytes, size: bytes, changed: bytes, name: bytes) -> Entry:
    """Return the entry of a line of `-stat`, given as its fields.

    >>> parse_entry(b'regular file', b'3', b'1795075710472', b'a')
    Entry(name='a', is_dir=False, size=3, stamp='3 1795075710472')
    """
    stamp = f'{int(size)} {int(changed)}'
    return Entry(os.fsdecode(name), kind == b'directory', int(size), stamp)


class _Cat:
    """The bytes of a file from the first one on, as `hadoop fs -cat` prints them."""

    def __init__(self, name: str):
        self._name = name
        # A file, not a pipe: nothing reads stderr while stdout is read.
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._process = subprocess.Popen(
            [find_command(), 'fs', '-cat', escape(name)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env={**os.environ, **LOCALE},
        )

    def read(self, size: int) -> bytes:
        data = self._process.stdout.read(size)
        if size and not data and self._process.wait():
            self._stderr.seek(0)
            raise failure('-cat', self._name, self._stderr.read())
        return data

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._stderr.close()


def failure(option: str, name: str, stderr: bytes) -> Exception:
    """Return the exception for a failed command, according to its stderr.

    Only lines of the command itself count, not those of Java or of a wrapper script.

    >>> failure('-cat', 'f', b"java: No such file or directory\\ncat: Who are you?")
    Unreachable('hadoop fs -cat f: Who are you?')
    >>> failure('-cat', 'f', b"cat: `/f': No such file or directory")
    FileNotFoundError(2, "not on HDFS: `/f': No such file or directory")
    """
    lines = stderr.decode(errors='replace').strip().splitlines() or ['it failed']
    prefix = f'{option[1:]}: '
    own = [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]
    why = own[0] if own else lines[-1]
    for pattern, (error, number, text) in ERRORS.items():
        if own and re.match(pattern, why):
            return error(number, f'{text}: {why}', name)
    return Unreachable(f'hadoop fs {option} {name}: {why}')


def escape(name: str) -> str:
    """Return a name in which `hadoop fs` sees no glob.

    >>> print(escape('hdfs:///a[1].gz'))
    hdfs:///a\\[1\\].gz
    """
    return MAGIC.sub(r'\\\1', name)
