"""The section of sites with quilted pages, and of the sites of their sources."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple

from mr_reuse.quilts.quilt_tables import QUILT_SITES
from mr_reuse.report.run import Run

MAX_READ = 20_000  # rows of the table, which begins with the most new grams
MAX_PAIRS = 20  # rows on the page
MAX_SITES = 10


class Feeder(NamedTuple):
    """A site from which pages of other sites are quilted."""

    host: str
    hosts: int  # other sites with such pages
    pages: int
    new: int


def section(run: Run) -> dict[str, Any] | None:
    """Return the pairs of sites with the most new grams, and the sites of sources."""
    if not run.has(QUILT_SITES):
        return None
    rows = list(islice(run.rows(QUILT_SITES), MAX_READ + 1))
    is_all, rows = len(rows) <= MAX_READ, rows[:MAX_READ]
    others = [row for row in rows if row.host != row.source_host]
    feeders = sum_feeders(others)
    return {
        'pairs': others[:MAX_PAIRS],
        'more': len(others) - len(others[:MAX_PAIRS]),
        'own': [row for row in rows if row.host == row.source_host][:MAX_SITES],
        'feeders': feeders[:MAX_SITES],
        'is_all': is_all,
        'read': len(rows),
    }


def sum_feeders(rows: Iterable[Any]) -> list[Feeder]:
    """Sum rows by the hosts of sources, those with the most new grams first.

    >>> rows = [('a', 's', 2, 9), ('b', 't', 1, 5), ('b', 's', 3, 1)]
    >>> for feeder in sum_feeders(QUILT_SITES.row(*row) for row in rows): print(*feeder)
    s 2 5 10
    t 1 1 5
    """
    sums: dict[str, Feeder] = {}
    for row in rows:
        old = sums.get(row.source_host, Feeder(row.source_host, 0, 0, 0))
        sums[row.source_host] = Feeder(
            old.host, old.hosts + 1, old.pages + row.pages, old.new + row.new
        )
    return sorted(sums.values(), key=lambda feeder: (-feeder.new, feeder.host))
