"""Find the hosts that have some labels, in the matches of a run.

There may be millions of such hosts, so what their pages have is sorted on disk.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.archives import urls
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.shuffle import protocol, sorting

BATCH_PAGES = 5_000  # pages whose labels to unpack together
MAX_HOSTS = 20  # to list of those that have some of the labels


class Holder(NamedTuple):
    """A host with some of the labels, and its page with the most of them."""

    host: str
    labels: int  # a bit for each label, in the order of their numbers
    url: str
    rid: str


class Holders(NamedTuple):
    """The hosts that have any of some labels."""

    hosts: int  # their number
    counts: list[int]  # the hosts of each label
    first: list[Holder]  # those with the most labels


def find_holders(
    parts: Iterable[str], labels: Sequence[int], is_wanted: Callable[[str], bool]
) -> Holders:
    """Find the hosts that have any of the labels, in one pass over the matches.

    `labels` are sorted numbers of labels. Hosts that are not wanted are left out.
    """
    matches = (
        match
        for line in (protocol.read_parts(parts) if labels else ())
        if (match := matching.read_match(*line)).is_kept
        and match.labels not in (matching.NO_LABELS, matching.IN_FURTHER)
    )
    lines = (
        sorting.add_key(to_bytes(host), b'%x\t%b\t%b' % (mask, page.url, page.rid))
        for page, mask in find_pages(matches, labels)
        if (host := urls.url_host(page.url.decode())) and is_wanted(host)
    )
    groups = sorting.group_rows(lines)
    return sum_up((join_pages(*group) for group in groups), len(labels))


def find_pages(
    matches: Iterable[Match], labels: Sequence[int]
) -> Iterator[tuple[Match, int]]:
    """Yield the pages that have any of the labels, with a bit for each label.

    A page may have several matches, one after the other.
    """
    wanted, last, mask = np.array(labels, np.uint64), None, 0
    for batch in matching.batch_matches(matches, BATCH_PAGES):
        owners, numbers, _ = matching.unpack_labels([page.labels for page in batch])
        found = np.isin(numbers, wanted)
        bits = np.searchsorted(wanted, numbers[found])
        for owner, bit in zip(owners[found].tolist(), bits.tolist(), strict=True):
            page = batch[owner]
            if last is None or page.rid != last.rid:
                if last:
                    yield last, mask
                last, mask = page._replace(labels=b''), 0
            mask |= 1 << bit
    if last:
        yield last, mask


def join_pages(host: bytes, pages: Iterable[bytes]) -> Holder:
    r"""Join the pages of a host: their labels, and the page with the most.

    >>> join_pages(b'a', [b'5\thttp://a/x\tr:7', b'3\thttp://a/\tr:9'])
    Holder(host='a', labels=7, url='http://a/', rid='r:9')
    """
    held, best = 0, None
    for row in pages:
        text, url, rid = row.split(b'\t')
        mask = int(text, 16)
        held |= mask
        page = -mask.bit_count(), url, rid
        best = min(best, page) if best else page
    _, url, rid = best
    return Holder(to_text(host), held, to_text(url), to_text(rid))


def sum_up(holders: Iterable[Holder], labels: int) -> Holders:
    """Count the hosts of each label, for this number of labels.

    >>> hosts = [Holder('a', 0b101, '', ''), Holder('b', 0b100, '', '')]
    >>> sum_up(hosts, 3)[:2]
    (2, [1, 0, 2])
    """
    hosts, counts = 0, [0] * labels

    def counted() -> Iterator[Holder]:
        nonlocal hosts
        for holder in holders:
            hosts += 1
            rest = holder.labels
            while rest:
                counts[rest.bit_length() - 1] += 1
                rest ^= 1 << (rest.bit_length() - 1)
            yield holder

    first = heapq.nsmallest(MAX_HOSTS, counted(), key=_rank)
    return Holders(hosts, counts, first)


def _rank(holder: Holder) -> tuple[int, str]:
    return -holder.labels.bit_count(), holder.host
