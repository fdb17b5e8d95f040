"""What the two ways to HDFS have in common: how files are called there."""

import re

from mr_reuse.storage.base import Store

IN_THE_WAY = '(is not a directory)'  # which is told as if a right were missing


class OnHdfs(Store):
    """One HDFS, by the authority in the names of its files."""

    def __init__(self, authority: str):
        self._authority = authority

    def real(self, name: str) -> str:
        """With the authority, and without needless slashes."""
        path = re.sub('/+', '/', path_in(name)).rstrip('/')
        return f'hdfs://{self._authority}{path or "/"}'


def path_in(name: str) -> str:
    """The path of a URI, from its root on.

    >>> path_in('hdfs://host:9000/a b/c'), path_in('hdfs://host:9000')
    ('/a b/c', '/')
    """
    return '/' + name.partition('://')[2].partition('/')[2]
