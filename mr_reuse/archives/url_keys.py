"""Sort keys of URLs and hosts, as the indexes of Common Crawl have them.

`org,example)/a?b=1` is the key of `http://www.example.org/A/?b=1`: a SURT
(Sort-friendly URI Reordering Transform) of the URL in a canonical form. The rules are
those of `WaybackURLKeyMaker`, by which Common Crawl makes its indexes. The Python
package for them, `surt`, asks name servers for hosts that look like addresses.
"""

import contextlib
import re
import socket
from urllib.parse import quote_from_bytes

from mr_reuse.messages import to_bytes

PARTS = re.compile(
    rb'(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:(/+)([^/?#]*))?([^?#]*)(?:\?([^#]*))?'
)
WEB = (b'http', b'https')
DEFAULT_PORTS = {b'http': b'80', b'https': b'443'}
PORT = re.compile(rb'(.*?):(\d*)', re.S)
WWW = re.compile(rb'(?:www\d*\.)+(?=.+\.)', re.S)
NUMBERS = re.compile(rb'[\d.]+')
HEX = frozenset(b'0123456789abcdefABCDEF')
SAFE = '!"$&\'()*+,-./:;<=>?@[\\]^_`{|}~'  # not escaped, besides letters and digits
# Session ids. A longer text is not searched for them, as that takes quadratic time.
MAX_SEARCHED = 8000
SESSION_FOLDERS = (
    re.compile(rb'(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)', re.S),
    re.compile(rb'(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)', re.S),
)
SESSION_ARGUMENTS = tuple(
    re.compile(rb'(.*)(?:%b)(?:&(.*))?' % argument, re.S)
    for argument in (
        rb'jsessionid=[0-9a-z]{32}',
        rb'phpsessid=[0-9a-z]{32}',
        rb'sid=[0-9a-z]{32}',
        rb'aspsessionid[a-z]{8}=[a-z]{24}',
        rb'cfid=[^&]+&cftoken=[^&]+',
    )
)


def url_key(url: str) -> str:
    """Return the key of a URL. A URL without a host, such as `dns:a.org`, is its own.

    >>> url_key('https://www.Example.org:443/a/../B/?y=2&x=1#top')
    'org,example)/b?x=1&y=2'
    >>> url_key('http://192.0.2.1:8080'), url_key('dns:a.org'), url_key('a.org/x')
    ('1,2,0,192:8080)/', 'dns:a.org', 'org,a)/x')
    """
    scheme, slashes, netloc, path, query = PARTS.match(to_bytes(url)).groups(b'')
    scheme = scheme.lower()
    is_web = not scheme or scheme in WEB
    if is_web and not slashes:  # http:a.org/x, or the path of a file
        netloc, slash, rest = path.partition(b'/')
        path = slash + rest
    if not netloc or not (is_web or slashes == b'//'):
        return quote_from_bytes(to_bytes(url), SAFE + '%#')
    host, port = _split_port(netloc.rpartition(b'@')[2])
    if port == DEFAULT_PORTS.get(scheme or b'http'):
        port = b''
    arguments = _canonical_query(query)
    key = b'%b)%b%b' % (_reverse(host, port), _canonical_path(path), arguments)
    return key.decode()


def host_key(host: str) -> str:
    """Return the key of a host, with its port if it has one.

    A leading `www.` is dropped, as by Common Crawl, if a domain remains.

    >>> host_key('www.example.org'), host_key('WWW2.a.Example.org.:8080')
    ('org,example', 'org,example,a:8080')
    >>> host_key('www.org'), host_key('192.0.2.1'), host_key('[2001:DB8::1]')
    ('org,www', '1,2,0,192', '[2001:db8::1]')
    """
    return _reverse(*_split_port(to_bytes(host))).decode()


def host_of_key(key: str) -> str:
    """Return the key of the host in the key of a URL; '' if the URL has no host.

    >>> host_of_key('org,example:8080)/x'), host_of_key('dns:a.org')
    ('org,example:8080', '')
    """
    host, bracket, _ = key.partition(')/')
    return host if bracket else ''


def _split_port(netloc: bytes) -> tuple[bytes, bytes]:
    match = PORT.fullmatch(netloc)
    # The colons of an address of version 6 are in brackets.
    if match and (b':' not in match[1] or match[1].endswith(b']')):
        return match[1], match[2]
    return netloc, b''


def _reverse(host: bytes, port: bytes) -> bytes:
    """Return a host and port as they begin a key, in a canonical form."""
    host = _to_ascii(_unescape(host)).replace(b'..', b'.').strip(b'.').lower()
    if NUMBERS.fullmatch(host):
        with contextlib.suppress(OSError):  # as one number, or with octal parts
            host = socket.inet_ntoa(socket.inet_aton(host.decode())).encode()
    if match := WWW.match(host):
        host = host[match.end() :]
    host = _escape(host)
    if not host.startswith(b'['):  # an address of version 6
        host = b','.join(reversed(host.split(b'.')))
    return b'%b:%b' % (host, port) if port else host


def _to_ascii(host: bytes) -> bytes:
    if host.isascii():
        return host
    try:
        return host.decode().encode('idna')
    except UnicodeError:  # not UTF-8, or no host name: escaped later
        return host


def _canonical_path(path: bytes) -> bytes:
    """Resolve dots and empty folders, lower case, and drop a slash at the end."""
    kept: list[bytes] = []
    for part in _unescape(path).split(b'/'):
        if part == b'..' and kept:
            kept.pop()
        elif part not in (b'', b'.'):
            kept.append(part)
    path = _escape(b'/' + b'/'.join(kept)).lower()
    for pattern in SESSION_FOLDERS if len(path) <= MAX_SEARCHED else ():
        path = pattern.sub(rb'\1\2', path)
    return path


def _canonical_query(query: bytes) -> bytes:
    """Return the arguments of a query in order, behind a question mark."""
    query = _escape(_unescape(query)).lower()
    for pattern in SESSION_ARGUMENTS if len(query) <= MAX_SEARCHED else ():
        if match := pattern.fullmatch(query):
            query = match[1] + (match[2] or b'')
    arguments = sorted(query.split(b'&'), key=lambda argument: argument.split(b'=', 1))
    return b'?' + b'&'.join(arguments) if query else b''


def _escape(text: bytes) -> bytes:
    return quote_from_bytes(text, SAFE).encode()


def _unescape(text: bytes) -> bytes:
    """Resolve escapes, also those that only appear when others are resolved.

    >>> _unescape(b'%41%2541%25%32%35'), _unescape(b'100%')
    (b'AA%', b'100%')
    """
    if b'%' not in text:
        return text
    plain = bytearray()
    for byte in text:
        plain.append(byte)
        while len(plain) > 2 and plain[-3] == ord('%') and HEX.issuperset(plain[-2:]):
            plain[-3:] = bytes.fromhex(plain[-2:].decode())
    return bytes(plain)
