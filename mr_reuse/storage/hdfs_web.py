"""Files on HDFS, accessed by WebHDFS: HTTP requests, without a JVM for each call.

A request goes to the active NameNode. For the content of a file, it redirects to a
DataNode. Both may fail over; `WebHdfs._request` retries.
"""

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
from mr_reuse.storage.base import MAX_REQUESTS, Body, Entry, Opened, Unreachable
from mr_reuse.storage.hdfs_names import IN_THE_WAY, OnHdfs, path_in
from mr_reuse.storage.naming import join
from mr_reuse.storage.web.answers import TIMEOUT, failure_reason

# urllib3 does not retry: this module does, with another NameNode or DataNode.
NO_RETRIES = urllib3.Retry(total=None, connect=0, read=0, redirect=3, status=0, other=0)
TIMEOUTS = urllib3.Timeout(connect=10, read=TIMEOUT)
PAUSE = 2.0  # seconds between two tries
PATIENCE = 60.0  # seconds of retries, while a NameNode starts or fails over
PERMANENT = (400, 401, 404, 405)  # statuses that a retry does not change
FULL = 'the quota on HDFS is used up'
# Exceptions of Hadoop, and those that they become here.
ERRORS = {
    'FileNotFoundException': (FileNotFoundError, errno.ENOENT, 'not on HDFS'),
    'AccessControlException': (PermissionError, errno.EACCES, 'no right on HDFS'),
    'FileAlreadyExistsException': (FileExistsError, errno.EEXIST, 'exists'),
    'ParentNotDirectoryException': (NotADirectoryError, errno.ENOTDIR, 'not a folder'),
    'NSQuotaExceededException': (OSError, errno.EDQUOT, FULL),
    'DSQuotaExceededException': (OSError, errno.EDQUOT, FULL),
}


class Inactive(Unreachable):
    """A server that is silent or on standby. Errors of other servers are preferred."""


