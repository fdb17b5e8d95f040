"""URLs of the files of a mirror, whose folders are named like hosts."""

import ipaddress
import re
from urllib.parse import quote

# wget writes a port behind a colon, or behind a plus sign for file systems of Windows.
FOLDER = re.compile(r'(?P<host>\[[^]]*\]|[^:+]+)(?:[:+](?P<port>\d{1,5}))?')
NAME = re.compile(r'(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]*[a-z_-][a-z0-9_-]*\.?')
ESCAPE = re.compile(rb'%(?![0-9A-Fa-f]{2})')
PATH = (
    "/!$&'()*+,;=:@~%"  # what a path of a URL may contain, besides letters and digits
)
MAX_PORT = 65535


def mirrored_url(path: bytes) -> str | None:
    """Return the URL of a file of a mirror; None if it is not in the folder of a host.

    The scheme is `http`, as a mirror does not tell it. The first question mark begins
    the query. Escapes such as `%20` stay as they are.

    >>> mirrored_url(b'a.org/x/index.html')
    'http://a.org/x/index.html'
    >>> mirrored_url(b'A.org+8080/a b%2Fc.php?q=50%')
    'http://a.org:8080/a%20b%2Fc.php?q=50%25'
    >>> mirrored_url(b'index.html'), mirrored_url(b'css/a.css')
    (None, None)
    """
    folder, slash, name = path.partition(b'/')
    host = slash and parse_host(folder)
    if not host:
        return None
    path, mark, query = ESCAPE.sub(b'%25', name).partition(b'?')
    query = f'?{quote(query, PATH + "?")}' if mark else ''
    return f'http://{host}/{quote(path, PATH)}{query}'


def parse_host(folder: bytes) -> str:
    """Return the host and port after which a folder is named; '' if there is none.

    A name without a dot is a host only if it has a port.

    >>> parse_host(b'WWW.Example.org'), parse_host('b\u00fccher.example'.encode())
    ('www.example.org', 'xn--bcher-kva.example')
    >>> parse_host(b'localhost:8000'), parse_host(b'192.0.2.1'), parse_host(b'[::1]')
    ('localhost:8000', '192.0.2.1', '[::1]')
    >>> [parse_host(name) for name in (b'css', b'jquery-3.1', b'a.org:0', b'a b.org')]
    ['', '', '', '']
    """
    match = FOLDER.fullmatch(folder.decode('utf-8', 'surrogateescape'))
    try:
        host = match['host'].encode('idna').decode().lower() if match else ''
    except UnicodeError:  # no UTF-8, or a part that is empty or too long
        return ''
    port = match['port'] if match else None
    is_name = NAME.fullmatch(host) and ('.' in host or port)
    if not (is_name or is_address(host)):
        return ''
    if port and not 0 < int(port) <= MAX_PORT:
        return ''
    return f'{host}:{int(port)}' if port else host


def is_address(host: str) -> bool:
    """Test whether a host is an IP address.

    >>> is_address('192.0.2.1'), is_address('[2001:db8::1]'), is_address('1.2.3')
    (True, True, False)
    """
    try:
        address = ipaddress.ip_address(host.removeprefix('[').removesuffix(']'))
    except ValueError:
        return False
    return host.startswith('[') == (address.version == 6)
