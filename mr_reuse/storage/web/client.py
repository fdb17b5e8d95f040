"""Requests to web servers: connections, proxies, and retries.

Servers that are asked too fast answer with 429 or 503, or with 403, as the CDN of
Common Crawl does. The same request is sent again after ever longer pauses, and the last
answer counts.
"""

import functools
import os
import random
import re
import time
from base64 import b64encode
from collections import Counter
from typing import Any
from urllib.parse import unquote_to_bytes
from urllib.request import getproxies, proxy_bypass

from mr_reuse import __version__
from mr_reuse.errors import UserError
from mr_reuse.storage.base import MAX_REQUESTS, Unreachable
from mr_reuse.storage.web.answers import (
    TIMEOUT,
    failure_reason,
    invalid_answer,
    is_invalid,
)

PATIENCE = 120  # seconds; the longest Retry-After that is respected
BUSY = (429, 502, 503, 504)
FORBIDDEN = 403
PROXY_REFUSES = 407
RETRIED = (*BUSY, 500, FORBIDDEN)
PAUSES = (1, 2, 4, 8, 16, 32)  # seconds before each further request
# The same for a server that limits the rate: such limits are often of five minutes.
LONG_PAUSES = (*PAUSES, 64, 128)
MAX_FORBIDDEN = 3  # files with a final 403 in a row; then no 403 is retried
PARTS = re.compile(r'([^:/]+://)([^/?#]*@)?([^/?#]*)([^#]*)')
HEADERS = {
    'Accept-Encoding': 'identity',  # byte ranges of a compressed body are useless
    'User-Agent': f'mr_reuse/{__version__}',
}

# The number of files with a final 403 in a row, by host. A server with many files that
# are not public must not cost a minute for each of them.
forbidden: Counter[str] = Counter()
# Hosts whose 403 is a limit of the rate: some of their files could be read later.
limiting = {'data.commoncrawl.org'}


def host_of(name: str) -> str:
    """Return the host of a URL, with its port.

    >>> host_of('https://A.org:80/b')
    'a.org:80'
    """
    return PARTS.match(name)[3].lower()


def request(method: str, name: str, more: dict[str, str] | None = None) -> Any:
    """Send a request until the server is not busy. The body of the answer is unread."""
    host = host_of(name)
    response = send_request(method, name, more)
    if method == 'HEAD' and response.status == FORBIDDEN:
        return response  # the caller tries GET, which may be allowed
    was_forbidden = response.status == FORBIDDEN
    for pause in _pauses(host, was_forbidden):
        if response.status not in RETRIED:
            break
        response.close()
        # Tasks must not retry in step.
        wait = max(pause * random.uniform(1, 1.5), retry_after(name, response))
        time.sleep(min(wait, PATIENCE))
        response = send_request(method, name, more)
    if response.status == FORBIDDEN:
        forbidden[host] = min(forbidden[host] + 1, MAX_FORBIDDEN)
    elif was_forbidden:
        del forbidden[host]
        limiting.add(host)
    return response


def _pauses(host: str, is_forbidden: bool) -> tuple[int, ...]:
    """Return the pauses before the retries of a request."""
    if host in limiting:
        return LONG_PAUSES
    return () if is_forbidden and forbidden[host] == MAX_FORBIDDEN else PAUSES


def retry_after(name: str, response: Any) -> float:
    """Return the seconds of a Retry-After header; 0 if there is none."""
    from urllib3 import Retry, exceptions

    text = response.headers.get('Retry-After')
    try:
        return Retry().parse_retry_after(text) if text else 0
    except (exceptions.HTTPError, ValueError, OverflowError) as error:
        raise invalid_answer(name, error) from None


def send_request(method: str, name: str, more: dict[str, str] | None) -> Any:
    """Send a request once, or again if the connection is lost."""
    from urllib3 import exceptions

    check_url(name)
    try:
        response = _manager(name).request(
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
    if response.status == PROXY_REFUSES:
        response.close()
        raise UserError(
            f'{name}: the proxy asks for a password (407); set it in the variable '
            'http_proxy'
        )
    return response


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


def proxy_of(url: str) -> str:
    """Return the URL of the proxy for a URL; '' if it is to be used without one.

    The proxies are those of the variables http_proxy, https_proxy, all_proxy and
    no_proxy.
    """
    scheme, _, host, _ = PARTS.match(url).groups('')
    proxies = getproxies()
    proxy = proxies.get(scheme[:-3].lower()) or proxies.get('all') or ''
    if not proxy or proxy_bypass(host):
        return ''
    return proxy if '://' in proxy else f'http://{proxy}'


def _manager(url: str) -> Any:
    """Return the connections for a URL. A fork must not use those of its parent."""
    return _pool(os.getpid(), proxy_of(url))


@functools.cache
def _pool(process: int, proxy: str = '') -> Any:
    """Return the connections of a process, through a proxy if one is named."""
    import urllib3

    class Routed:
        """Sends each redirected request by the way to its host."""

        def urlopen(self, method: str, url: str, redirect: bool = True, **more: Any):
            manager = _manager(url)
            send = super().urlopen if manager is self else manager.urlopen
            return send(method, url, redirect, **more)

    class Direct(Routed, urllib3.PoolManager):
        pass

    class Proxied(Routed, urllib3.ProxyManager):
        pass

    retries = urllib3.Retry(
        total=10,
        connect=3,  # few: the name of the host may be misspelled
        read=6,
        status=0,  # `request` retries these
        other=1,  # few: an invalid certificate, for example, stays invalid
        backoff_factor=0.5,
        backoff_jitter=0.5,
        respect_retry_after_header=False,
        raise_on_status=False,
        raise_on_redirect=False,
    )
    options = {
        'retries': retries,
        'timeout': urllib3.Timeout(connect=TIMEOUT, read=TIMEOUT),
        'cert_reqs': 'CERT_REQUIRED',
        'maxsize': MAX_REQUESTS,
    }
    if not proxy:
        return Direct(**options)
    scheme, user, host, _ = PARTS.match(proxy).groups('')
    login = b64encode(unquote_to_bytes(user[:-1])).decode()
    headers = {'Proxy-Authorization': f'Basic {login}'} if user else None
    try:
        return Proxied(f'{scheme}{host}', proxy_headers=headers, **options)
    except (urllib3.exceptions.HTTPError, ValueError):
        raise UserError(
            f'{scheme}{host}: not the URL of a proxy; write http://HOST:PORT into '
            'https_proxy'
        ) from None
