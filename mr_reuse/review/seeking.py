"""The occurrences of labels in a run, and the hosts that were captured first."""

import bisect
from collections.abc import Callable, Container, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.algorithms.sampling import rank_function
from mr_reuse.archives import dates, urls
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import IN_FURTHER, NO_LABELS, Match
from mr_reuse.shuffle import protocol

MAX_HOSTS = 6  # listed of a label; one may be the host of the item
MAX_PAGES = 6  # kept of a host, since the item may show some of them
MAX_COUNTED = 200  # hosts of a label; the count stops there
BATCH_PAGES = 20_000  # searched together
MAX_HELD = 64 << 20  # bytes of packed labels of the pages of a sample
LAST = (1 << 64) - 1  # after every page in the order of capture


def matches(
    parts: Iterable[str], wanted: Container[bytes] | None = None
) -> Iterator[Match]:
    """Yield the pages of a run with labels, all of them or those with wanted rids."""
    for key, value in protocol.read_parts(parts):
        # Most pages of a crawl have no labels. This test is cheaper than parsing.
        if value.endswith(NO_LABELS):
            continue
        if wanted is None or key in wanted:
            match = matching.read_match(key, value)
            if match.is_kept:
                yield match


def pages(
    parts: Iterable[str],
    rids: Container[bytes],
    note: Callable[[Match], None] = lambda _: None,
) -> dict[bytes, Match]:
    """Return the pages with these rids, by rid.

    `note` is called with each. If they have very many labels, the result has only the
    labels of the first pages.
    """
    found: dict[bytes, Match] = {}
    held = 0
    for match in matches(parts, rids):
        note(match)
        held += len(match.labels)
        is_full = held > MAX_HELD
        found[match.rid] = match._replace(labels=IN_FURTHER) if is_full else match
    return found


def further_lines(parts: Iterable[str], rids: Container[bytes]) -> Iterator[Match]:
    """Yield the further lines of pages with very many labels."""
    return (match for match in matches(parts) if match.line and match.rid in rids)


class Capture(NamedTuple):
    """A page with a label, sortable by capture."""

    order: int
    url: bytes
    page: Match


class Occurrences:
    """The numbers of copies, pages and hosts of a label, and its first captures."""

    def __init__(self) -> None:
        self.copies = self.count = 0  # count: of pages
        self.hosts: set[int] = set()  # ranks of hosts, at most MAX_COUNTED
        self.bound = LAST  # later captures cannot be among the first hosts
        self._first: dict[int, list[Capture]] = {}  # by host

    @property
    def left(self) -> int:
        """The number of counted hosts that are not listed."""
        return len(self.hosts) - len(self._first)

    def count_host(self, host: int) -> None:
        """Count a host, by its rank."""
        if len(self.hosts) < MAX_COUNTED:
            self.hosts.add(host)

    def add(self, host: int, order: int, page: Match) -> None:
        """Keep a page of a host if the host may be among the first."""
        if order > self.bound:
            return
        pages = self._first.setdefault(host, [])
        bisect.insort(pages, Capture(order, page.url, page._replace(labels=NO_LABELS)))
        del pages[MAX_PAGES:]
        if len(self._first) > MAX_HOSTS:
            del self._first[self._last()]
        if len(self._first) == MAX_HOSTS:
            self.bound = self._first[self._last()][0].order

    def _last(self) -> int:
        return max(self._first, key=lambda host: self._first[host][0])

    def pages(self, shown: Container[bytes]) -> list[Match]:
        """Return a page of each first host that is not shown, by capture.

        Pages after the bound are ignored: only some of them are kept, depending on the
        order of reading, and the result must not depend on it.
        """
        result = []
        for captures in self._first.values():
            within = [c for c in captures if c.order <= self.bound]
            result += [c for c in within if c.page.rid not in shown][:1]
        return [capture.page for capture in sorted(result)]


def order_of(date: str, rank: int) -> int:
    """Return the position of a page in the order of capture.

    Hosts that were captured in the same second are in the order of their ranks. Pages
    without a date are last.

    >>> first = order_of('2020-01-02T03:04:05Z', LAST)
    >>> first < order_of('2020-01-02T03:04:06Z', 0) < order_of('', 0)
    True
    >>> order_of('', 0) < order_of('', LAST) < LAST
    True
    """
    # 47 bits of the date and 17 of the rank fill a uint64.
    return dates.parse_date(date) << 17 | rank >> 47


def seek(parts: Iterable[str], numbers: Iterable[int]) -> dict[int, Occurrences]:
    """Find the occurrences of labels, by their numbers; -1 is ignored."""
    wanted = sorted(set(numbers) - {-1})
    if not wanted:
        return {}
    seeker = Seeker(wanted)
    for batch in matching.batch_matches(matches(parts), BATCH_PAGES):
        seeker.search(batch)
    return seeker.occurrences


class Seeker:
    """Search for labels in batches of pages."""

    def __init__(self, wanted: list[int]):
        self.occurrences = {number: Occurrences() for number in wanted}
        self._by_index = list(self.occurrences.values())
        self._wanted = np.array(wanted, np.uint64)
        self._bounds = np.full(len(wanted), LAST, np.uint64)
        self._rank = rank_function(0)

    def search(self, batch: list[Match]) -> None:
        """Add the occurrences in a batch of pages."""
        owners, numbers, copies = matching.unpack_labels(page.labels for page in batch)
        # Three parallel arrays: a page of the batch, the index of a label, its copies.
        index = np.searchsorted(self._wanted, numbers)
        index[index == len(self._wanted)] = 0
        is_wanted = self._wanted[index] == numbers
        owners, index, copies = owners[is_wanted], index[is_wanted], copies[is_wanted]
        size = len(self._wanted)
        copy_sums = np.bincount(index, copies.astype(float), size).tolist()
        page_counts = np.bincount(index, minlength=size).tolist()
        for i, occurrences in enumerate(self._by_index):
            occurrences.copies += int(copy_sums[i])
            occurrences.count += page_counts[i]
        ranks, orders = [0] * len(batch), np.zeros(len(batch), np.uint64)
        for owner in np.unique(owners).tolist():
            host = urls.url_host(batch[owner].url.decode())
            ranks[owner] = self._rank(host.encode())
            orders[owner] = order_of(
                batch[owner].date.decode(errors='replace'), ranks[owner]
            )
        self._count_hosts(ranks, owners, index)
        # The first captures come first. They lower the bounds, which most others miss.
        rows = np.argsort(orders[owners], kind='stable')
        rows = rows[orders[owners[rows]] <= self._bounds[index[rows]]]
        for owner, i in zip(owners[rows].tolist(), index[rows].tolist(), strict=True):
            self._by_index[i].add(ranks[owner], int(orders[owner]), batch[owner])
        self._bounds = np.array([o.bound for o in self._by_index], np.uint64)

    def _count_hosts(
        self, ranks: list[int], owners: np.ndarray, index: np.ndarray
    ) -> None:
        """Count each host of a label once, up to MAX_COUNTED."""
        hosts, host_of = np.unique(np.array(ranks, np.uint64), return_inverse=True)
        is_open = np.array([len(o.hosts) < MAX_COUNTED for o in self._by_index])
        rows = is_open[index]
        # A pair of a label and a host as one integer, so that unique() is fast.
        pairs = np.unique(index[rows] * len(hosts) + host_of[owners[rows]])
        for i, host in zip(*np.divmod(pairs, len(hosts)), strict=True):
            self._by_index[i].count_host(int(hosts[host]))
