"""Files on web servers, read only: https:// and http://."""

import errno
import functools
import io
from http.client import HTTPException
from typing import Any, NoReturn

from mr_reuse.errors import UserError
from mr_reuse.storage.base import (
    UNKNOWN,
    Body,
    Busy,
    Entry,
    Opened,
    Store,
    range_header,
)
from mr_reuse.storage.read_only import ReadOnlyStore
from mr_reuse.storage.web import host_slots
from mr_reuse.storage.web.answers import (
    content_length,
    file_size,
    invalid_answer,
    is_invalid,
    range_start,
    version_stamp,
)
from mr_reuse.storage.web.client import BUSY, PARTS, host_of, request

NO_HEAD = (403, 405, 501)  # statuses of servers that support only GET


class WebBody(Body):
    """The answer of a web server. A size of a chunk that is no number ends the file.

    It takes the slot of this process for the host until it is read or closed.
    """

    def __init__(self, name: str, *answer: Any):
        super().__init__(*answer)
        self._name, self._is_open = name, True
        host_slots.take(host_of(name))

    def read(self, size: int, /) -> bytes:
        try:
            data = super().read(size)
        except Exception as error:
            if is_invalid(error):
                raise invalid_answer(self._name, error) from None
            raise
        if size and not data:
            self._release()
        return data

    def close(self) -> None:
        super().close()
        self._release()

    def _release(self) -> None:
        if self._is_open:
            self._is_open = False
            host_slots.release(host_of(self._name))


class WebStore(ReadOnlyStore):
    """Files by their URLs. There are no folders."""

    reason = 'a web server cannot be written to; name a local path, hdfs:// or s3://'

    @functools.cached_property
    def broken(self) -> tuple[type[Exception], ...]:
        """Exceptions of a connection that is lost while a file is read."""
        from urllib3.exceptions import HTTPError

        return HTTPError, HTTPException, ConnectionError, TimeoutError

    def status(self, name: str) -> Entry | None:
        with host_slots.held(host_of(name)):
            return self._status(name)

    def _status(self, name: str) -> Entry | None:
        response = request('HEAD', name)
        response.drain_conn()  # so that the connection can be used again
        if response.status in NO_HEAD or (
            response.status == 200 and content_length(response) is None
        ):
            response = request('GET', name, {'Range': 'bytes=0-0'})
            response.close()
        if response.status in (404, 410):
            return None
        if response.status not in (200, 206, 416):
            raise_status_error(name, response.status)
        size = file_size(response)
        size = UNKNOWN if size is None else size
        return Entry(
            name, False, size, f'{size} {version_stamp(response) or ""}'.strip()
        )

    def list_entries(self, name: str) -> list[Entry]:
        return []

    def open_range(self, name: str, offset: int, limit: int = 0) -> Opened:
        with host_slots.held(host_of(name)):
            return self._open_range(name, offset, limit)

    def _open_range(self, name: str, offset: int, limit: int) -> Opened:
        response = request('GET', name, range_header(offset, limit))
        if response.status == 416:  # the offset is the end of the file
            response.close()
            return io.BytesIO(), file_size(response)
        if response.status not in (200, 206):
            response.close()
            raise_status_error(name, response.status)
        start = range_start(response)
        if start is None or start > offset:
            response.close()
            raise OSError(errno.EIO, 'the server sent a wrong part of the file', name)
        size = file_size(response)
        stamp = version_stamp(response) or (None if size is None else str(size))
        return WebBody(name, response, stamp, offset - start), size

    def canonical_name(self, name: str) -> str:
        """Return a URL without its fragment, with scheme and host in lower case.

        >>> WebStore().canonical_name('HTTPS://A.org:80/B?C#d')
        'https://a.org:80/B?C'
        """
        scheme, _, host, rest = PARTS.match(name).groups('')
        return scheme.lower() + host.lower() + rest


def store_for(name: str) -> Store:
    """Return the store of a file. Refuse a URL with a user or password."""
    scheme, user, host, rest = PARTS.match(name).groups('')
    if user:
        raise UserError(
            f'{scheme}{host}{rest}: the URL has a user or a password, which would '
            'appear in every table; download the file, and name the copy'
        )
    return WebStore()


def raise_status_error(name: str, status: int) -> NoReturn:
    """Raise the error for an HTTP status that is no success."""
    if status in (404, 410):
        raise FileNotFoundError(errno.ENOENT, f'no such page ({status})', name)
    if status in (401, 403):
        raise PermissionError(errno.EACCES, f'no right to read ({status})', name)
    if status in BUSY:
        raise Busy(name, f'status {status}')
    raise OSError(errno.EIO, f'the server answered with status {status}', name)
