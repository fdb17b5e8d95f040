"""Evaluate stop lists: the agreement of two lists, the coverage of a run."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from mr_reuse.chunks.labels import hash_lists
from mr_reuse.chunks.labels.stop_lists import Counts
from mr_reuse.messages import format_count
from mr_reuse.shuffle import digest_sets, packing
from mr_reuse.shuffle.digest_index import DigestIndex


def compare_lists(auto: str, manual: str) -> str:
    """Compare an automatic list with a manual list; return five lines of text."""
    names = auto, manual
    recipe = hash_lists.infer_recipe(names)
    auto_keys, manual_keys = (
        hash_lists.load(name, recipe, other='the other list') for name in names
    )
    both = digest_sets.count_shared(auto_keys, manual_keys)
    return format_confusion(both, len(auto_keys) - both, len(manual_keys) - both)


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
    chunks = counts.read_chunks()
    coverage = count_coverage(chunks, DigestIndex(keys), counts.threshold)
    return coverage.format(len(keys), counts.threshold)


class Coverage(NamedTuple):
    """Copies of the chunks of a run, and of those that are on a list.

    A wide chunk has more copies than the threshold.
    """

    listed_digests: int  # distinct digests of the run that are on the list
    listed_wide: int  # copies
    wide: int  # copies
    listed: int  # copies
    all: int  # copies

    def format(self, list_size: int, threshold: int) -> str:
        """Format the shares as three lines.

        >>> print(Coverage(2, 35, 100, 40, 400).format(3, 10), end='')
            35.0 %  of the 100 chunks with more than 10 copies, each copy counted
            10.0 %  of all 400 chunks, each copy counted
            66.7 %  of the 3 hashes on the list, found in the run
        """
        return (
            f'{format_percent(self.listed_wide, self.wide)}  of the '
            f'{format_count(self.wide, "chunk")} with more than '
            f'{format_count(threshold, "copy", "copies")}, each copy counted\n'
            f'{format_percent(self.listed, self.all)}  of all '
            f'{format_count(self.all, "chunk")}, each copy counted\n'
            f'{format_percent(self.listed_digests, list_size)}  of the '
            f'{format_count(list_size, "hash", "hashes")} on the list, '
            'found in the run\n'
        )


def count_coverage(
    pieces: Iterable[packing.Rows], listed: DigestIndex, threshold: int
) -> Coverage:
    """Count the chunks that are on a list.

    >>> rows = packing.make_rows(b'aabbcc', 2, [9, 7, 2], [1, 1, 1], [5, 5, 5])
    >>> count_coverage([rows], DigestIndex(packing.make_rows(b'aacc', 2).keys), 2)
    Coverage(listed_digests=2, listed_wide=9, wide=16, listed=11, all=18)
    """
    total = np.zeros(len(Coverage._fields), np.uint64)
    for rows in pieces:
        copies = rows.columns[0]
        is_listed, is_wide = listed.find(rows.keys) >= 0, copies > threshold
        masks = is_listed & is_wide, is_wide, is_listed
        sums = [copies[mask].sum() for mask in masks]
        total += np.array([is_listed.sum(), *sums, copies.sum()], np.uint64)
    return Coverage(*total.tolist())
