"""The section of popular phrases: which, how frequent, and how many on a page."""

from itertools import islice
from typing import Any

from mr_reuse.phrases.phrase_tables import PHRASE_FREQUENCY, PHRASES
from mr_reuse.report.phrases import plots
from mr_reuse.report.phrases.counts import Facts
from mr_reuse.report.phrases.page_counts import PageCounts, damaged
from mr_reuse.report.run import Run
from mr_reuse.text.polynomials import SHINGLES

MAX_PHRASES = 1_000  # on the page
FIRST = 20  # of these, that are always visible
HALF = SHINGLES // 2


def section(run: Run, facts: Facts, pages: PageCounts) -> dict[str, Any]:
    """Return the first phrases, and the plots of Figures 1 and 2 of the paper."""
    rows = list(islice(run.rows(PHRASES), MAX_PHRASES))
    points = [tuple(row) for row in run.rows(PHRASE_FREQUENCY)]
    if not all(map(all, points)):  # a number is 0, which no logarithmic axis has
        raise damaged(run, PHRASE_FREQUENCY)
    # The line of a host with all documents would only frame the bars.
    hosts = {
        host: curve for host, curve in pages.by_host.items() if sum(curve) < pages.total
    }
    pages = pages._replace(by_host=hosts)
    return {
        'counts': facts.counts,
        'options': facts.options,
        'first': rows[:FIRST],
        'others': rows[FIRST:],
        'frequency': plots.draw_frequency(points) if points else None,
        'figure': plots.draw_pages(pages) if pages.total else None,
        'width': plots.choose_width(pages),
        'hosts': list(hosts),
        'total': pages.total,
        'some': pages.count_from(1),
        'half': pages.count_from(HALF),
    }
