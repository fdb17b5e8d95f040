"""Names of files on HDFS, for both of its stores."""

import re

from mr_reuse.storage.base import Store

# Hadoop reports a file in the place of a parent folder as AccessControlException. The
# end of the message distinguishes it from a missing right.
IN_THE_WAY = '(is not a directory)'


class OnHdfs(Store):
    """A store on the HDFS of one authority."""

    def __init__(self, authority: str):
        self._authority = authority

    def canonical_name(self, name: str) -> str:
        """Return a name with the authority, and without repeated slashes."""
        path = re.sub('/+', '/', path_in(name)).rstrip('/')
        return f'hdfs://{self._authority}{path or "/"}'


def path_in(name: str) -> str:
    """Return the absolute path in a URI.

    >>> path_in('hdfs://host:9000/a b/c'), path_in('hdfs://host:9000')
    ('/a b/c', '/')
    """
    return '/' + name.partition('://')[2].partition('/')[2]
