"""An input as a task gets it."""

from typing import NamedTuple

PACKED = 'packed page'  # a page in a gzipped file


class Source(NamedTuple):
    """An input as a task gets it."""

    kind: str  # 'archive', or 'page' for a file that is a page itself, or PACKED
    name: str  # as it was typed
    path: str  # as it is found from anywhere
    url: str = ''  # of a page
    size: int = 0
    stamp: str = ''  # changes when the file does; empty if nobody has asked
