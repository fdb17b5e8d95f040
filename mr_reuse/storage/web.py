"""Files on web servers, read only: https:// and http://."""

import errno
import functools
import io
import os
import random
import re
import time
from collections import Counter
from http.client import HTTPException
from typing import Any, NoReturn

from mr_reuse import __version__
from mr_reuse.errors import UserError
from mr_reuse.storage.base import (
    MAX_REQUESTS,
    UNKNOWN,
    Body,
    Entry,
    Opened,
    Store,
    Unreachable,
    range_header,
)
from mr_reuse.storage.read_only import ReadOnlyStore
from mr_reuse.storage.web_answers import (
    TIMEOUT,
    content_length,
    failure_reason,
    file_size,
    invalid_answer,
    is_invalid,
    range_start,
    version_stamp,
)

PATIENCE = 120  # seconds; the longest Retry-After that is respected
BUSY = (429, 502, 503, 504)
RETRIED = (*BUSY, 500)
# Many servers send 403 as a rate limit, among them the CDN of Common Crawl. So a 403 is
# retried after these pauses, in seconds, before it counts.
FORBIDDEN = 403
PAUSES = (1, 2, 4, 8, 16, 32)
MAX_FORBIDDEN = 3  # files with a final 403 in a row; then no 403 is retried
NO_HEAD = (403, 405, 501)  # statuses of servers that support only GET
PARTS = re.compile(r'([^:/]+://)([^/?#]*@)?([^/?#]*)([^#]*)')
HEADERS = {
    'Accept-Encoding': 'identity',  # byte ranges of a compressed body are useless
    'User-Agent': f'mr_reuse/{__version__}',
}


# The number of files with a final 403 in a row, by host. A server with many files that
# are not public must not cost a minute for each of them.
forbidden: Counter[str] = Counter()


class WebBody(Body):
    """The answer of a web server. A size of a chunk that is no number ends the file."""

    def __init__(self, name: str, *answer: Any):
        super().__init__(*answer)
        self._name = name

    def read(self, size: int, /) -> bytes:
        try:
            return super().read(size)
        except Exception as error:
            if is_invalid(error):
                raise invalid_answer(self._name, error) from None
            raise


class WebStore(ReadOnlyStore):
    """Files by their URLs. There are no folders."""

    reason = 'a web server cannot be written to'

    @functools.cached_property
    def broken(self) -> tuple[type[Exception], ...]:
        """Exceptions of a connection that is lost while a file is read."""
        from urllib3.exceptions import HTTPError

        return HTTPError, HTTPException, ConnectionError, TimeoutError

    def status(self, name: str) -> Entry | None:
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
        raise Unreachable(f'{name}: the server stays busy (status {status})')
    raise OSError(errno.EIO, f'the server answered with status {status}', name)


def request(method: str, name: str, more: dict[str, str] | None = None) -> Any:
    """Send a request, with retries after a 403. The body of the response is unread."""
    response = send_request(method, name, more)
    if method == 'HEAD' and response.status == FORBIDDEN:
        return response  # `status` tries GET, which may be allowed
    host = PARTS.match(name)[3].lower()
    if response.status != FORBIDDEN or forbidden[host] == MAX_FORBIDDEN:
        return response
    for pause in PAUSES:
        response.close()
        time.sleep(pause * random.uniform(1, 1.5))  # tasks must not retry in step
        response = send_request(method, name, more)
        if response.status != FORBIDDEN:
            del forbidden[host]
            return response
    forbidden[host] = min(forbidden[host] + 1, MAX_FORBIDDEN)
    return response


def send_request(method: str, name: str, more: dict[str, str] | None) -> Any:
    """Send a request. urllib3 retries it while the server is busy."""
    from urllib3 import exceptions

    check_url(name)
    try:
        return _pool(os.getpid()).request(
            method,
            name,
            headers={**HEADERS, **(more or {})},
            preload_content=False,
            decode_content=False,
        )
    except (exceptions.HTTPError, ValueError) as error:
        if is_invalid(error):
            raise invalid_answer(name, error) from None
        raise Unreachable(f'{name}: {failure_reason(error)}') from None


def check_url(name: str) -> None:
    """Refuse a URL without a valid host. urllib3 does not tell it from a redirect."""
    from urllib3 import exceptions
    from urllib3.util import parse_url

    try:
        host = parse_url(name).host
        if not host:
            raise exceptions.LocationValueError('No host specified.')
        host.encode('idna')
    except (exceptions.LocationValueError, UnicodeError) as error:
        raise UserError(f'{name}: not a valid URL: {error}') from None


@functools.cache
def _pool(process: int) -> Any:
    """Return the connections of this process. A fork must not use its parent's."""
    import urllib3

    retries = urllib3.Retry(
        total=10,
        connect=3,  # few: the name of the host may be misspelled
        read=6,
        status=6,
        other=1,  # few: an invalid certificate, for example, stays invalid
        backoff_factor=0.5,
        backoff_jitter=0.5,
        status_forcelist=RETRIED,
        raise_on_status=False,
        raise_on_redirect=False,
        retry_after_max=PATIENCE,
    )
    timeout = urllib3.Timeout(connect=TIMEOUT, read=TIMEOUT)
    return urllib3.PoolManager(
        retries=retries,
        timeout=timeout,
        cert_reqs='CERT_REQUIRED',
        maxsize=MAX_REQUESTS,
    )
