"""Files on HDFS, over WebHDFS: HTTP, without a JVM's second a call."""

import contextlib
import errno
import functools
import getpass
import io
import json
import os
import socket
import time
import uuid
from collections.abc import Iterator
from typing import Any, BinaryIO
from urllib.parse import quote, urlencode, urlsplit

import urllib3

from mr_reuse.errors import PARTIAL_SUFFIX, UserError
from mr_reuse.storage.base import AT_ONCE, Answer, Body, Entry, Unreachable
from mr_reuse.storage.hdfs_names import IN_THE_WAY, OnHdfs, path_in
from mr_reuse.storage.naming import join
from mr_reuse.storage.web import TIMEOUT, reason

# Asked again is by us, who can ask another NameNode, and for another DataNode.
ONCE = urllib3.Retry(total=None, connect=0, read=0, redirect=3, status=0, other=0)
WAIT = urllib3.Timeout(connect=10, read=TIMEOUT)
PAUSE = 2.0  # seconds
PATIENCE = 60.0  # seconds for a NameNode that starts, or hands over to another one
WRONG = (400, 401, 404, 405)  # what does not mend by asking again
FULL = 'the quota on HDFS is used up'
KINDS = {
    'FileNotFoundException': (FileNotFoundError, errno.ENOENT, 'not on HDFS'),
    'AccessControlException': (PermissionError, errno.EACCES, 'no right on HDFS'),
    'FileAlreadyExistsException': (FileExistsError, errno.EEXIST, 'exists'),
    'ParentNotDirectoryException': (NotADirectoryError, errno.ENOTDIR, 'no folder'),
    'NSQuotaExceededException': (OSError, errno.EDQUOT, FULL),
    'DSQuotaExceededException': (OSError, errno.EDQUOT, FULL),
}


class Away(Unreachable):
    """A server that is silent or on standby: another may know more."""


