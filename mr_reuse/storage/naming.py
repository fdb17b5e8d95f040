"""Names of files: local paths, and URIs of remote files."""

import os
import re
from urllib.parse import quote_from_bytes, unquote_to_bytes

# `cc:` names files of Common Crawl, wherever they are read from.
SCHEME = re.compile(r'([A-Za-z][A-Za-z0-9+.-]+)://|(cc):')
# A WACZ, a ZIP of archives. The URL of one may have a query.
PACKAGE = re.compile(r'\.wacz(\?[^/]*)?(?=/|\Z)', re.I)


def scheme_of(name: str) -> str:
    """Return the scheme of a URI in lower case, '' for a local path or file:// URI.

    >>> scheme_of('hdfs:///a'), scheme_of('file:///a'), scheme_of('a/b')
    ('hdfs', '', '')
    >>> scheme_of('cc:crawl-data/a.warc.gz')
    'cc'
    """
    match = SCHEME.match(name)
    scheme = match[match.lastindex].lower() if match else ''
    return '' if scheme == 'file' else scheme


def is_remote(name: str) -> bool:
    """Return whether a name is that of a remote file."""
    return bool(scheme_of(name))


def path_of(name: str) -> str:
    """Return the path of a local name, which may be a file:// URI.

    >>> path_of('file:///a/b'), path_of('a/b')
    ('/a/b', 'a/b')
    """
    return name[len('file://') :] if name[:7].lower() == 'file://' else name


def join(*parts: str) -> str:
    """Join names, like `os.path.join`. A URI or an absolute path discards those before.

    >>> join('a', 'b'), join('a', '/b'), join('a', 'hdfs:///b', 'c')
    ('a/b', '/b', 'hdfs:///b/c')
    """
    first = max(i for i, part in enumerate(parts) if not i or SCHEME.match(part))
    return os.path.join(*parts[first:])


def last_component(name: str) -> str:
    """Return the last component of a name.

    >>> last_component('RUN/01-pages/attempt-1')
    'attempt-1'
    """
    return name.rstrip('/').rpartition('/')[2]


def absolute(name: str) -> str:
    """Return a name that does not depend on the current folder."""
    return name if is_remote(name) else os.path.abspath(path_of(name))


def quote_path(path: str) -> str:
    """Percent-encode a path, which may have any bytes, for a line of text.

    >>> quote_path('/a b\\n'), unquote_path('/a%20b%0A')
    ('/a%20b%0A', '/a b\\n')
    """
    return quote_from_bytes(os.fsencode(path))


def unquote_path(text: str) -> str:
    """Decode the result of `quote_path`."""
    return os.fsdecode(unquote_to_bytes(text))


def list_packages(name: str) -> list[str]:
    """Return the beginnings of a name that may be the WACZ in which the file lies.

    >>> list_packages('a.wacz/b.wacz/archive/c.warc'), list_packages('s3://a.wacz/b')
    (['a.wacz', 'a.wacz/b.wacz'], [])
    """
    ends = (match.end() for match in PACKAGE.finditer(name, _path_start(name)))
    return [name[:end] for end in ends if end + 1 < len(name)]


def is_package(name: str) -> bool:
    """Return whether a name is that of a WACZ.

    >>> is_package('A.WACZ'), is_package('https://h/a.wacz?v=1'), is_package('a.wacz/b')
    (True, True, False)
    """
    matches = PACKAGE.finditer(name, _path_start(name))
    return any(match.end() == len(name) for match in matches)


def _path_start(name: str) -> int:
    """Return the index behind the scheme and the host, which may end in `.wacz`."""
    if not (scheme := SCHEME.match(name)):
        return 0
    slash = name.find('/', scheme.end())
    return len(name) if slash < 0 else slash
