"""The class of a near-duplicate: the pairs that joined it, and how alike its pages are.

Only some pages of a large class are read.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.algorithms.paths import find_path
from mr_reuse.components.edges import Edges, join, sort_distinct
from mr_reuse.pages.documents.document import Document
from mr_reuse.pages.documents.showing.document_numbers import DocumentNumbers
from mr_reuse.phrases.showing import resemblance
from mr_reuse.phrases.showing.resemblance import Resemblance
from mr_reuse.phrases.showing.results import PhraseResults

MAX_PAIRS = 200  # to look up
MAX_EDGES = 1_000_000  # of a class in memory

Pair = tuple[int, int]


class PagePair(NamedTuple):
    """Two pages, and their resemblance; None if one of them was not read."""

    one: Document
    other: Document
    resemblance: Resemblance | None


class DuplicateClass(NamedTuple):
    """What is known of the class of a near-duplicate."""

    ends: PagePair  # the page, and the one that is kept
    size: int  # documents
    pairs: int  # of near-duplicates that were found in it
    read: int  # documents that were read
    steps: int  # of a path from the page to the one that is kept; 0 if none was found
    path: list[PagePair]  # its first and its last steps
    of_page: list[PagePair]  # the other pairs of the page; it is the first of each
    compared: int  # pairs of near-duplicates that were read
    least_pair: PagePair | None  # of these
    least: PagePair | None  # of all documents that were read


def order(pair: Pair) -> Pair:
    """Put the larger number first."""
    return max(pair), min(pair)


def choose_pairs(
    pairs: np.ndarray, path: list[int], page: int, most: int
) -> list[Pair]:
    """Choose pairs to look up: those of a path, of a page, and some of the others.

    At most so many are chosen. A pair has the larger number first. The others are
    spread over all.

    >>> pairs = np.array([[2, 0], [3, 2], [4, 3], [5, 3], [6, 5], [7, 6]])
    >>> choose_pairs(pairs, [3, 2, 0], 3, 6)
    [(3, 2), (2, 0), (4, 3), (5, 3), (6, 5)]
    """
    steps = list(zip(path, path[1:], strict=False))
    half = max(1, most // 4)
    if len(steps) > 2 * half:
        steps = steps[:half] + steps[-half:]
    chosen = list(map(order, steps))
    is_own = (pairs == page).any(axis=1)
    chosen += [(one, other) for one, other in pairs[is_own].tolist()]
    chosen = list(dict.fromkeys(chosen))[:most]
    others = pairs[~is_own]
    left = min(len(others), most - len(chosen))
    spread = others[np.arange(left) * len(others) // max(1, left)].tolist()
    return list(dict.fromkeys([*chosen, *((one, other) for one, other in spread)]))


def read_class(
    results: PhraseResults, page: Document, kept: Document, numbers: DocumentNumbers
) -> DuplicateClass:
    """Read the class of a page that was left out, and some of its documents."""
    own, last = numbers.number_of(page), numbers.number_of(kept)
    mask = results.read_class_mask(numbers.total, last)
    pairs = np.stack(_read_edges(results, mask, own), axis=1)
    path = find_path(pairs, own, last)
    chosen = choose_pairs(pairs, path, own, MAX_PAIRS)
    # The page and the one that is kept come first: they are always read.
    named = list(dict.fromkeys([own, last, *(n for pair in chosen for n in pair)]))
    found = numbers.find_numbers(named)
    documents = [found[number] for number in named]
    phrases = resemblance.read_phrases(results, documents)

    def compare(one: int, other: int) -> PagePair:
        both = found[one], found[other]
        sets = [phrases[page.rid] for page in both if page.rid in phrases]
        return PagePair(*both, resemblance.compare_sets(*sets) if sets[1:] else None)

    steps = list(zip(path, path[1:], strict=False))
    known = set(map(order, steps))
    others = [pair for pair in chosen if own in pair and pair not in known]
    looked_up = set(chosen)
    compared = [pair for pair in map(lambda p: compare(*p), chosen) if pair.resemblance]
    there = [page for page in documents if page.rid in phrases]
    least = resemblance.find_least([phrases[page.rid] for page in there])
    return DuplicateClass(
        ends=compare(own, last),
        size=int(mask.sum()),
        pairs=len(pairs),
        read=len(there),
        steps=len(steps),
        path=[compare(*step) for step in steps if order(step) in looked_up],
        of_page=[compare(own, sum(pair) - own) for pair in others],
        compared=len(compared),
        least_pair=min(compared, key=_share, default=None),
        least=PagePair(there[least[0]], there[least[1]], least[2]) if least else None,
    )


def _share(pair: PagePair) -> float:
    return pair.resemblance.share if pair.resemblance else 1


def _read_edges(results: PhraseResults, mask: np.ndarray, page: int) -> Edges:
    """Return the distinct pairs of a class: at most MAX_EDGES, and all of the page."""

    def pieces() -> Iterator[Edges]:
        left = MAX_EDGES
        for found in results.read_edges(mask):
            is_own = (found.numbers == page) | (found.neighbors == page)
            is_own[:left] = True
            yield found.take(is_own)
            left = max(0, left - len(found.numbers))

    return sort_distinct(join(pieces()))
