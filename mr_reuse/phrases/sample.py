"""The pages whose covering sets are found: a sample, or those of a host.

    sample/PART   TEXTS   popular rank NUMBER

A page of the sample has at least 30 popular shingles. For each number of popular
shingles, the pages of the lowest ranks are the sample.
"""

import hashlib
import heapq
from collections.abc import Iterable, Iterator
from typing import Protocol

from mr_reuse.archives.urls import url_host
from mr_reuse.messages import to_bytes
from mr_reuse.phrases.phrase_options import PhraseRule
from mr_reuse.shuffle import ordered_parts
from mr_reuse.shuffle.protocol import Line

UNIT = 'sample'
LEAST_POPULAR = 30  # of a page in a sample


class Page(Protocol):
    """What a sample needs to know of a page."""

    number: int
    rid: str
    url: str
    popular: int


Sampled = tuple[int, str, int]  # popular shingles, rank, number of the page


def rank_page(seed: int, rid: str) -> str:
    """Return the rank of a page, in hexadecimal digits.

    >>> rank_page(0, 'a:0')
    '178aa04257f6c99d93e96d4f359fa31e7fd15701'
    """
    return hashlib.sha1(to_bytes(f'{seed}:{rid}')).hexdigest()


def draw_sample(pages: Iterable[Sampled], size: int) -> list[Sampled]:
    """Return the pages of the lowest ranks, for each number of popular shingles.

    >>> draw_sample([(31, 'b', 1), (30, 'c', 2), (31, 'a', 3)], 1)
    [(30, 'c', 2), (31, 'a', 3)]
    """
    by_popular: dict[int, list[Sampled]] = {}
    for page in pages:
        by_popular.setdefault(page[0], []).append(page)
    chosen = (heapq.nsmallest(size, by_popular[n]) for n in sorted(by_popular))
    return [page for group in chosen for page in group]


class Sampler:
    """Draws a sample of pages, or takes those of a host."""

    def __init__(self, rule: PhraseRule):
        self._rule = rule
        self._sample: list[Sampled] = []

    def add(self, part: int, pages: Iterable[Page]) -> Iterator[Line]:
        """Add the pages of a partition; yield those of the host that the rule names."""
        host = self._rule.covers_of
        if host is not None:
            found = (p for p in pages if p.popular and url_host(p.url) == host)
            texts = (format_sampled((page.popular, '', page.number)) for page in found)
            yield from ordered_parts.pack_rows(UNIT, part, texts)
            return
        ranked = (
            (page.popular, rank_page(self._rule.seed, page.rid), page.number)
            for page in pages
            if page.popular >= LEAST_POPULAR
        )
        self._sample = draw_sample([*self._sample, *ranked], self._rule.covers)

    def finish(self) -> Iterator[Line]:
        """Yield the lines of the sample."""
        texts = map(format_sampled, self._sample)
        yield from ordered_parts.pack_rows(UNIT, 0, texts)


def format_sampled(page: Sampled) -> bytes:
    """Make the text of a page of the sample.

    >>> parse_sampled(format_sampled((30, 'a9', 7)))
    (30, 'a9', 7)
    """
    return '\t'.join(map(str, page)).encode()


def parse_sampled(text: bytes) -> Sampled:
    """Parse the text of a page of the sample."""
    popular, rank, number = text.decode().split('\t')
    return int(popular), rank, int(number)
