"""Greedy covers: the documents that together have all grams of a page.

Grams with the same list of documents are a class. They are interchangeable, so a cover
needs only the list of each class, and the number of its grams.
"""

import heapq
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mr_reuse import kernel


class Source(NamedTuple):
    """A document of a cover."""

    document: int
    new: int  # grams that no document before it in the cover has
    shared: int  # all grams of the page that it has


Class = tuple[int, Iterable[int]]  # number of grams, documents that have them


def least_gain(delta: Fraction, grams: int) -> int:
    """Return the least number of new grams for which a document is taken.

    >>> least_gain(Fraction(0), 10), least_gain(Fraction(1, 4), 10)
    (1, 3)
    """
    return max(1, -(-delta.numerator * grams // delta.denominator))


def greedy_cover(classes: Iterable[Class], least: int = 1) -> list[Source]:
    """Return a greedy cover of classes, in the order in which it takes documents.

    The document with the most uncovered grams is next. Of several, it is the one with
    the most grams in all, then the one with the smaller number. The cover ends when no
    document adds `least` grams.

    >>> greedy_cover([(2, [7, 8]), (3, [7]), (1, [8, 9])])
    [Source(document=7, new=5, shared=5), Source(document=8, new=1, shared=3)]
    >>> greedy_cover([(1, [3]), (1, [2]), (1, [2, 3])])[0]
    Source(document=2, new=2, shared=2)
    >>> greedy_cover([(2, [7, 8]), (3, [7]), (1, [8, 9])], least=2)
    [Source(document=7, new=5, shared=5)]
    """
    counts: list[int] = []
    holdings: dict[int, list[int]] = {}  # the classes of each document
    for number, (count, documents) in enumerate(classes):
        counts.append(count)
        for document in documents:
            holdings.setdefault(document, []).append(number)
    shared = {d: sum([counts[n] for n in held]) for d, held in holdings.items()}
    # The number of uncovered grams only falls. A document whose number is as of now,
    # and the best of the numbers that others had, is therefore the best.
    heap = [(-gain, -gain, document) for document, gain in shared.items()]
    heapq.heapify(heap)
    cover = []
    while heap and -heap[0][0] >= least:
        before, total, document = heap[0]
        gain = sum([counts[n] for n in holdings[document]])
        if gain != -before:
            heapq.heapreplace(heap, (-gain, total, document))
            continue
        heapq.heappop(heap)
        cover.append(Source(document, gain, -total))
        for number in holdings[document]:
            counts[number] = 0
    return cover


class ClassLists(NamedTuple):
    """Classes, as lists of documents that are laid end to end."""

    counts: np.ndarray  # numbers of grams
    sizes: np.ndarray  # of the lists
    documents: np.ndarray
    is_admitted: np.ndarray  # of each document in a list, whether it may be taken

    def classes(self) -> Iterator[Class]:
        """Yield the classes with the documents that may be taken."""
        ends = np.cumsum(self.sizes, dtype=np.int64).tolist()
        start = 0
        for count, end in zip(self.counts.tolist(), ends, strict=True):
            admitted = self.is_admitted[start:end]
            yield count, self.documents[start:end][admitted].tolist()
            start = end

    def cover(self, least: int = 1) -> list[Source]:
        """Return the greedy cover, by the kernel if there is one.

        >>> sizes, documents = np.array([2, 1]), np.array([7, 8, 8])
        >>> lists = ClassLists(np.array([2, 3]), sizes, documents, documents > 0)
        >>> lists.cover() == greedy_cover(lists.classes()), lists.cover()
        (True, [Source(document=8, new=5, shared=5)])
        """
        loaded = kernel.load()
        if not loaded:
            return greedy_cover(self.classes(), least)
        kinds = np.uint64, np.uint32, np.uint64, np.uint8
        columns = (
            column.astype(kind, copy=False).tobytes()
            for column, kind in zip(self, kinds, strict=True)
        )
        rows = np.frombuffer(loaded.greedy_cover(*columns, least), np.uint64)
        return [Source(*row) for row in rows.reshape(-1, 3).tolist()]