class WebHdfs(OnHdfs):
    """One HDFS, accessed by the HTTP addresses of its NameNodes."""

    broken = (urllib3.exceptions.HTTPError, ConnectionError, TimeoutError)

    def __init__(self, authority: str, addresses: list[str]):
        super().__init__(authority)
        self._addresses = addresses  # the one that answered last comes first
        self._dead: set[str] = set()  # IP addresses of DataNodes
        self._user = os.environ.get('HADOOP_USER_NAME') or getpass.getuser()

    @property
    def _pool(self) -> urllib3.PoolManager:
        return _pool(os.getpid())

    def answers(self) -> bool:
        """Return whether a NameNode answers: WebHDFS may be off or need Kerberos."""
        short = urllib3.Timeout(connect=3, read=10)
        for address in self._addresses:
            url = self._url(address, '/', 'GETHOMEDIRECTORY')
            try:
                answer = self._pool.request('GET', url, retries=False, timeout=short)
            except urllib3.exceptions.HTTPError:
                continue
            if answer.status == 200 or b'StandbyException' in answer.data:
                return True
        return False

    def status(self, name: str) -> Entry | None:
        try:
            info = self._json('GET', name, 'GETFILESTATUS')['FileStatus']
        except (FileNotFoundError, NotADirectoryError):
            return None
        return _entry(name, info)

    def list_entries(self, name: str) -> list[Entry]:
        try:
            infos = self._json('GET', name, 'LISTSTATUS')['FileStatuses']['FileStatus']
        except (FileNotFoundError, NotADirectoryError):
            return []
        # The listing of a file is the file itself, without a suffix.
        below = [info for info in infos if info['pathSuffix']]
        return sorted(_entry(join(name, info['pathSuffix']), info) for info in below)

    def open_range(self, name: str, offset: int, limit: int = 0) -> Opened:
        info = self._json('GET', name, 'GETFILESTATUS')['FileStatus']
        size, raw = info['length'], io.BytesIO()
        if offset < size:  # OPEN at the end of a file is an error
            end = {'length': limit} if limit else {}
            raw = self._request('GET', name, 'OPEN', offset=offset, **end)
        return Body(raw, f'{info.get("fileId")} {info["modificationTime"]}'), size

    def put(self, path: str, name: str) -> None:
        with open(path, 'rb') as stream:
            partial = self._write(name, stream)
        try:
            self.rename(partial, name, renameoptions='OVERWRITE')
        except FileNotFoundError:
            # A first try may have renamed the file, and only its answer was lost.
            if not self.status(name):
                raise

    def create(self, name: str, data: bytes) -> bool:
        partial = self._write(name, io.BytesIO(data))
        # HDFS lets one of several renames to a name succeed. If the answer of that one
        # is lost, its retry fails, but the partial file is gone.
        done = self.rename(partial, name)['boolean'] or not self.status(partial)
        if not done:
            self.remove(partial)
        return done

    def _write(self, name: str, body: BinaryIO) -> str:
        """Write a partial file beside a name. Return the name of the partial file."""
        partial = f'{name}.{uuid.uuid4().hex[:8]}.half'
        with self._removed_on_error(partial):
            self._json('PUT', partial, 'CREATE', body, overwrite='true')
        return partial

    def rename(self, old: str, new: str, **options: str) -> dict[str, Any]:
        target = path_in(new)
        with self._removed_on_error(old):  # a folder with files stays
            return self._json('PUT', old, 'RENAME', destination=target, **options)

    @contextlib.contextmanager
    def _removed_on_error(self, partial: str) -> Iterator[None]:
        """Remove a partial file if the block fails."""
        try:
            yield
        except BaseException:
            with contextlib.suppress(UserError, OSError):
                self._request('DELETE', partial, 'DELETE', patience=0)
            raise

    def make_dir(self, name: str) -> None:
        try:
            self._json('PUT', name, 'MKDIRS')
        except (FileExistsError, NotADirectoryError):
            raise UserError(f'{name}: a file is in the way of this folder') from None

    def remove(self, name: str) -> None:
        self._json('DELETE', name, 'DELETE', recursive='true')

    def _url(self, address: str, path: str, op: str, **more: object) -> str:
        query = urlencode({'op': op, 'user.name': self._user, **more})
        return f'{address}/webhdfs/v1{quote(path)}?{query}'

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
        """Return the answer of the NameNode, or of the DataNode that it redirects to.

        Retry until `patience` is over, at least once unless it is 0. A request that
        excludes another dead DataNode follows without a pause.
        """
        deadline, tries = time.monotonic() + patience, 0
        while True:
            url = ''
            try:
                answer = self._name_node(method, name, op, more)
                url = answer.get_redirect_location() or ''
                if not url:
                    return answer
                answer.drain_conn()  # so that the connection can be used again
                return self._data_node(method, name, url, body)
            except Unreachable:
                tries += 1
                if time.monotonic() >= deadline and (tries > 1 or not patience):
                    raise
            if not self._exclude(url):
                time.sleep(PAUSE)

    def _name_node(
        self, method: str, name: str, op: str, more: dict[str, object]
    ) -> urllib3.BaseHTTPResponse:
        """Send a request to the active NameNode.

        If all fail, raise the error of one that is not merely silent or on standby.
        """
        dead = {'excludedatanodes': ','.join(list(self._dead))} if self._dead else {}
        options = {'redirect': False, 'preload_content': op != 'OPEN'}
        errors = []
        for address in self._addresses:
            url = self._url(address, path_in(name), op, **more, **dead)
            try:
                return self._send(method, name, url, **options)
            except Unreachable as error:
                errors.append(error)
            # Later requests try the address last. The loop goes on over the old list.
            others = [other for other in self._addresses if other != address]
            self._addresses = [*others, address]
        raise min(errors, key=lambda error: isinstance(error, Inactive))

    def _data_node(
        self, method: str, name: str, url: str, body: BinaryIO | None
    ) -> urllib3.BaseHTTPResponse:
        if body is None:
            return self._send(method, name, url, preload_content=False)
        size = body.seek(0, io.SEEK_END)
        body.seek(0)  # a try with another DataNode may have read it
        headers = {
            'Content-Type': 'application/octet-stream',
            'Content-Length': str(size),
        }
        return self._send(method, name, url, body=body, headers=headers)

    def _send(
        self, method: str, name: str, url: str, **options: Any
    ) -> urllib3.BaseHTTPResponse:
        name = PARTIAL_SUFFIX.sub('', name)
        try:
            answer = self._pool.request(method, url, **options)
            if answer.status < 400:
                return answer
            error = _error(name, answer.status, answer.data)
        except urllib3.exceptions.HTTPError as broken:
            why = failure_reason(broken)
            error = Inactive(f'{name}: {urlsplit(url).netloc}: {why}')
        raise error

    def _exclude(self, url: str) -> bool:
        """Exclude the DataNode of a URL from requests. Return whether it is a new one.

        A NameNode notices a dead DataNode after ten minutes only, and prefers one on
        the machine of the client. It identifies DataNodes by IP address.
        """
        if not url:
            self._dead.clear()  # the NameNode failed: perhaps no others are left
            return False
        try:
            ip = socket.gethostbyname(urlsplit(url).hostname or '')
        except OSError:
            return False
        is_new = ip not in self._dead
        self._dead.add(ip)
        return is_new


@functools.cache
def _pool(process: int) -> urllib3.PoolManager:
    """Return the connections of this process. A fork must not use its parent's."""
    return urllib3.PoolManager(
        retries=NO_RETRIES, timeout=TIMEOUTS, maxsize=MAX_REQUESTS
    )


def _entry(name: str, info: dict[str, Any]) -> Entry:
    size, changed = info['length'], info['modificationTime']
    return Entry(name, info['type'] == 'DIRECTORY', size, f'{size} {changed}')


def _error(name: str, status: int, data: bytes) -> Exception:
    """Return the exception for an answer of a NameNode or DataNode.

    Only a missing file or right counts as a property of the file. An unreadable block
    is `Unreachable`, since Hadoop reports a lost block and a DataNode that is starting
    in the same words.
    """
    try:
        remote = json.loads(data)['RemoteException']
    except (ValueError, KeyError, TypeError):
        remote = {'exception': '', 'message': f'HTTP status {status}'}
    hadoop_error = remote.get('exception')
    why = str(remote.get('message')).partition('\n')[0]
    if why.endswith(IN_THE_WAY):
        hadoop_error = 'ParentNotDirectoryException'
    if hadoop_error in ERRORS:
        error, number, text = ERRORS[hadoop_error]
        if error is not FileNotFoundError:
            text = f'{text}: {why}'
        return error(number, text, name)
    passing = Inactive if hadoop_error == 'StandbyException' else Unreachable
    return (UserError if status in PERMANENT else passing)(f'{name}: {why}')
