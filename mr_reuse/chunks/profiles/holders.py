"""Find the hosts that have some labels, in the matches of a run."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.archives import urls
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.shuffle import protocol

BATCH_PAGES = 5_000  # pages whose labels to unpack together


class Holder(NamedTuple):
    """A host with some of the labels, and its page with the most of them."""

    labels: int  # a bit for each label, in the order of their numbers
    page_labels: int  # the number of labels on the page
    match: Match


def find_holders(
    parts: Iterable[str], labels: Sequence[int], is_wanted: Callable[[str], bool]
) -> dict[str, Holder]:
    """Find the hosts that have any of the labels, in one pass over the matches.

    `labels` are sorted numbers of labels. Hosts that are not wanted are left out.
    """
    finder = HolderFinder(labels, is_wanted)
    matches = (
        match
        for line in (protocol.read_parts(parts) if labels else ())
        if (match := matching.read_match(*line)).is_kept
        and match.labels not in (matching.NO_LABELS, matching.IN_FURTHER)
    )
    for batch in matching.batch_matches(matches, BATCH_PAGES):
        finder.add(batch)
    return finder.finish()


class HolderFinder:
    """Finds the hosts that have any of some labels, in batches of matches."""

    def __init__(self, labels: Sequence[int], is_wanted: Callable[[str], bool]):
        self._labels, self._is_wanted = np.array(labels, np.uint64), is_wanted
        self._holders: dict[str, Holder] = {}
        # The page of the last line with labels, which may have further lines.
        self._page: Match | None = None
        self._mask = 0

    def add(self, batch: Sequence[Match]) -> None:
        """Add matches that have labels."""
        owners, numbers, _ = matching.unpack_labels([page.labels for page in batch])
        found = np.isin(numbers, self._labels)
        bits = np.searchsorted(self._labels, numbers[found])
        for owner, bit in zip(owners[found].tolist(), bits.tolist(), strict=True):
            page = batch[owner]
            if self._page is None or page.rid != self._page.rid:
                self._add_page()
                self._page, self._mask = page._replace(labels=b''), 0
            self._mask |= 1 << bit

    def finish(self) -> dict[str, Holder]:
        """Return the hosts with what they have."""
        self._add_page()
        return self._holders

    def _add_page(self) -> None:
        page, mask = self._page, self._mask
        host = urls.url_host(page.url.decode()) if page else ''
        if host and self._is_wanted(host):
            count = mask.bit_count()
            held, most, best = self._holders.get(host, Holder(0, 0, page))
            if (-count, page.url, page.rid) < (-most, best.url, best.rid):
                most, best = count, page
            self._holders[host] = Holder(held | mask, most, best)


def count_holders(holders: Iterable[Holder], labels: int) -> list[int]:
    """Count the hosts of each label, for this number of labels.

    >>> page = Match(b'a:0', b'http://a/', b'', 1, 2, b'')
    >>> count_holders([Holder(0b101, 1, page), Holder(0b100, 1, page)], 3)
    [1, 0, 2]
    """
    counts = [0] * labels
    for holder in holders:
        for bit in range(labels):
            counts[bit] += holder.labels >> bit & 1
    return counts
