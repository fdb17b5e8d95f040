"""How many copies make a label, when the user does not say.

The two corpora of the papers were both cut at about one copy in 30,000 files: 10^5
in 2.86·10^9 files of Common Crawl, 10^3 in 33·10^6 files of GeoCities. A small
corpus needs a floor: a few copies are ordinary within one site.
"""

from collections.abc import Mapping
from typing import NamedTuple

FILES_PER_COPY = 30_000
FLOOR = 10


class Choice(NamedTuple):
    """A threshold and why."""

    threshold: int
    reason: str


def choose(files: Mapping[int, int]) -> Choice:
    """A threshold for the frequency table of files (copies: objects).

    >>> choose({1: 900, 2: 50})
    Choice(threshold=10, reason='the least that is chosen, since 1,000 files are few')
    >>> choose({1: 33_000_000}).threshold
    1100
    """
    count = sum(copies * objects for copies, objects in files.items())
    if count < FLOOR * FILES_PER_COPY:
        reason = f'the least that is chosen, since {count:,} files are few'
        return Choice(FLOOR, reason)
    threshold = count // FILES_PER_COPY
    return Choice(
        threshold,
        f'one copy in {FILES_PER_COPY:,} of {count:,} files, as in the papers',
    )
