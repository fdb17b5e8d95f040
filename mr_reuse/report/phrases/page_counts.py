"""One pass over the documents that are kept: their popular shingles, and their hosts.

The table may have 10^9 rows. Only sums are kept, and the hosts of some documents.
"""

from collections.abc import Collection, Container, Iterable
from typing import Any, NamedTuple

from mr_reuse.archives.urls import url_host
from mr_reuse.errors import UserError
from mr_reuse.phrases.phrase_tables import PHRASE_PAGES
from mr_reuse.report.phrases.classes import class_key
from mr_reuse.report.run import Run
from mr_reuse.storage import naming
from mr_reuse.tables.schema import Table
from mr_reuse.text.polynomials import SHINGLES


class Kept(NamedTuple):
    """A document that is kept of a large class."""

    rid: str
    url: str


class PageCounts(NamedTuple):
    """What the report needs of the documents that are kept."""

    histogram: list[int]  # documents by their number of popular shingles
    by_host: dict[str, list[int]]  # the same for some hosts
    hosts: dict[int, str]  # of the documents kept of classes
    large: dict[int, Kept]  # of large classes

    @property
    def total(self) -> int:
        """The number of documents."""
        return sum(self.histogram)

    def count_from(self, least: int) -> int:
        """Return the number of documents with at least so many popular shingles."""
        return sum(self.histogram[least:])


def count_pages(
    rows: Iterable[Any],
    hosts: Collection[str],
    sampled: Container[int],
    large: Container[int],
) -> PageCounts:
    """Count the popular shingles of documents, also for some hosts.

    `sampled` and `large` are the keys of classes of near-duplicates.

    >>> rows = [PHRASE_PAGES.row('a:0', 'http://h/', 9, 84)]
    >>> counts = count_pages(rows, ['h'], {class_key('a:0')}, ())
    >>> counts.histogram[84], counts.by_host['h'][84], [*counts.hosts.values()]
    (1, 1, ['h'])
    """
    histogram = [0] * (SHINGLES + 1)
    counts = PageCounts(histogram, {host: [*histogram] for host in hosts}, {}, {})
    names: dict[str, str] = {}  # one object for each host
    for row in rows:
        histogram[row.popular] += 1
        host = url_host(row.url)
        if host in counts.by_host:
            counts.by_host[host][row.popular] += 1
        if sampled or large:
            key = class_key(row.rid)
            if key in sampled:
                counts.hosts[key] = names.setdefault(host, host)
            if key in large:
                counts.large[key] = Kept(row.rid, row.url)
    return counts


def read_pages(
    run: Run, hosts: Collection[str], sampled: Container[int], large: Container[int]
) -> PageCounts:
    """Count the pages of a run."""
    try:
        return count_pages(run.rows(PHRASE_PAGES), hosts, sampled, large)
    except IndexError:
        raise damaged(run, PHRASE_PAGES) from None


def damaged(run: Run, table: Table) -> UserError:
    """Return the error for a table with a value that cannot be."""
    name = naming.join(run.path, table.file)
    return UserError(f'{name}: damaged; run phrases again')