class WebHdfs(OnHdfs):
    """One HDFS, by the HTTP addresses of its NameNodes."""

    broken = (urllib3.exceptions.HTTPError, ConnectionError, TimeoutError)

    def __init__(self, authority: str, addresses: list[str]):
        super().__init__(authority)
        self._addresses = addresses
        self._dead: set[str] = set()  # DataNodes, by IP
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
        except (FileNotFoundError, NotADirectoryError):
            return []
        # A file is told of as well: then there is nothing below its name.
        below = [one for one in found if one['pathSuffix']]
        return sorted(_entry(join(name, one['pathSuffix']), one) for one in below)

    def ask(self, name: str, offset: int, limit: int = 0) -> tuple[Answer, int | None]:
        found = self._json('GET', name, 'GETFILESTATUS')['FileStatus']
        size, raw = found['length'], io.BytesIO()
        if offset < size:
            end = {'length': limit} if limit else {}
            raw = self._request('GET', name, 'OPEN', offset=offset, **end)
        return Body(raw, f'{found.get("fileId")} {found["modificationTime"]}'), size

    def put(self, path: str, name: str) -> None:
        with open(path, 'rb') as stream:
            half = self._write(name, stream)
        try:
            self._rename(half, name, renameoptions='OVERWRITE')
        except FileNotFoundError:
            if not self.status(name):  # it may be that just the answer was lost
                raise

    def create(self, name: str, data: bytes) -> bool:
        half = self._write(name, io.BytesIO(data))
        # Of two that rename to one name, one succeeds; its answer may be lost.
        done = self._rename(half, name)['boolean'] or not self.status(half)
        if not done:
            self.remove(half)
        return done

    def _write(self, name: str, body: BinaryIO) -> str:
        """A file under a name of its own beside the one that is meant."""
        half = f'{name}.{uuid.uuid4().hex[:8]}.half'
        with self._or_nothing(half):
            self._json('PUT', half, 'CREATE', body, overwrite='true')
        return half

    def _rename(self, half: str, name: str, **how: str) -> dict[str, Any]:
        with self._or_nothing(half):
            return self._json('PUT', half, 'RENAME', destination=path_in(name), **how)

    @contextlib.contextmanager
    def _or_nothing(self, half: str) -> Iterator[None]:
        """Leave no half of a file where the whole will not come."""
        try:
            yield
        except BaseException:
            with contextlib.suppress(UserError, OSError):
                self._request('DELETE', half, 'DELETE', patience=0)
            raise

    def make_dir(self, name: str) -> None:
        try:
            self._json('PUT', name, 'MKDIRS')
        except (FileExistsError, NotADirectoryError):
            raise UserError(f'{name}: a file is in the way of this folder') from None

    def remove(self, name: str) -> None:
        self._json('DELETE', name, 'DELETE', recursive='true')

    def _url(self, address: str, path: str, op: str, **more: object) -> str:
        asked = urlencode({'op': op, 'user.name': self._user, **more})
        return f'{address}/webhdfs/v1{quote(path)}?{asked}'

    def _json(
        self,
        method: str,
        name: str,
        op: str,
        body: BinaryIO | None = None,
        **more: object,
    ) -> dict[str, Any]:
        data = self._request(method, name, op, body, **more).data
        return json.loads(data) if data else {}

    def _request(
        self,
        method: str,
        name: str,
        op: str,
        body: BinaryIO | None = None,
        patience: float = PATIENCE,
        **more: object,
    ) -> urllib3.BaseHTTPResponse:
        """What the NameNode answers, or the DataNode that it sends us to."""
        until, tries = time.monotonic() + patience, 0
        while True:
            place = ''
            try:
                found = self._name_node(method, name, op, more)
                place = found.get_redirect_location() or ''
                if not place:
                    return found
                found.drain_conn()
                return self._data_node(method, name, place, body)
            except Unreachable:
                tries += 1
                if time.monotonic() >= until and (tries > 1 or not patience):
                    raise
            if not self._leave_out(place):
                time.sleep(PAUSE)

    def _name_node(
        self, method: str, name: str, op: str, more: dict[str, object]
    ) -> urllib3.BaseHTTPResponse:
        """Ask the NameNode that is active."""
        dead = {'excludedatanodes': ','.join(list(self._dead))} if self._dead else {}
        how = {'redirect': False, 'preload_content': op != 'OPEN'}
        errors = []
        for address in self._addresses:
            url = self._url(address, path_in(name), op, **more, **dead)
            try:
                return self._send(method, name, url, **how)
            except Unreachable as error:
                errors.append(error)
            others = [one for one in self._addresses if one != address]
            self._addresses = [*others, address]  # it is asked last from now on
        raise min(errors, key=lambda error: isinstance(error, Away))

    def _data_node(
        self, method: str, name: str, url: str, body: BinaryIO | None
    ) -> urllib3.BaseHTTPResponse:
        if body is None:
            return self._send(method, name, url, preload_content=False)
        size = body.seek(0, io.SEEK_END)
        body.seek(0)  # another DataNode may have had it
        headers = {
            'Content-Type': 'application/octet-stream',
            'Content-Length': str(size),
        }
        return self._send(method, name, url, body=body, headers=headers)

    def _send(
        self, method: str, name: str, url: str, **how: Any
    ) -> urllib3.BaseHTTPResponse:
        name = PARTIAL_SUFFIX.sub('', name)
        try:
            found = self._pool.request(method, url, **how)
            if found.status < 400:
                return found
            error = _error(name, found.status, found.data)
        except urllib3.exceptions.HTTPError as broken:
            error = Away(f'{name}: {urlsplit(url).netloc}: {reason(broken)}')
        raise error

    def _leave_out(self, place: str) -> bool:
        """Ask for other DataNodes than one that failed; whether that is news.

        For ten minutes a NameNode does not know that one is dead. It knows them by IP,
        and without it the DataNode of our own machine would be named again and again.
        """
        if not place:
            self._dead.clear()  # it may be that no others are left
            return False
        try:
            ip = socket.gethostbyname(urlsplit(place).hostname or '')
        except OSError:
            return False
        is_news = ip not in self._dead
        self._dead.add(ip)
        return is_news


@functools.cache
def _pool(process: int) -> urllib3.PoolManager:
    """The connections of this process; a fork must not use its parent's."""
    return urllib3.PoolManager(retries=ONCE, timeout=WAIT, maxsize=AT_ONCE)


def _entry(name: str, told: dict[str, Any]) -> Entry:
    size, changed = told['length'], told['modificationTime']
    return Entry(name, told['type'] == 'DIRECTORY', size, f'{size} {changed}')


def _error(name: str, status: int, data: bytes) -> Exception:
    """What a NameNode or DataNode complains of.

    Of a file it says only that it is not there, or that we have no right. A block that
    cannot be had may be lost, or its DataNodes are starting: Hadoop says the same.
    """
    try:
        told = json.loads(data)['RemoteException']
    except (ValueError, KeyError, TypeError):
        told = {'exception': '', 'message': f'HTTP status {status}'}
    kind, why = told.get('exception'), str(told.get('message')).partition('\n')[0]
    if why.endswith(IN_THE_WAY):
        kind = 'ParentNotDirectoryException'
    if kind in KINDS:
        made, number, text = KINDS[kind]
        if made is not FileNotFoundError:
            text = f'{text}: {why}'
        return made(number, text, name)
    passing = Away if kind == 'StandbyException' else Unreachable
    return (UserError if status in WRONG else passing)(f'{name}: {why}')
