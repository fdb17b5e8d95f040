"""Names of files: paths on a local disk, and URIs of files elsewhere."""

import os
import re
from urllib.parse import quote_from_bytes, unquote_to_bytes

SCHEME = re.compile(r'([A-Za-z][A-Za-z0-9+.-]+)://')


def scheme_of(name: str) -> str:
    """The scheme of a URI, '' for a path on a local disk.

    >>> scheme_of('hdfs:///a'), scheme_of('file:///a'), scheme_of('a/b')
    ('hdfs', '', '')
    """
    found = SCHEME.match(name)
    scheme = found[1].lower() if found else ''
    return '' if scheme == 'file' else scheme


def is_remote(name: str) -> bool:
    """Whether a name is on no local disk."""
    return bool(scheme_of(name))


def path_of(name: str) -> str:
    """The path of a local name.

    >>> path_of('file:///a/b'), path_of('a/b')
    ('/a/b', 'a/b')
    """
    return name[len('file://') :] if name[:7].lower() == 'file://' else name


def join(*parts: str) -> str:
    """One name below another; one that says more itself is below none.

    >>> join('a', 'b'), join('a', '/b'), join('a', 'hdfs:///b', 'c')
    ('a/b', '/b', 'hdfs:///b/c')
    """
    first = max(i for i, part in enumerate(parts) if not i or SCHEME.match(part))
    return os.path.join(*parts[first:])


def last_of(name: str) -> str:
    """The last component of a name.

    >>> last_of('RUN/01-pages/attempt-1')
    'attempt-1'
    """
    return name.rstrip('/').rpartition('/')[2]


def absolute(name: str) -> str:
    """A name that means the same from every folder."""
    return name if is_remote(name) else os.path.abspath(path_of(name))


def quoted(path: str) -> str:
    """A path that fits into a line, whatever bytes it has.

    >>> quoted('/a b\\n'), unquoted('/a%20b%0A')
    ('/a%20b%0A', '/a b\\n')
    """
    return quote_from_bytes(os.fsencode(path))


def unquoted(text: str) -> str:
    """A path as it was before `quoted`."""
    return os.fsdecode(unquote_to_bytes(text))
