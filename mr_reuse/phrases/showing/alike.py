"""The words that two pages share: those of phrases that both have."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.pages.documents.showing.marked_text import Span
from mr_reuse.phrases.showing import marks


class SharedRun(NamedTuple):
    """A run of shared words. A link is a place in one page and one in the other."""

    span: Span
    links: tuple[int, ...]


def link_runs(
    here: np.ndarray, there: np.ndarray
) -> tuple[list[SharedRun], list[SharedRun]]:
    """Return the runs of shared words of two pages.

    A page is given by the phrase that begins with each word. A run is linked to the
    place of its first phrase in the other page.

    >>> here = np.array([11, 12, 90, 91, 92, 93, 94, 95, 96])
    >>> there = np.array([70, 71, 72, 73, 74, 75, 11, 12, 76, 77, 78, 79, 80])
    >>> link_runs(here, there)
    ([SharedRun(span=(0, 6), links=(0,))], [SharedRun(span=(6, 12), links=(0,))])
    """
    common = np.intersect1d(here, there)
    ones = np.ones(len(common), np.int64)
    pages = here, there
    spans = [
        [span for span, _ in marks.find_spans(marks.count_words(page, common, ones))]
        for page in pages
    ]
    links: dict[tuple[int, int], int] = {}
    for one in (0, 1):
        other = 1 - one
        first = np.unique(pages[other], return_index=True)
        for number, span in enumerate(spans[one]):
            begins = pages[one][span[0] : span[1]]
            begins = begins[np.isin(begins, common)]
            if len(begins):  # else its phrases begin at the end of the page
                word = first[1][np.searchsorted(first[0], begins[0])]
                pair = number, _find_run(spans[other], int(word))
                links.setdefault(pair if one == 0 else pair[::-1], len(links))
    runs = [
        [
            SharedRun(span, tuple(n for pair, n in links.items() if pair[side] == run))
            for run, span in enumerate(spans[side])
        ]
        for side in (0, 1)
    ]
    return runs[0], runs[1]


def _find_run(spans: Sequence[Span], word: int) -> int:
    """Return the run with a word."""
    starts = np.array([start for start, _ in spans])
    return int(np.searchsorted(starts, word, 'right')) - 1
