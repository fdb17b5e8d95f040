"""Segments: ranges of consecutive documents that a line is about.

A segment is `BATCH.ORDINAL*COUNT` in the output of the job that reads archives, and
`NUMBER*COUNT` in the shuffle.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from mr_reuse.pages.documents.numbering import Numbers


class Segment(NamedTuple):
    """Consecutive documents of a line."""

    first: str  # a number, or BATCH.ORDINAL
    count: int


def join_segments(places: Iterable[tuple[str, int]]) -> list[Segment]:
    """Join documents, each given by batch and ordinal, to segments.

    >>> join_segments([('aa', 0), ('aa', 1), ('ff', 0)])
    [Segment(first='aa.0', count=2), Segment(first='ff.0', count=1)]
    """
    segments: list[Segment] = []
    before, following = '', -1
    for batch, ordinal in places:
        if batch == before and ordinal == following:
            first, count = segments[-1]
            segments[-1] = Segment(first, count + 1)
        else:
            segments.append(Segment(f'{batch}.{ordinal}', 1))
        before, following = batch, ordinal + 1
    return segments


def format_segments(segments: Iterable[Segment]) -> bytes:
    """Make the text of segments.

    >>> text = format_segments([Segment('aa.0', 2), Segment('ff.0', 1)]); text
    b'aa.0*2,ff.0*1'
    >>> parse_segments(text)
    [Segment(first='aa.0', count=2), Segment(first='ff.0', count=1)]
    """
    return ','.join(f'{first}*{count}' for first, count in segments).encode()


def parse_segments(text: bytes) -> list[Segment]:
    """Parse the text of segments."""
    pairs = (pair.split('*') for pair in text.decode().split(','))
    return [Segment(first, int(count)) for first, count in pairs]


def number_segment(segment: Segment, numbers: Numbers) -> Segment:
    """Replace batch and ordinal of a segment by the number of its first document."""
    batch, _, ordinal = segment.first.partition('.')
    return Segment(str(numbers.base(batch) + int(ordinal)), segment.count)


def numbers_of(segments: Iterable[Segment]) -> np.ndarray:
    """Return the number of each document of numbered segments.

    >>> numbers_of([Segment('7', 2), Segment('3', 1)]).tolist()
    [7, 8, 3]
    """
    ranges = [np.arange(int(s.first), int(s.first) + s.count) for s in segments]
    return np.concatenate(ranges).astype(np.uint64)
