"""The section of near-duplicates: how many, in which classes, and on which hosts."""

import heapq
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mr_reuse.algorithms.frequent import Frequent
from mr_reuse.archives.urls import url_host
from mr_reuse.phrases.phrase_tables import NEAR_DUPLICATES
from mr_reuse.report.phrases import plots
from mr_reuse.report.phrases.classes import (
    LARGEST,
    ClassSizes,
    LargeClass,
    class_key,
    group_sizes,
)
from mr_reuse.report.phrases.counts import Facts
from mr_reuse.report.phrases.page_counts import Kept, PageCounts
from mr_reuse.report.run import Run

MAX_PAIRS, MAX_OWN = 20, 10  # rows on the page
PAIRS = 10_000  # of hosts that are counted at the same time


def count_classes(run: Run, facts: Facts) -> ClassSizes:
    """Count the near-duplicates of each class, in a first pass over the table."""
    sizes = ClassSizes(facts.counts['classes'])
    for row in run.rows(NEAR_DUPLICATES):
        sizes.add(row.kept_rid)
    return sizes


class HostPair(NamedTuple):
    """Documents of a host whose classes are kept on a host, and their number."""

    host: str
    kept_host: str
    documents: int


class HostCounts:
    """The hosts of near-duplicates, and of the documents that are kept of them."""

    def __init__(self) -> None:
        self.within = self.across = 0  # documents
        self._pairs, self._own = Frequent(PAIRS), Frequent(PAIRS)

    def add(self, host: str, kept_host: str) -> None:
        """Count a near-duplicate."""
        if host == kept_host:
            self.within += 1
            self._own.add((host, host))
        else:
            self.across += 1
            self._pairs.add((host, kept_host))

    @property
    def missing(self) -> int:
        """The most documents that are missing in the number of a pair or a host."""
        return max(self._pairs.missing, self._own.missing)

    def pairs(self, count: int) -> list[HostPair]:
        """Return the pairs of different hosts with the most documents."""
        return _most(self._pairs, count)

    def own(self, count: int) -> list[HostPair]:
        """Return the hosts with the most near-duplicates of their own documents."""
        return _most(self._own, count)


def _most(counts: Frequent, most: int) -> list[HostPair]:
    pairs = (HostPair(*hosts, number) for hosts, number in counts)
    return heapq.nsmallest(most, pairs, key=lambda pair: (-pair.documents, pair))


def describe_hosts(
    rows: Iterable[Any], hosts: Mapping[int, str], kept: Mapping[int, Kept]
) -> tuple[list[LargeClass], HostCounts]:
    """Find the hosts of the largest classes, and of the classes in the sample.

    `hosts` and `kept` are of the documents that are kept, by the keys of their classes.

    >>> rows = [NEAR_DUPLICATES.row('a:9', 'http://b/', 'a:0')]
    >>> key = class_key('a:0')
    >>> kept = {key: Kept('a:0', 'http://a/')}
    >>> [large], counts = describe_hosts(rows, {key: 'a'}, kept)
    >>> large.size, large.first_hosts(2), counts.pairs(1)
    (2, [('a', 1), ('b', 1)], [HostPair(host='b', kept_host='a', documents=1)])
    """
    large = {key: LargeClass(*page, url_host(page.url)) for key, page in kept.items()}
    found = HostCounts()
    for row in rows:
        key, host = class_key(row.kept_rid), url_host(row.url)
        if key in large:
            large[key].add(host)
        if key in hosts:
            found.add(host, hosts[key])
    largest = sorted(large.values(), key=lambda one: one.order)
    return largest[:LARGEST], found


def section(
    run: Run, facts: Facts, sizes: ClassSizes, pages: PageCounts
) -> dict[str, Any]:
    """Return the data of the section, after a second pass over the table."""
    rows = run.rows(NEAR_DUPLICATES) if pages.hosts or pages.large else ()
    largest, found = describe_hosts(rows, pages.hosts, pages.large)
    groups = group_sizes(sizes.sampled.values())
    return {
        'counts': facts.counts,
        'options': facts.options,
        'groups': groups,
        'figure': plots.draw_sizes(groups) if groups else None,
        'step': sizes.step,
        'unlisted': sizes.unlisted,
        'largest': largest,
        'found': found,
        'pairs': found.pairs(MAX_PAIRS),
        'own': found.own(MAX_OWN),
    }
