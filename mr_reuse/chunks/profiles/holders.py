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
    holders: dict[str, Holder] = {}
    pages: list[Match] = []
    for key, value in protocol.read_parts(parts) if labels else ():
        match = matching.read_match(key, value)
        if match.total is None or match.labels == matching.NO_LABELS:
            continue
        pages.append(match)
        if len(pages) == BATCH_PAGES:
            _add_pages(holders, pages, labels, is_wanted)
            pages = []
    _add_pages(holders, pages, labels, is_wanted)
    return holders


def _add_pages(
    holders: dict[str, Holder],
    pages: Sequence[Match],
    labels: Sequence[int],
    is_wanted: Callable[[str], bool],
) -> None:
    if not pages:
        return
    owners, numbers, _ = matching.unpack_labels([page.labels for page in pages])
    found = np.isin(numbers, np.array(labels, np.uint64))
    bits = np.searchsorted(np.array(labels, np.uint64), numbers[found])
    of_page: dict[int, int] = {}
    for owner, bit in zip(owners[found].tolist(), bits.tolist(), strict=True):
        of_page[owner] = of_page.get(owner, 0) | 1 << bit
    for owner, mask in of_page.items():
        page = pages[owner]
        host = urls.url_host(page.url.decode())
        if host and is_wanted(host):
            count = mask.bit_count()
            first = Holder(0, 0, page)
            held, most, best = holders.get(host, first)
            if (-count, page.url, page.rid) < (-most, best.url, best.rid):
                most, best = count, page._replace(labels=b'')
            holders[host] = Holder(held | mask, most, best)


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
