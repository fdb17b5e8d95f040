"""Where labels are: how often in a run, and on which pages of a few of its hosts."""

from collections.abc import Container, Iterable, Iterator

import numpy as np

from mr_reuse import matching, records, storage, urls
from mr_reuse.matching import NONE, Match
from mr_reuse.reviewing.sampling import ranking

HOSTS = 6  # on which a label is shown, one of which may be the item's own
A_HOST = 6  # pages noted of one, since some may be shown already
BATCH = 20_000  # pages that are looked at together
BATCH_BYTES = 32 << 20  # of their labels
FAR = (1 << 64) - 1


def matches(
    parts: Iterable[str], wanted: Container[bytes] | None = None
) -> Iterator[Match]:
    """The pages of a run that have labels; all of them, or some by their rids."""
    for part in parts:
        with storage.open_read(part) as stream:
            for key, value in records.read_lines(stream):
                # Most pages of a crawl have none, and are not looked at.
                if key == records.LAST or value.endswith(NONE):
                    continue
                if wanted is None or key in wanted:
                    match = matching.read_match(key, value)
                    if match.total is not None:
                        yield match


def pages(parts: Iterable[str], rids: Container[bytes]) -> dict[bytes, Match]:
    """Some pages of a run, by their rids."""
    return {match.rid: match for match in matches(parts, rids)}


class Where:
    """How often a label is in a run, and on which pages of a few random hosts."""

    def __init__(self) -> None:
        self.copies = self.count = 0
        self._hosts: dict[int, list[Match]] = {}

    def add(self, host: int, page: Match) -> int:
        """Note a page of a host; gives the rank up to which hosts are of interest."""
        pages = self._hosts.setdefault(host, [])
        if len(pages) < A_HOST:
            pages.append(page._replace(labels=NONE))
        if len(self._hosts) > HOSTS:
            del self._hosts[max(self._hosts)]
        return max(self._hosts) if len(self._hosts) == HOSTS else FAR

    def pages(self, shown: Container[bytes]) -> list[Match]:
        """A page of each host that is not shown, the first captured in front."""
        hosts = self._hosts.values()
        left = ([page for page in some if page.rid not in shown] for some in hosts)
        found = [pages[0] for pages in left if pages]
        return sorted(found, key=lambda page: (page.date, page.url))


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
        self._wanted = np.array(wanted, np.uint64)
        self._bounds = np.full(len(wanted), FAR, np.uint64)
        self._rank = ranking(0)

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
        for where, more, on in zip(self.found.values(), times, pages, strict=True):
            where.copies += int(more)
            where.count += on
        ranks = np.zeros(len(batch), np.uint64)
        for owner in np.unique(owners).tolist():
            host = urls.host(batch[owner].url.decode())
            ranks[owner] = self._rank(host.encode())
        near = ranks[owners] <= self._bounds[at]
        places = list(self.found.values())
        for owner, one in zip(owners[near].tolist(), at[near].tolist(), strict=True):
            bound = places[one].add(int(ranks[owner]), batch[owner])
            self._bounds[one] = bound
