"""Files on web servers, which are read and never written: https:// and http://."""

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
    AT_ONCE,
    UNKNOWN,
    Answer,
    Body,
    Entry,
    Store,
    Unreachable,
    range_header,
)

TIMEOUT = 60  # seconds
PATIENCE = 120  # seconds that a server may ask us to wait
BUSY = (429, 502, 503, 504)
RETRIED = (*BUSY, 500)
FORBIDDEN = 403  # also told to who asks too often, by the CDN of Common Crawl too
PAUSES = (1, 2, 4, 8, 16, 32)  # seconds between one such answer and another question
BELIEVED = 3  # times that they were of no use, and such an answer is no more doubted
NO_HEAD = (403, 405, 501)
PARTS = re.compile(r'([^:/]+://)([^/?#]*@)?([^/?#]*)([^#]*)')
RANGE = re.compile(r'bytes (?:(\d+)-\d+|\*)/(\d+|\*)')
HEADERS = {
    'Accept-Encoding': 'identity',  # a byte range of what is packed is of no use
    'User-Agent': f'mr_reuse/{__version__}',
}


# Of each server, how often in a row it was of no use to wait. One that has things which
# are not public must not be waited for at each of them.
forbidden: Counter[str] = Counter()


class WebStore(Store):
    """Files by their addresses; folders there are none."""

    @functools.cached_property
    def broken(self) -> tuple[type[Exception], ...]:
        """What a lost connection raises while a file is read."""
        from urllib3.exceptions import HTTPError

        return HTTPError, HTTPException, ConnectionError, TimeoutError

    def status(self, name: str) -> Entry | None:
        told = request('HEAD', name)
        told.drain_conn()  # its connection can serve again
        if told.status in NO_HEAD or (told.status == 200 and length(told) is None):
            told = request('GET', name, {'Range': 'bytes=0-0'})
            told.close()
        if told.status in (404, 410):
            return None
        if told.status not in (200, 206, 416):
            refuse(name, told.status)
        size = total(told)
        size = UNKNOWN if size is None else size
        return Entry(name, False, size, f'{size} {version(told) or ""}'.strip())

    def listing(self, name: str) -> list[Entry]:
        return []

    def ask(self, name: str, offset: int, limit: int = 0) -> tuple[Answer, int | None]:
        told = request('GET', name, range_header(offset, limit))
        if told.status == 416:
            told.close()
            return io.BytesIO(), total(told)
        if told.status not in (200, 206):
            told.close()
            refuse(name, told.status)
        begins = start(told)
        if begins is None or begins > offset:
            told.close()
            raise OSError(errno.EIO, 'the server sent another part of it', name)
        size = total(told)
        stamp = version(told) or (None if size is None else str(size))
        return Body(told, stamp, offset - begins), size

    def real(self, name: str) -> str:
        """The address without a fragment, its host in small letters.

        >>> WebStore().real('HTTPS://A.org:80/B?C#d')
        'https://a.org:80/B?C'
        """
        scheme, _, host, rest = PARTS.match(name).groups('')
        return scheme.lower() + host.lower() + rest

    def put(self, path: str, name: str) -> None:
        read_only(name)

    def create(self, name: str, data: bytes) -> bool:
        read_only(name)

    def make_dir(self, name: str) -> None:
        read_only(name)

    def remove(self, name: str) -> None:
        read_only(name)


def store_for(name: str) -> Store:
    """The way to a file."""
    scheme, user, host, rest = PARTS.match(name).groups('')
    if user:
        raise UserError(
            f'{scheme}{host}{rest}: named with a user or a password, which would stand '
            'in every table; download the file, and name the copy'
        )
    return WebStore()


def read_only(name: str) -> NoReturn:
    """Say that one cannot write here."""
    raise UserError(f'{name}: a web server cannot be written to')


def refuse(name: str, status: int) -> NoReturn:
    """Say what a status means that is no success."""
    if status in (404, 410):
        raise FileNotFoundError(errno.ENOENT, f'no such page ({status})', name)
    if status in (401, 403):
        raise PermissionError(errno.EACCES, f'no right to read ({status})', name)
    if status in BUSY:
        raise Unreachable(f'{name}: the server stays busy (status {status})')
    raise OSError(errno.EIO, f'the server answered with status {status}', name)


def request(method: str, name: str, more: dict[str, str] | None = None) -> Any:
    """What a server answers; the body is still to be read."""
    told = ask(method, name, more)
    if method == 'HEAD' and told.status == FORBIDDEN:
        return told  # GET may be allowed
    host = PARTS.match(name)[3].lower()
    if told.status != FORBIDDEN or forbidden[host] == BELIEVED:
        return told
    for pause in PAUSES:
        told.drain_conn()
        time.sleep(pause * random.uniform(1, 1.5))
        told = ask(method, name, more)
        if told.status != FORBIDDEN:
            del forbidden[host]
            return told
    forbidden[host] = min(forbidden[host] + 1, BELIEVED)
    return told


def ask(method: str, name: str, more: dict[str, str] | None) -> Any:
    """The answer to one request, or to the one that gets it from a busy server."""
    from urllib3 import exceptions

    try:
        return _pool(os.getpid()).request(
            method,
            name,
            headers={**HEADERS, **(more or {})},
            preload_content=False,
            decode_content=False,
        )
    except exceptions.LocationValueError as error:
        raise UserError(f'{name}: no such address can be: {error}') from None
    except exceptions.HTTPError as error:
        raise Unreachable(f'{name}: {reason(error)}') from None


@functools.cache
def _pool(process: int) -> Any:
    """The connections of this process; a fork must not use its parent's."""
    import urllib3

    retries = urllib3.Retry(
        total=10,
        connect=3,  # a host that is not there may be a slip of the pen
        read=6,
        status=6,
        other=1,  # bad certificates stay bad
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
        maxsize=AT_ONCE,
    )


def reason(error: Exception) -> str:
    """Why there was no answer, in one line, without the names of classes."""
    from urllib3 import exceptions

    error = getattr(error, 'reason', None) or error
    if isinstance(error, exceptions.ReadTimeoutError):
        return f'no answer within {TIMEOUT} seconds'
    inner = [e for e in (error.__cause__, *error.args) if isinstance(e, Exception)]
    error = inner[0] if inner else error
    certificate = getattr(error, 'verify_message', '')
    if certificate:
        return f'the certificate is not trusted: {certificate}'
    return ' '.join((getattr(error, 'strerror', '') or str(error)).split())


def length(told: Any) -> int | None:
    """How many bytes an answer has, if it says so."""
    found = told.headers.get('Content-Length', '')
    return int(found) if found.isdigit() else None


def total(told: Any) -> int | None:
    """How many bytes the whole file has, if an answer says so."""
    if told.status == 200:
        return length(told)
    found = RANGE.match(told.headers.get('Content-Range', ''))
    return int(found[2]) if found and found[2].isdigit() else None


def start(told: Any) -> int | None:
    """Where in the file an answer begins, if it says so."""
    if told.status == 200:
        return 0
    found = RANGE.match(told.headers.get('Content-Range', ''))
    return int(found[1]) if found and found[1] else None


def version(told: Any) -> str | None:
    """What tells one version of a file from another, if an answer says so."""
    return told.headers.get('ETag') or told.headers.get('Last-Modified')
