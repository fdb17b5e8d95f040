"""Sizes of classes of near-duplicates, and their hosts, in bounded memory."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain
from typing import NamedTuple

from mr_reuse.algorithms.frequent import Frequent
from mr_reuse.algorithms.sampling import rank_function
from mr_reuse.messages import to_bytes

MAX_CLASSES = 100_000  # whose sizes are counted; of more, a sample
CANDIDATES, LARGEST = 20, 10  # for the list of the largest classes, and in it
MAX_HOSTS = 5_000  # of a class, that are all counted

rank: Callable[[bytes], int] = rank_function(0)


def class_key(kept_rid: str) -> int:
    """Return the number of a class: a hash of the record id that is kept of it."""
    return rank(to_bytes(kept_rid))


def choose_step(classes: int) -> int:
    """Return N, a power of two, so that one in N of the classes are few enough.

    >>> [choose_step(classes) for classes in (0, 100_000, 100_001, 10**7)]
    [1, 1, 2, 128]
    """
    return 1 << (max(1, -(-classes // MAX_CLASSES)) - 1).bit_length()


class ClassSizes:
    """The numbers of near-duplicates that are left out of each class.

    A sample of the classes is counted exactly, which is all of them if they are few.
    The others are counted as far as they are among the largest.

    >>> sizes = ClassSizes(2)
    >>> for rid in ('a:0', 'a:9', 'a:9'):
    ...     sizes.add(rid)
    >>> sizes.largest() == [class_key('a:9'), class_key('a:0')], sizes.unlisted
    (True, 0)
    """

    def __init__(self, classes: int):
        self.step = choose_step(classes)
        self.sampled: dict[int, int] = {}
        self._others = Frequent(MAX_CLASSES // 2)

    def is_sampled(self, key: int) -> bool:
        """Test whether a class is in the sample."""
        return not key % self.step

    def add(self, kept_rid: str) -> None:
        """Count a near-duplicate."""
        key = class_key(kept_rid)
        if self.is_sampled(key):
            self.sampled[key] = self.sampled.get(key, 0) + 1
        else:
            self._others.add(key)

    def largest(self) -> list[int]:
        """Return the keys of classes that may be the largest."""
        return [key for _, key in self._candidates()]

    @property
    def unlisted(self) -> int:
        """The most near-duplicates of a class that is missing among the largest.

        It is 0 if all sizes are known.
        """
        missing = self._others.missing
        return missing and self._candidates()[-1][0] + missing

    def _candidates(self) -> list[tuple[int, int]]:
        counts = chain(self.sampled.items(), self._others)
        return heapq.nlargest(CANDIDATES, ((count, key) for key, count in counts))


class SizeGroup(NamedTuple):
    """The classes of some sizes. A size counts the document that is kept."""

    least: int
    most: int
    classes: int
    documents: int


def group_sizes(left_out: Iterable[int]) -> list[SizeGroup]:
    """Group classes by size: 2, 3 to 4, 5 to 8, and so on.

    `left_out` has the number of documents that are left out of each class.

    >>> for group in group_sizes([1, 2, 3, 3, 100]): print(*group)
    2 2 1 2
    3 4 3 11
    5 8 0 0
    9 16 0 0
    17 32 0 0
    33 64 0 0
    65 128 1 101
    """
    classes, documents = Counter[int](), Counter[int]()
    for count in left_out:
        classes[count.bit_length()] += 1
        documents[count.bit_length()] += count + 1
    return [
        SizeGroup((1 << n - 1) + 1, 1 << n, classes[n], documents[n])
        for n in range(1, max(classes, default=0) + 1)
    ]


class LargeClass:
    """A large class: its size, and the hosts of its documents.

    >>> large = LargeClass('a:0', 'http://a.org/', 'a.org')
    >>> for host in ('b.org', 'b.org'):
    ...     large.add(host)
    >>> large.size, large.count_hosts, large.first_hosts(5)
    (3, 2, [('b.org', 2), ('a.org', 1)])
    """

    def __init__(self, rid: str, url: str, host: str):
        self.rid, self.url, self.size = rid, url, 0
        self._hosts = Frequent(MAX_HOSTS // 2)
        self.add(host)

    def add(self, host: str) -> None:
        """Add a document."""
        self.size += 1
        self._hosts.add(host)

    @property
    def has_more_hosts(self) -> bool:
        """Whether there are more hosts than were counted."""
        return self._hosts.missing > 0

    @property
    def count_hosts(self) -> int:
        """The number of hosts, or the least that it may be."""
        return MAX_HOSTS if self.has_more_hosts else len(list(self._hosts))

    @property
    def order(self) -> tuple[int, str]:
        """The sort key: the largest class first."""
        return -self.size, self.rid

    def first_hosts(self, count: int) -> list[tuple[str, int]]:
        """Return the hosts of most documents, with their numbers."""
        return sorted(self._hosts, key=lambda pair: (-pair[1], pair[0]))[:count]
