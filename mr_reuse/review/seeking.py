"""Where labels are: how often in a run, and on which hosts they were captured first."""

import bisect
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.algorithms.sampling import rank_function
from mr_reuse.archives import dates, urls
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import NONE, Match
from mr_reuse.shuffle import protocol

HOSTS = 6  # on which a label is shown, one of which may be the item's own
A_HOST = 6  # pages noted of one, since some may be shown already
COUNTED = 200  # hosts of a label; of more it is not known how many
BATCH = 20_000  # pages that are looked at together
BATCH_BYTES = 32 << 20  # of their labels
FAR = (1 << 64) - 1


def matches(
    parts: Iterable[str], wanted: Container[bytes] | None = None
) -> Iterator[Match]:
    """The pages of a run that have labels; all of them, or some by their rids."""
    for key, value in protocol.read_parts(parts):
        # Most pages of a crawl have none, and are not looked at.
        if value.endswith(NONE):
            continue
        if wanted is None or key in wanted:
            match = matching.read_match(key, value)
            if match.total is not None:
                yield match


def pages(parts: Iterable[str], rids: Container[bytes]) -> dict[bytes, Match]:
    """Some pages of a run, by their rids."""
    return {match.rid: match for match in matches(parts, rids)}


class Noted(NamedTuple):
    """A page that has a label, in the order of capture."""

    order: int
    url: bytes
    page: Match


class Where:
    """How often a label is in a run, and on which hosts it was captured first."""

    def __init__(self) -> None:
        self.copies = self.count = 0
        self.hosts: set[int] = set()  # by their ranks, no more than COUNTED
        self.bound = FAR  # what comes later in the order is of no interest
        self._first: dict[int, list[Noted]] = {}

    @property
    def left(self) -> int:
        """How many hosts are left out, of those that were counted."""
        return len(self.hosts) - len(self._first)

    def count_host(self, host: int) -> None:
        """Count a host, by its rank."""
        if len(self.hosts) < COUNTED:
            self.hosts.add(host)

    def add(self, host: int, order: int, page: Match) -> None:
        """Note a page of a host, if the host may be among the first."""
        if order > self.bound:
            return
        pages = self._first.setdefault(host, [])
        bisect.insort(pages, Noted(order, page.url, page._replace(labels=NONE)))
        del pages[A_HOST:]
        if len(self._first) > HOSTS:
            del self._first[self._last()]
        if len(self._first) == HOSTS:
            self.bound = self._first[self._last()][0].order

    def _last(self) -> int:
        return max(self._first, key=lambda host: self._first[host][0])

    def pages(self, shown: Container[bytes]) -> list[Match]:
        """A page of each host that is not shown, the first captured in front.

        Whether later pages than the bound were noted depends on what was read first.
        """
        found = []
        for noted in self._first.values():
            left = [n for n in noted if n.order <= self.bound]
            found += [n for n in left if n.page.rid not in shown][:1]
        return [noted.page for noted in sorted(found)]


def order_of(date: str, rank: int) -> int:
    """The place of a page in the order of capture, hosts of the same second by rank.

    Without a date one is behind all others.

    >>> first = order_of('2020-01-02T03:04:05Z', FAR)
    >>> first < order_of('2020-01-02T03:04:06Z', 0) < order_of('', 0)
    True
    >>> order_of('', 0) < order_of('', FAR) < FAR
    True
    """
    return dates.parse_date(date) << 17 | rank >> 47


def seek(parts: Iterable[str], numbers: Iterable[int]) -> dict[int, Where]:
    """Where some labels are."""
    wanted = sorted(set(numbers) - {-1})
    if not wanted:
        return {}
    seeker = Seeker(wanted)
    for batch in batches(matches(parts)):
        seeker.look(batch)
    return seeker.found


def batches(pages: Iterable[Match]) -> Iterator[list[Match]]:
    """Pages, so many at a time that their labels fit into memory."""
    batch: list[Match] = []
    size = 0
    for page in pages:
        batch.append(page)
        size += len(page.labels)
        if len(batch) >= BATCH or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    yield batch


class Seeker:
    """Looks for labels in the pages of a run."""

    def __init__(self, wanted: list[int]):
        self.found = {number: Where() for number in wanted}
        self._places = list(self.found.values())
        self._wanted = np.array(wanted, np.uint64)
        self._bounds = np.full(len(wanted), FAR, np.uint64)
        self._rank = rank_function(0)

    def look(self, batch: list[Match]) -> None:
        """Look into some pages."""
        owners, numbers, copies = matching.unpack_labels(page.labels for page in batch)
        at = np.searchsorted(self._wanted, numbers)
        at[at == len(self._wanted)] = 0
        hit = self._wanted[at] == numbers
        owners, at, copies = owners[hit], at[hit], copies[hit]
        size = len(self._wanted)
        times = np.bincount(at, copies.astype(float), size).tolist()
        pages = np.bincount(at, minlength=size).tolist()
        for where, more, on in zip(self._places, times, pages, strict=True):
            where.copies += int(more)
            where.count += on
        ranks, orders = [0] * len(batch), np.zeros(len(batch), np.uint64)
        for owner in np.unique(owners).tolist():
            host = urls.url_host(batch[owner].url.decode())
            ranks[owner] = self._rank(host.encode())
            orders[owner] = order_of(
                batch[owner].date.decode(errors='replace'), ranks[owner]
            )
        self._count_hosts(ranks, owners, at)
        # The first in front, so that most of the others need not be noted.
        rows = np.argsort(orders[owners], kind='stable')
        rows = rows[orders[owners[rows]] <= self._bounds[at[rows]]]
        for owner, one in zip(owners[rows].tolist(), at[rows].tolist(), strict=True):
            self._places[one].add(ranks[owner], int(orders[owner]), batch[owner])
        self._bounds = np.array([where.bound for where in self._places], np.uint64)

    def _count_hosts(
        self, ranks: list[int], owners: np.ndarray, at: np.ndarray
    ) -> None:
        """Count each host of a label once, while it is of interest."""
        hosts, host_of = np.unique(np.array(ranks, np.uint64), return_inverse=True)
        open_ = np.array([len(where.hosts) < COUNTED for where in self._places])
        mine = open_[at]
        pairs = np.unique(at[mine] * len(hosts) + host_of[owners[mine]])
        for one, host in zip(*np.divmod(pairs, len(hosts)), strict=True):
            self._places[one].count_host(int(hosts[host]))
