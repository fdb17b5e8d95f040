"""URLs: made safe for a line, their hosts, neighborhoods, and the crawler's loops."""

import math
import re
from collections import Counter
from functools import lru_cache
from urllib.parse import quote_from_bytes

UNSAFE = re.compile(rb'[\x00-\x20\x7f-\xff]')
SAFE = ''.join(map(chr, range(0x21, 0x7F)))
DEFAULT_PORTS = {'http': '80', 'https': '443', 'ftp': '21', 'gopher': '70'}
LENIENT = {*DEFAULT_PORTS, 'ws', 'wss'}  # where browsers do not count the slashes
AUTHORITY = re.compile(r'([A-Za-z][\w.+-]*):/*([^/?#]*)')
BARE_SCHEME = re.compile(r'[A-Za-z][\w.+-]*:/*')
MAX_REMEMBERED = 1000  # letters; longer URLs are rare, and many would fill the memory
MAX_COMPONENTS = 96  # there is a gap behind it in a crawl of 913 million prefixes
# By the rule, the slashes that a URL in a loop has at least.
LOOP_SLASHES = {'length': MAX_COMPONENTS, 'repeats': 4, 'both': 4, 'none': math.inf}


def clean(url: bytes) -> str:
    """Percent-encode the bytes that would break a line or a table.

    >>> clean(b'http://a.org/x y')
    'http://a.org/x%20y'
    >>> clean('http://a.org/ä\\n'.encode())
    'http://a.org/%C3%A4%0A'
    """
    if UNSAFE.search(url):
        return quote_from_bytes(url, SAFE)
    return url.decode('ascii')


def host(url: str) -> str:
    """The host with its port, lower-case, without the scheme's own port.

    >>> host('http://User@Example.ORG:80/a'), host('https://a.org:8443')
    ('example.org', 'a.org:8443')
    >>> host('http://[2001:DB8::1]:80/'), host('dns:a.org'), host('docs/a/b.html')
    ('[2001:db8::1]', '', 'docs')
    >>> host('file:///home/a'), host('urn:/x/y'), host('metadata://x/y')
    ('', '', 'x')
    >>> host('http:/a.org/x'), host('http:///a.org/x')
    ('a.org', 'a.org')
    """
    # Of all pages of a site, the part that matters is the same.
    begin = url.find(':/') + 1
    while begin and url.startswith('/', begin):
        begin += 1
    end = url.find('/', begin) if begin else -1
    part = url[:end] if end > 0 else url
    return (_host if len(part) < MAX_REMEMBERED else _host.__wrapped__)(part)


@lru_cache(maxsize=10_000)
def _host(url: str) -> str:
    found = AUTHORITY.match(url)
    if not found:
        # The path of a file stands for a URL; its first component for the host.
        first, slash, _ = url.partition('/')
        return first if slash and ':' not in first else ''
    scheme, netloc = found[1].lower(), found[2]
    slashes = url[len(scheme) + 1 : found.start(2)]
    if not slashes or (scheme not in LENIENT and slashes != '//'):
        return ''
    name = netloc.rpartition('@')[2].lower()
    head, colon, port = name.rpartition(':')
    if colon and not port.endswith(']') and port in ('', DEFAULT_PORTS.get(scheme)):
        return head
    return name


def components(url: str) -> list[str]:
    """The parts of the path, none of them empty.

    >>> components('http://a.org//x/y?q=1/2#z')
    ['x', 'y']
    """
    found = AUTHORITY.match(url)
    path = url[found.end() :] if found else url.partition('/')[2]
    path = path.partition('?')[0].partition('#')[0]
    return [part for part in path.split('/') if part]


def neighborhood(url: str) -> str:
    """The smallest neighborhood of a page: host and path up to the last slash.

    Neither scheme nor query belong to it; a URL without authority has none.

    >>> neighborhood('http://arXiv.org:80/archive//physics/x.html?q=/1/2')
    'arxiv.org/archive/physics/'
    >>> neighborhood('http://arxiv.org'), neighborhood('dns:arxiv.org')
    ('arxiv.org/', '')
    """
    end = min((at for mark in '?#' if (at := url.find(mark)) >= 0), default=len(url))
    folder = url[: url.rfind('/', 0, end) + 1]
    # Of all pages in a folder, the part that matters is the same.
    part = url[:end] if BARE_SCHEME.fullmatch(folder) else folder
    remembered = len(part) < MAX_REMEMBERED
    return (_neighborhood if remembered else _neighborhood.__wrapped__)(part)


@lru_cache(maxsize=10_000)
def _neighborhood(folder: str) -> str:
    name = host(folder)
    return '/'.join([name, *components(folder), '']) if name else ''


def neighborhoods(smallest: str) -> list[str]:
    """All neighborhoods around the smallest one, the host first.

    >>> neighborhoods('arxiv.org/archive/physics/')
    ['arxiv.org/', 'arxiv.org/archive/', 'arxiv.org/archive/physics/']
    """
    ends = [i + 1 for i, letter in enumerate(smallest) if letter == '/']
    return [smallest[:end] for end in ends]


def in_loop(url: str, rule: str) -> str:
    """Which rule says that a crawler went round in circles, '' if none does.

    A path of more than 96 components is a loop (`length`). One component four
    times, or two components twice, may be one (`repeats`).

    >>> in_loop('http://h' + '/a' * 97, 'length')
    'length'
    >>> in_loop('http://h' + '/a' * 96, 'length')
    ''
    >>> [in_loop(f'http://h/{path}', 'repeats')
    ...  for path in ('a/a/a/x', 'a/a/a/a/x', 'en/docs/en/x', 'en/docs/en/docs/x')]
    ['', 'repeats', '', 'repeats']
    """
    if url.count('/') < LOOP_SLASHES[rule]:
        return ''
    parts = components(url)
    if rule in ('length', 'both') and len(parts) > MAX_COMPONENTS:
        return 'length'
    if rule in ('repeats', 'both'):
        times = Counter(parts).values()
        if max(times, default=0) >= 4 or sum(n >= 2 for n in times) >= 2:
            return 'repeats'
    return ''
