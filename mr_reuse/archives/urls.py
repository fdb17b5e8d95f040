"""URLs: quoting, hosts, neighborhoods, and loops of crawlers."""

import math
import re
from collections import Counter
from functools import lru_cache
from urllib.parse import quote_from_bytes

UNSAFE = re.compile(rb'[\x00-\x20\x7f-\xff]')
SAFE = ''.join(map(chr, range(0x21, 0x7F)))
DEFAULT_PORTS = {'http': '80', 'https': '443', 'ftp': '21', 'gopher': '70'}
# Schemes behind which browsers accept any number of slashes.
LENIENT_SCHEMES = {*DEFAULT_PORTS, 'ws', 'wss'}
AUTHORITY = re.compile(r'([A-Za-z][\w.+-]*):/*([^/?#]*)')
BARE_SCHEME = re.compile(r'[A-Za-z][\w.+-]*:/*')
MAX_REMEMBERED = 1000  # characters of a cached URL, to bound the memory of caches
MAX_COMPONENTS = 96  # a gap in the distribution of 913 million URL prefixes
# The minimum of slashes in a loop, by rule. Testing it first saves time.
LOOP_SLASHES = {'length': MAX_COMPONENTS, 'repeats': 4, 'both': 4, 'none': math.inf}


def percent_encode(url: bytes) -> str:
    """Percent-encode the bytes that would break a line or a table.

    >>> percent_encode(b'http://a.org/x y')
    'http://a.org/x%20y'
    >>> percent_encode('http://a.org/ä\\n'.encode())
    'http://a.org/%C3%A4%0A'
    """
    if UNSAFE.search(url):
        return quote_from_bytes(url, SAFE)
    return url.decode('ascii')


def url_host(url: str) -> str:
    """Return the host of a URL in lower case, with its port unless it is the default.

    Return '' if the URL has none. A path of a file has its first component as host.

    >>> url_host('http://User@Example.ORG:80/a'), url_host('https://a.org:8443')
    ('example.org', 'a.org:8443')
    >>> url_host('http://[2001:DB8::1]:80/'), url_host('docs/a/b.html')
    ('[2001:db8::1]', 'docs')
    >>> url_host('dns:a.org')
    ''
    >>> url_host('file:///home/a'), url_host('urn:/x/y'), url_host('metadata://x/y')
    ('', '', 'x')
    >>> url_host('http:/a.org/x'), url_host('http:///a.org/x')
    ('a.org', 'a.org')
    """
    # The cached part, up to the host, is the same for all pages of a site.
    begin = url.find(':/') + 1
    while begin and url.startswith('/', begin):
        begin += 1
    end = url.find('/', begin) if begin else -1
    part = url[:end] if end > 0 else url
    return (_host if len(part) < MAX_REMEMBERED else _host.__wrapped__)(part)


@lru_cache(maxsize=10_000)
def _host(url: str) -> str:
    match = AUTHORITY.match(url)
    if not match:
        # The path of a file is used as URL, with its first component as host.
        first, slash, _ = url.partition('/')
        return first if slash and ':' not in first else ''
    scheme, netloc = match[1].lower(), match[2]
    slashes = url[len(scheme) + 1 : match.start(2)]
    if not slashes or (scheme not in LENIENT_SCHEMES and slashes != '//'):
        return ''
    name = netloc.rpartition('@')[2].lower()
    head, colon, port = name.rpartition(':')
    if colon and not port.endswith(']') and port in ('', DEFAULT_PORTS.get(scheme)):
        return head
    return name


def path_components(url: str) -> list[str]:
    """Split the path of a URL into its components, without empty ones.

    >>> path_components('http://a.org//x/y?q=1/2#z')
    ['x', 'y']
    """
    match = AUTHORITY.match(url)
    path = url[match.end() :] if match else url.partition('/')[2]
    path = path.partition('?')[0].partition('#')[0]
    return [part for part in path.split('/') if part]


def neighborhood_of(url: str) -> str:
    """Return the smallest neighborhood of a page: host and path up to the last slash.

    The scheme and the query do not belong to it. A URL without a host has none: ''.

    >>> neighborhood_of('http://arXiv.org:80/archive//physics/x.html?q=/1/2')
    'arxiv.org/archive/physics/'
    >>> neighborhood_of('http://arxiv.org'), neighborhood_of('dns:arxiv.org')
    ('arxiv.org/', '')
    """
    end = min((at for mark in '?#' if (at := url.find(mark)) >= 0), default=len(url))
    folder = url[: url.rfind('/', 0, end) + 1]
    # The cached part is the same for all pages in a folder.
    part = url[:end] if BARE_SCHEME.fullmatch(folder) else folder
    remembered = len(part) < MAX_REMEMBERED
    return (_neighborhood if remembered else _neighborhood.__wrapped__)(part)


@lru_cache(maxsize=10_000)
def _neighborhood(folder: str) -> str:
    name = url_host(folder)
    return '/'.join([name, *path_components(folder), '']) if name else ''


def enclosing_neighborhoods(smallest: str) -> list[str]:
    """List the neighborhoods that contain the smallest one, from the host down.

    >>> enclosing_neighborhoods('arxiv.org/archive/physics/')
    ['arxiv.org/', 'arxiv.org/archive/', 'arxiv.org/archive/physics/']
    """
    ends = [i + 1 for i, letter in enumerate(smallest) if letter == '/']
    return [smallest[:end] for end in ends]


def find_loop(url: str, rule: str) -> str:
    """Return the rule by which a URL comes from a loop of a crawler, or ''.

    A path of more than 96 components is a loop (`length`). So may be a path with a
    component that occurs four times, or two that occur twice (`repeats`).

    >>> find_loop('http://h' + '/a' * 97, 'length')
    'length'
    >>> find_loop('http://h' + '/a' * 96, 'length')
    ''
    >>> [find_loop(f'http://h/{path}', 'repeats')
    ...  for path in ('a/a/a/x', 'a/a/a/a/x', 'en/docs/en/x', 'en/docs/en/docs/x')]
    ['', 'repeats', '', 'repeats']
    """
    if url.count('/') < LOOP_SLASHES[rule]:
        return ''
    parts = path_components(url)
    if rule in ('length', 'both') and len(parts) > MAX_COMPONENTS:
        return 'length'
    if rule in ('repeats', 'both'):
        times = Counter(parts).values()
        if max(times, default=0) >= 4 or sum(n >= 2 for n in times) >= 2:
            return 'repeats'
    return ''
