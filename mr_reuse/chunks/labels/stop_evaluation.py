"""Evaluate stop lists: the agreement of two lists, the coverage of a run."""

from collections.abc import Iterable
from typing import NamedTuple

from mr_reuse.chunks.labels import hash_lists
from mr_reuse.chunks.labels.stop_lists import Counts
from mr_reuse.messages import format_count
from mr_reuse.shuffle import digest_sets, packing
from mr_reuse.shuffle.digest_index import DigestIndex


def compare_lists(auto: str, manual: str) -> str:
    """Compare an automatic list with a manual list; return five lines of text."""
    names = auto, manual
    recipe = hash_lists.recipe_for(names)
    left, right = (
        hash_lists.load(name, recipe, other='the other list') for name in names
    )
    both = digest_sets.count_shared(left, right)
    return format_confusion(both, len(left) - both, len(right) - both)


def format_confusion(both: int, only_auto: int, only_manual: int) -> str:
    """Format the agreement of two lists as five lines.

    >>> print(format_confusion(1, 1, 0), end='')
             1  on both lists
             1  only on the automatic list
             0  only on the manual list
        50.0 %  precision: share of the automatic list that is on the manual list
       100.0 %  recall: share of the manual list that is on the automatic list
    """
    auto, manual = both + only_auto, both + only_manual
    return (
        f'{both:>10,}  on both lists\n'
        f'{only_auto:>10,}  only on the automatic list\n'
        f'{only_manual:>10,}  only on the manual list\n'
        f'{format_percent(both, auto)}  precision: share of the automatic list '
        'that is on the manual list\n'
        f'{format_percent(both, manual)}  recall: share of the manual list that '
        'is on the automatic list\n'
    )


def format_percent(part: int, whole: int) -> str:
    """Format a share in percent, ten characters wide; n/a if the whole is empty.

    >>> format_percent(222, 316), format_percent(0, 0)
    ('    70.3 %', '       n/a')
    """
    return f'{100 * part / whole:>8.1f} %' if whole else f'{"n/a":>10}'


def measure_coverage(name: str, counts: Counts, run: str) -> str:
    """Measure the shares of a run that are on a list; return three lines of text."""
    keys = hash_lists.load(name, counts.recipe, other=run)
    result = count_coverage(counts.chunks(), DigestIndex(keys), counts.threshold)
    return result.text(len(keys), counts.threshold)


class Coverage(NamedTuple):
    """Numbers of chunks on a list, and of all chunks."""

    digests: int  # of the list that occur in the run
    wide: int  # copies on the list, of chunks with more copies than the threshold
    wide_all: int  # copies of such chunks
    copies: int  # copies on the list, of all chunks
    copies_all: int  # copies of all chunks

    def text(self, on_list: int, threshold: int) -> str:
        """Format the shares as three lines.

        >>> print(Coverage(2, 35, 100, 40, 400).text(3, 10), end='')
            35.0 %  of the 100 chunks with more than 10 copies, each copy counted
            10.0 %  of all 400 chunks, each copy counted
            66.7 %  of the 3 hashes on the list, found in the run
        """
        return (
            f'{format_percent(self.wide, self.wide_all)}  of the '
            f'{format_count(self.wide_all, "chunk")} with more than '
            f'{format_count(threshold, "copy", "copies")}, each copy counted\n'
            f'{format_percent(self.copies, self.copies_all)}  of all '
            f'{format_count(self.copies_all, "chunk")}, each copy counted\n'
            f'{format_percent(self.digests, on_list)}  of the '
            f'{format_count(on_list, "hash", "hashes")} on the list, found in the run\n'
        )


def count_coverage(
    pieces: Iterable[packing.Rows], on_list: DigestIndex, threshold: int
) -> Coverage:
    """Count the chunks that are on a list.

    >>> rows = packing.make_rows(b'aabbcc', 2, [9, 7, 2], [1, 1, 1], [5, 5, 5])
    >>> count_coverage([rows], DigestIndex(packing.make_rows(b'aacc', 2).keys), 2)
    Coverage(digests=2, wide=9, wide_all=16, copies=11, copies_all=18)
    """
    sums = [0] * len(Coverage._fields)
    for rows in pieces:
        copies = rows.columns[0]
        hit, wide = on_list.find(rows.keys) >= 0, copies > threshold
        more = [copies[mask].sum() for mask in (hit & wide, wide, hit)]
        for i, n in enumerate([hit.sum(), *more, copies.sum()]):
            sums[i] += int(n)
    return Coverage(*sums)
