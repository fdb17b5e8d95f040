"""The definition of an input, as tasks read it."""

from typing import NamedTuple

PACKED = 'packed page'  # a page in a gzipped file


class Source(NamedTuple):
    """An archive, or a file that is a page.

    The fields and their order are part of the digest of a step.
    """

    kind: str  # 'archive', or 'page' for a file that is a page itself, or PACKED
    name: str  # as typed; names the input in rids and tables
    path: str  # absolute
    url: str = ''  # of a page
    size: int = 0
    stamp: str = ''  # the version of the file; empty if it was not looked up
