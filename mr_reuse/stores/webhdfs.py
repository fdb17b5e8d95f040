"""Files on HDFS, over WebHDFS: HTTP, without a JVM's second a call."""

import errno
import functools
import getpass
import io
import json
import os
import re
import time
import uuid
from typing import Any
from urllib.parse import quote, urlencode

import urllib3

from mr_reuse.errors import UserError
from mr_reuse.stores.base import Answer, Entry, Store, Unreachable

RETRIES = urllib3.Retry(
    6, redirect=3, backoff_factor=0.5, status_forcelist=(429, 502, 503, 504)
)
WAIT = urllib3.Timeout(connect=10, read=120)
STANDBY = ('StandbyException', 'RetriableException', 'SafeModeException')
PATIENCE = 60.0  # seconds for a NameNode that starts, or hands over to another one
KINDS = {
    'FileNotFoundException': (FileNotFoundError, errno.ENOENT, 'not on HDFS'),
    'AccessControlException': (PermissionError, errno.EACCES, 'no right on HDFS'),
    'SecurityException': (PermissionError, errno.EACCES, 'no right on HDFS'),
    'FileAlreadyExistsException': (FileExistsError, errno.EEXIST, 'exists'),
    'ParentNotDirectoryException': (NotADirectoryError, errno.ENOTDIR, 'no folder'),
}


class WebHdfs(Store):
    """One HDFS, by the HTTP addresses of its NameNodes."""

    broken = (urllib3.exceptions.HTTPError, ConnectionError, TimeoutError)

    def __init__(self, authority: str, addresses: list[str]):
        self._authority, self._addresses = authority, addresses
        self._user = os.environ.get('HADOOP_USER_NAME') or getpass.getuser()

    @property
    def _pool(self) -> urllib3.PoolManager:
        return _pool(os.getpid())

    def answers(self) -> bool:
        """Whether this way is open: it may be turned off, or want Kerberos."""
        quick = urllib3.Timeout(connect=3, read=10)
        for address in self._addresses:
            url = self._url(address, '/', 'GETHOMEDIRECTORY')
            try:
                found = self._pool.request('GET', url, retries=False, timeout=quick)
            except urllib3.exceptions.HTTPError:
                continue
            if found.status == 200 or b'StandbyException' in found.data:
                return True
        return False

    def status(self, name: str) -> Entry | None:
        try:
            found = self._json('GET', name, 'GETFILESTATUS')['FileStatus']
        except (FileNotFoundError, NotADirectoryError):
            return None
        return _entry(name, found)

    def listing(self, name: str) -> list[Entry]:
        try:
            found = self._json('GET', name, 'LISTSTATUS')['FileStatuses']['FileStatus']
        except FileNotFoundError:
            return []
        top = name.rstrip('/')
        entries = [_entry(f'{top}/{f["pathSuffix"]}', f) for f in found]
        return sorted(e for e in entries if not e.name.endswith('/'))

    def ask(self, name: str, offset: int) -> tuple[Answer, int | None]:
        size = self._json('GET', name, 'GETFILESTATUS')['FileStatus']['length']
        if offset >= size:
            return io.BytesIO(), size
        return self._request('GET', name, 'OPEN', offset=offset), size

    def put(self, path: str, name: str) -> None:
        half = self._upload(path, name)
        try:
            self._json(
                'PUT',
                half,
                'RENAME',
                destination=path_in(name),
                renameoptions='OVERWRITE',
            )
        except BaseException:
            self.remove(half)
            raise

    def _upload(self, path: str, name: str) -> str:
        """A local file under a name of its own beside the one that is meant."""
        with open(path, 'rb') as stream:
            size = os.fstat(stream.fileno()).st_size
            return self._write(name, stream, size)

    def _write(self, name: str, stream: io.BufferedIOBase, size: int) -> str:
        half = f'{name}.{uuid.uuid4().hex[:8]}.half'
        found = self._request('PUT', half, 'CREATE', redirect=False, overwrite='true')
        url = found.headers['Location']
        found.drain_conn()
        headers = {
            'Content-Type': 'application/octet-stream',
            'Content-Length': str(size),
        }
        found = self._pool.request('PUT', url, body=stream, headers=headers)
        if found.status != 201:
            raise _error(name, found)
        return half

    def create(self, name: str, data: bytes) -> bool:
        half = self._write(name, io.BytesIO(data), len(data))
        # Of two that rename to one name, one succeeds.
        done = self._json('PUT', half, 'RENAME', destination=path_in(name))['boolean']
        if not done:
            self.remove(half)
        return done

    def make_dir(self, name: str) -> None:
        try:
            self._json('PUT', name, 'MKDIRS')
        except (FileExistsError, NotADirectoryError):
            raise UserError(f'{name}: a file is in the way of this folder') from None

    def remove(self, name: str) -> None:
        self._json('DELETE', name, 'DELETE', recursive='true')

    def real(self, name: str) -> str:
        """With the authority, and without needless slashes."""
        path = re.sub('/+', '/', path_in(name)).rstrip('/')
        return f'hdfs://{self._authority}{path or "/"}'

    def _url(self, address: str, path: str, op: str, **more: object) -> str:
        asked = urlencode({'op': op, 'user.name': self._user, **more})
        return f'{address}/webhdfs/v1{quote(path)}?{asked}'

    def _json(self, method: str, name: str, op: str, **more: object) -> dict[str, Any]:
        found = self._request(method, name, op, **more)
        data = found.read(decode_content=True)
        found.release_conn()
        return json.loads(data) if data else {}

    def _request(
        self, method: str, name: str, op: str, redirect: bool = True, **more: object
    ) -> urllib3.BaseHTTPResponse:
        """Ask the NameNode that is active, once there is one."""
        until = time.monotonic() + PATIENCE
        while True:
            error: Exception = OSError('no address of a NameNode is known')
            for address in self._addresses:
                url = self._url(address, path_in(name), op, **more)
                try:
                    found = self._pool.request(
                        method, url, redirect=redirect, preload_content=False
                    )
                except urllib3.exceptions.HTTPError as broken:
                    error = Unreachable(f'{name}: {address} does not answer: {broken}')
                    continue
                if found.status < 400:
                    return found
                error = _error(name, found)
                if not isinstance(error, Unreachable):
                    raise error
            if time.monotonic() > until:
                raise error
            time.sleep(2)


