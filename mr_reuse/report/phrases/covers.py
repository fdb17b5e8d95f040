"""The section of covering sets: their sizes, and the pages with most foreign parts."""

import heapq
from collections.abc import Iterable
from typing import Any, NamedTuple

from mr_reuse.phrases.phrase_tables import COVER_SOURCES, COVERS
from mr_reuse.report.phrases import cover_plot
from mr_reuse.report.phrases.counts import Facts
from mr_reuse.report.phrases.page_counts import damaged
from mr_reuse.report.run import Run
from mr_reuse.text.polynomials import SHINGLES

MAX_PAGES = 10  # on the page
MAX_SOURCES = 10  # of a page


class Disc(NamedTuple):
    """Documents with as many popular shingles, and as many sources."""

    popular: int
    sources: int
    documents: int
    foreign: int  # the sum of their shingles from foreign sources

    @property
    def share(self) -> float:
        """The share of foreign shingles."""
        return self.foreign / (self.documents * self.popular)


class Covering(NamedTuple):
    """A document with its sources."""

    row: Any
    sources: list[Any]  # the first ones


class CoverCounts(NamedTuple):
    """The covering sets of a run, added up."""

    discs: list[Disc]
    worst: list[Any]  # rows of the documents with the most foreign shingles
    foreign_only: int  # documents without a shingle from a source at home

    @property
    def documents(self) -> int:
        """The number of documents."""
        return sum(disc.documents for disc in self.discs)

    @property
    def mean(self) -> float:
        """The mean number of sources."""
        return sum(d.documents * d.sources for d in self.discs) / self.documents

    @property
    def share(self) -> float:
        """The share of foreign shingles in all popular ones."""
        popular = sum(disc.documents * disc.popular for disc in self.discs)
        return sum(disc.foreign for disc in self.discs) / popular


def count_covers(rows: Iterable[Any]) -> CoverCounts:
    """Add up covering sets. Raises ValueError for one that cannot be.

    >>> rows = [COVERS.row('a:0', '', 60, 2, 9), COVERS.row('a:9', '', 60, 2, 60)]
    >>> counts = count_covers(rows)
    >>> counts.discs, [row.rid for row in counts.worst], counts.foreign_only
    ([Disc(popular=60, sources=2, documents=2, foreign=69)], ['a:9', 'a:0'], 1)
    """
    sums: dict[tuple[int, int], tuple[int, int]] = {}
    worst: list[tuple[tuple[int, int, int], Any]] = []  # a heap
    foreign_only = 0
    for number, row in enumerate(rows):
        place = row.popular, row.sources
        if not (0 < row.popular <= SHINGLES and row.sources <= row.popular):
            raise ValueError(row)
        documents, foreign = sums.get(place, (0, 0))
        sums[place] = documents + 1, foreign + row.foreign
        foreign_only += row.foreign == row.popular
        # Numbers differ, so rows are never compared. An earlier row comes first.
        entry = (row.foreign, row.sources, -number), row
        if not row.foreign:
            continue
        if len(worst) < MAX_PAGES:
            heapq.heappush(worst, entry)
        else:
            heapq.heappushpop(worst, entry)
    discs = [Disc(*place, *sums[place]) for place in sorted(sums)]
    return CoverCounts(
        discs, [row for _, row in sorted(worst, reverse=True)], foreign_only
    )


def join_sources(rows: Iterable[Any], sources: Iterable[Any]) -> list[Covering]:
    """Join documents with their first sources.

    >>> rows = [COVERS.row('a:9', '', 60, 2, 60), COVERS.row('a:0', '', 60, 1, 9)]
    >>> sources = [('a:0', 1, 'b:0'), ('a:7', 1, 'b:1'), ('a:9', 1, 'b:2')]
    >>> sources = [COVER_SOURCES.row(*row, 'http://b/', 9, 9, 1) for row in sources]
    >>> for covering in join_sources(rows, sources):
    ...     print(covering.row.rid, *(source.source_rid for source in covering.sources))
    a:9 b:2
    a:0 b:0
    """
    found = {row.rid: Covering(row, []) for row in rows}
    for source in sources if found else ():
        if source.rid in found and source.number <= MAX_SOURCES:
            found[source.rid].sources.append(source)
    return list(found.values())


def section(run: Run, facts: Facts) -> dict[str, Any]:
    """Return the sizes of covers, and the documents with the largest foreign part."""
    try:
        found = count_covers(run.rows(COVERS))
    except ValueError:
        raise damaged(run, COVERS) from None
    return {
        'counts': facts.counts,
        'options': facts.options,
        'found': found,
        'figure': cover_plot.draw_covers(found.discs) if found.discs else None,
        'worst': join_sources(found.worst, run.rows(COVER_SOURCES)),
    }
