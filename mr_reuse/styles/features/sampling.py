"""The pages that are read to describe styles: some of each, and some of all documents.

    sampled/PART  TEXTS  the fields of `Sampled`, style by style, in the order of choice
    other/0000    TEXTS  the fields of `Other`, the lowest ranks first

The first page of a style is its prototype. The others are spread over its domains: the
second page of a domain comes after the first page of each. Otherwise the
choice is at random, but depends on the input alone.
"""

import hashlib
import heapq
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.messages import to_bytes, to_text
from mr_reuse.shuffle import ordered_parts
from mr_reuse.shuffle.partitions import pack_texts, partition_key, unpack_texts
from mr_reuse.shuffle.protocol import Line
from mr_reuse.text.gram_hash import mix

SAMPLED, OTHER = 'sampled', 'other'  # units
MEMBERS = 10  # of a style
OTHERS = 100  # of all documents
NONE = -1  # the cluster of a document without one


class Sampled(NamedTuple):
    """A page of a style."""

    cluster: int
    rid: str
    url: str

    @classmethod
    def parse(cls, text: bytes) -> 'Sampled':
        """Parse a text.

        >>> page = Sampled(3, 'a:0', 'http://a/')
        >>> Sampled.parse(page.to_text()) == page
        True
        """
        cluster, rid, url = to_text(text).split('\t')
        return cls(int(cluster), rid, url)

    def to_text(self) -> bytes:
        """Make a text."""
        return to_bytes('\t'.join(map(str, self)))


class Other(NamedTuple):
    """A document of any style, or of none."""

    rank: str  # by which it was drawn, in hexadecimal digits
    cluster: int
    rid: str
    url: str

    @classmethod
    def parse(cls, text: bytes) -> 'Other':
        """Parse a text.

        >>> page = Other('0f', NONE, 'a:0', 'http://a/')
        >>> Other.parse(page.to_text()) == page
        True
        """
        rank, cluster, rid, url = to_text(text).split('\t')
        return cls(rank, int(cluster), rid, url)

    def to_text(self) -> bytes:
        """Make a text."""
        return to_bytes('\t'.join(map(str, self)))


def choose_members(
    numbers: np.ndarray, domains: np.ndarray, prototype: int, most: int = MEMBERS
) -> list[int]:
    """Return the indexes of some pages of a style, the prototype first.

    `numbers` are those of the documents, and `domains` tell their domains apart.

    >>> domains = np.array([7, 7, 7, 8, 9])
    >>> chosen = choose_members(np.arange(5), domains, 1, 4)
    >>> chosen[0], sorted(chosen[1:3])
    (1, [3, 4])
    """
    ranks = mix(numbers.astype(np.uint64) + np.uint64(1))  # of 0, it is 0
    ranks[prototype] = 0
    order = np.lexsort((ranks, domains))
    sorted_domains = domains[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = sorted_domains[1:] != sorted_domains[:-1]
    starts = np.flatnonzero(is_first)
    lengths = np.diff(starts, append=len(order))
    turns = np.empty(len(order), np.int64)
    turns[order] = np.arange(len(order)) - np.repeat(starts, lengths)
    return np.lexsort((ranks, turns))[:most].tolist()


class OtherSampler:
    """Draws the documents of the lowest ranks."""

    def __init__(self, most: int = OTHERS):
        self._most = most
        self._least: list[tuple[int, bytes]] = []  # a heap, the highest rank first

    def add(self, rid: str, url: str, cluster: int) -> None:
        """Add a document."""
        rank = hashlib.sha1(to_bytes(rid)).hexdigest()
        self._add(rank, Other(rank, cluster, rid, url).to_text())

    def join(self, values: Iterable[bytes]) -> None:
        """Add the documents of the lines of others."""
        for value in values:
            for text in unpack_texts(value):
                self._add(to_text(text.partition(b'\t')[0]), text)

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the documents that were drawn."""
        texts = [text for _, text in sorted(self._least, reverse=True)]
        self._least = []
        for value in pack_texts(texts):
            yield partition_key(OTHER, 0), value

    def _add(self, rank: str, text: bytes) -> None:
        entry = -int(rank, 16), text
        if len(self._least) < self._most:
            heapq.heappush(self._least, entry)
        elif entry > self._least[0]:
            heapq.heapreplace(self._least, entry)


def read_sampled(
    parts: Iterable[str], clusters: Container[int] | None = None
) -> Iterator[Sampled]:
    """Yield the pages of styles, style by style; only of some clusters, if given."""
    for text in ordered_parts.read_in_order(parts, SAMPLED):
        if clusters is None or int(text.partition(b'\t')[0]) in clusters:
            yield Sampled.parse(text)


def read_others(parts: Iterable[str]) -> Iterator[Other]:
    """Yield the documents that were drawn of all."""
    return map(Other.parse, ordered_parts.read_in_order(parts, OTHER))
