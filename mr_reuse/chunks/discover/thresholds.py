"""The default of `--threshold`: the number of copies above which a chunk is a label.

The papers used about one copy in 30,000 files for both corpora: 10^5 for 2.86·10^9
files of Common Crawl, 10^3 for 33·10^6 files of GeoCities. A small corpus needs a
minimum, as a few copies are ordinary within a site.
"""

from collections.abc import Mapping
from typing import NamedTuple

FILES_PER_COPY = 30_000
MIN_THRESHOLD = 10


class Choice(NamedTuple):
    """A threshold, and the reason that the summary prints."""

    threshold: int
    reason: str


def choose_threshold(files: Mapping[int, int]) -> Choice:
    """Choose a threshold by the frequencies of files (copies: distinct files).

    >>> choose_threshold({1: 900, 2: 50})
    Choice(threshold=10, reason='the lowest default, used below 300,000 files')
    >>> choose_threshold({1: 33_000_000}).threshold
    1100
    """
    count = sum(copies * distinct for copies, distinct in files.items())
    if count < MIN_THRESHOLD * FILES_PER_COPY:
        limit = MIN_THRESHOLD * FILES_PER_COPY
        return Choice(MIN_THRESHOLD, f'the lowest default, used below {limit:,} files')
    threshold = count // FILES_PER_COPY
    return Choice(
        threshold,
        f'one copy in {FILES_PER_COPY:,} of {count:,} files, as in the papers',
    )
