"""A model of crawls that are too large for this machine.

`scale.py` measures each step on two corpora: pages with few chunks, and real pages with
many. The cost of a page is taken as linear in the number of its chunks, and the cost of
a crawl as linear in its pages. HashChunks is measured on the real pages, and taken as
linear in the bytes of HTML.
"""

from typing import NamedTuple

from mr_reuse.pages import estimate, planning

READ = '01-pages'  # the step that reads archives
TABLES = 'tables'
PLACES = '05-places'  # only if it is asked for
INPUT_SECONDS = 40e-6  # CPU of the driver for an input, of a million in a list
PART_SECONDS = 90e-6  # CPU of the driver for a part file of a step


class Cost(NamedTuple):
    """The cost of a step for a page."""

    cpu: float  # seconds
    shuffled: float  # bytes
    written: float  # bytes


class Measured(NamedTuple):
    """The costs of all steps on a corpus."""

    chunks: float  # of a page
    html: float  # bytes of a page
    costs: dict[str, Cost]  # by step

    @classmethod
    def of_line(cls, found: dict) -> 'Measured':
        """Take the costs from a line of `results.jsonl` that `scale.py` has written."""
        pages = found['pages']
        costs = {
            step['step']: Cost(step['cpu'] / pages, step['shuffled'], step['written'])
            for step in found['steps']
            if step['step'] != PLACES
        }
        costs[TABLES] = Cost(0.0, 0.0, found['tables'])
        return cls(found['chunks'] / pages, found['bytes'] / pages, costs)


class Crawl(NamedTuple):
    """A crawl."""

    name: str
    html: float  # bytes
    packed: float  # bytes of its archives
    archives: float
    pages: float
    chunks: float


class Expected(NamedTuple):
    """The expected cost of `discover` and `detect` on a crawl, on Hadoop."""

    core_hours: float
    start_hours: float  # of cores, to start tasks
    shuffle: float  # bytes in all steps
    largest: float  # bytes in the largest step
    disk: float  # bytes in RUN
    driver_seconds: float


def cost_at(chunks: float, few: Measured, many: Measured, step: str) -> Cost:
    """Return the cost of a page with so many chunks.

    A cost that is lower for many chunks does not depend on them. The higher one counts.

    >>> few = Measured(4, 800, {'a': Cost(1, 10, 0)})
    >>> many = Measured(64, 22_000, {'a': Cost(7, 70, 9)})
    >>> cost_at(14, few, many, 'a')
    Cost(cpu=2.0, shuffled=20.0, written=1.5)
    """
    low, high = few.costs.get(step), many.costs.get(step)
    if not (low and high):  # it ran on one of them only
        return low or high
    share = (chunks - few.chunks) / (many.chunks - few.chunks)
    pairs = zip(low, high, strict=True)
    return Cost(*(a + max(0.0, share * (b - a)) for a, b in pairs))


def expect(crawl: Crawl, few: Measured, many: Measured) -> Expected:
    """Return the expected cost of a crawl.

    >>> few = Measured(4, 800, {'01-pages': Cost(0, 0, 100), 'a': Cost(1, 10, 0)})
    >>> read, rest = Cost(44, 0, 700), Cost(7, 70, 9)
    >>> many = Measured(64, 22_000, {'01-pages': read, 'a': rest})
    >>> crawl = Crawl('x', 20_000 * 3600, 1e6, 1, 3600, 14 * 3600)
    >>> found = expect(crawl, few, many)
    >>> round(found.core_hours), round(found.shuffle), round(found.disk)
    (42, 72000, 725400)
    """
    per_page = crawl.chunks / crawl.pages
    costs = {
        step: cost_at(per_page, few, many, step)
        for step in few.costs.keys() | many.costs.keys()
    }
    read = crawl.html * many.costs[READ].cpu / many.html
    others = [cost for step, cost in costs.items() if step != READ]
    seconds = read + crawl.pages * sum(cost.cpu for cost in others)
    steps = len(costs.keys() - {TABLES})
    tasks = min(crawl.archives, max(1, crawl.packed / planning.CLUSTER_TASK_BYTES))
    start = estimate.start_seconds('hadoop', steps, round(tasks))
    driver = crawl.archives * INPUT_SECONDS + tasks * steps * PART_SECONDS
    return Expected(
        seconds / 3600,
        start / 3600,
        crawl.pages * sum(cost.shuffled for cost in others),
        crawl.pages * max(cost.shuffled for cost in others),
        crawl.pages * sum(cost.written for cost in costs.values()),
        driver,
    )


# Debian's documentation has a chunk for each 363 bytes. Of Common Crawl, no number of
# chunks is published.
DEBIAN_CHUNK = 363
CRAWLS = (
    # The size of the archives is not published; a quarter of the HTML is taken.
    Crawl('crawl-002', 99e12, 25e12, 250_000, 2.86e9, 40.5e9),
    Crawl(
        'Common Crawl, December 2024',
        394 * 2.0**40,
        90e12,
        90_000,
        2.64e9,
        394 * 2.0**40 / DEBIAN_CHUNK,
    ),
)