@functools.cache
def _pool(process: int) -> urllib3.PoolManager:
    """The connections of this process; a fork must not use its parent's."""
    return urllib3.PoolManager(8, retries=RETRIES, timeout=WAIT)


def path_in(name: str) -> str:
    """The path of a URI, from its root on.

    >>> path_in('hdfs://host:9000/a b/c'), path_in('hdfs://host:9000')
    ('/a b/c', '/')
    """
    return '/' + name.partition('://')[2].partition('/')[2]


def _entry(name: str, told: dict[str, Any]) -> Entry:
    size, changed = told['length'], told['modificationTime']
    return Entry(name, told['type'] == 'DIRECTORY', size, f'{size} {changed}')


def _error(name: str, found: urllib3.BaseHTTPResponse) -> Exception:
    """What a NameNode or DataNode complains of."""
    data = found.read(decode_content=True)
    found.release_conn()
    try:
        told = json.loads(data)['RemoteException']
    except (ValueError, KeyError, TypeError):
        told = {'exception': '', 'message': f'HTTP status {found.status}'}
    kind, why = told.get('exception'), str(told.get('message')).partition('\n')[0]
    if kind in STANDBY:
        return Unreachable(f'{name}: {why}')
    made, number, text = KINDS.get(kind, (OSError, errno.EIO, why))
    if made is PermissionError:
        text = f'{text}: {why}'
    return made(number, text, name)
