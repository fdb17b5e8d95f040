"""The ROC curve of the threshold: by a judged sample, what each threshold labels."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mr_reuse.chunks.labels.stop_lists import Counts
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.digest_index import DigestIndex

HEADER = 'threshold\tbad\tbenign\tbad_share\tbenign_share\n'


class Judged(NamedTuple):
    """A judged chunk of a run."""

    copies: int
    is_bad: bool


class Point(NamedTuple):
    """The judged chunks that are labels under a threshold."""

    threshold: int
    bad: int
    benign: int


def list_points(judged: Iterable[Judged]) -> list[Point]:
    """Return a point for each threshold at which the labels change, ascending.

    Of the thresholds with the same labels, the highest is returned.

    >>> for point in list_points([Judged(9, True), Judged(5, False), Judged(5, True)]):
    ...     print(*point)
    4 2 1
    8 1 0
    9 0 0
    """
    judged = list(judged)
    copies = {chunk.copies for chunk in judged}
    points = []
    for threshold in sorted({n - 1 for n in copies} | {max(copies, default=0)}):
        labels = [chunk.is_bad for chunk in judged if chunk.copies > threshold]
        points.append(Point(threshold, sum(labels), len(labels) - sum(labels)))
    return points


def format_curve(judged: Iterable[Judged]) -> str:
    """Format the points of the curve as a table.

    >>> lines = format_curve([Judged(9, True), Judged(5, False)]).splitlines()
    >>> [line.split() for line in lines[:2]]
    [['threshold', 'bad', 'benign', 'bad_share', 'benign_share'], \
['4', '1', '1', '1.000000000', '1.000000000']]
    """
    judged = list(judged)
    bad = sum(chunk.is_bad for chunk in judged)
    benign = len(judged) - bad
    rows = (
        f'{point.threshold}\t{point.bad}\t{point.benign}\t'
        f'{_share(point.bad, bad)}\t{_share(point.benign, benign)}\n'
        for point in list_points(judged)
    )
    return HEADER + ''.join(rows)


def _share(part: int, whole: int) -> str:
    return f'{part / whole:.9f}' if whole else ''


def find_copies(counts: Counts, verdicts: Mapping[bytes, bool]) -> list[Judged]:
    """Look up the copies of judged chunks, True for bad ones, in the counts of a run.

    Chunks that the run does not have are left out.
    """
    keys = packing.make_rows(b''.join(sorted(verdicts)), counts.recipe.width).keys
    index, judged = DigestIndex(keys), []
    for rows in counts.read_chunks():
        found = rows.take(index.find(rows.keys) >= 0)
        for key, copies in zip(found.keys, found.columns[0].tolist(), strict=True):
            judged.append(Judged(copies, verdicts[key.tobytes()]))
    return judged
