"""Describe a page: its captures, its labels, and the other hosts that have them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.archives import rids, urls
from mr_reuse.chunks.chunk_tables import PAGES
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.copied_chunks import NO_LABEL, load_matches
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.chunks.discover.label_texts import read_texts
from mr_reuse.chunks.profiles.holders import Holder, count_holders, find_holders
from mr_reuse.chunks.profiles.sharing import describe_sharing, find_site
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import command_line, format_count, to_bytes, to_text
from mr_reuse.shuffle import protocol

MAX_LABELS = 50  # to list of a page
MAX_HOSTS = 20  # to list of those that have the labels of a page


class PageLabel(NamedTuple):
    """A label of a page."""

    digest: bytes
    copies: int
    bit: int  # its place among the labels of the page, in the order of their numbers


def describe_page(run: str, record: RunRecord, url: str) -> Iterator[str]:
    """Yield lines on the page with a URL: captures, labels, other hosts with these."""
    parts, known = load_matches(run, record.detect)
    url = urls.percent_encode(to_bytes(url))
    captures = find_captures(parts, to_bytes(url))
    if not captures:
        prefix = urls.neighborhood_of(url)
        other = f', or {command_line("show", run, prefix)}' if prefix else ''
        why = f'no page of the run has this URL; see {PAGES.file}{other}'
        raise UserError(f'{url}: {why}')
    yield f'{url}\n'
    for capture in captures:
        yield f'{describe_capture(capture)}\n'
    yield '\n'
    searched = [capture for capture in captures if not capture.is_skipped]
    if searched:
        yield from list_labels(record, parts, known.chunks, searched)
    if site := find_site(run, record, url):
        yield f'{describe_sharing(run, site)}\n'


def list_labels(
    record: RunRecord,
    parts: Sequence[str],
    digests: np.ndarray,
    captures: Sequence[Match],
) -> Iterator[str]:
    """Yield lines on the labels of a page, and on the other hosts that have them.

    `digests` are those of all labels, and `captures` those of the page.
    """
    numbers, copies = sum_labels(captures, len(digests))
    if not numbers:
        yield f'{NO_LABEL}\n'
        return
    own = urls.url_host(captures[0].url.decode())
    holders = find_holders(parts, numbers, lambda host: host != own)
    hosts = count_holders(holders.values(), len(numbers))
    labels = [
        PageLabel(digests[number].tobytes(), count, bit)
        for bit, (number, count) in enumerate(zip(numbers, copies, strict=True))
    ]
    labels.sort(key=lambda label: (-hosts[label.bit], -label.copies, label.digest))
    first = labels[:MAX_LABELS]
    texts = read_labels(record, captures, first)
    yield f'{"copies":>7} {"other hosts":>11}  chunk\n'
    for label in first:
        count = hosts[label.bit]
        yield f'{label.copies:>7,} {count:>11,}  {label.digest.hex()}\n'
        yield f'{"":21}{texts[label.digest][:70]}\n'
    yield from list_more(len(labels) - len(first), 'chunk')
    yield from list_hosts(holders)


def find_captures(parts: Sequence[str], url: bytes) -> list[Match]:
    """Find the captures of a URL that are pages, by archive and offset."""
    found = [
        matching.read_match(key, value)
        for key, value in protocol.read_parts(parts)
        if value.startswith(url + b'\t')
    ]
    pages = [m for m in found if m.total is not None or m.is_skipped]
    return sorted(pages, key=lambda match: rids.sort_key(match.rid))


def describe_capture(capture: Match) -> str:
    """Describe a capture: date, rid, and its share of labels.

    >>> describe_capture(Match(b'a:0', b'http://a/', b'2020-01-02', 1, 4, b''))
    '2020-01-02  a:0: 1 of 4 chunks are labels'
    """
    place = f'{to_text(capture.date)}  {to_text(capture.rid)}'.strip()
    if capture.is_skipped:
        return f'{place}: not searched (see --captures)'
    total = format_count(capture.total, 'chunk is a label', 'chunks are labels')
    return f'{place}: {capture.bad:,} of {total}'


def sum_labels(captures: Sequence[Match], chunks: int) -> tuple[list[int], list[int]]:
    """Return the labels of captures, sorted, and their copies; no labels of files."""
    _, numbers, copies = matching.unpack_labels([match.labels for match in captures])
    is_chunk = numbers < chunks
    labels, places = np.unique(numbers[is_chunk], return_inverse=True)
    return labels.tolist(), np.bincount(places, copies[is_chunk]).astype(int).tolist()


def read_labels(
    record: RunRecord, captures: Sequence[Match], labels: Sequence[PageLabel]
) -> dict[bytes, str]:
    """Read the beginnings of labels from the captures that have them."""
    digests = {label.digest for label in labels}
    by_rid = {to_text(capture.rid): digests for capture in captures}
    return read_texts(by_rid, record)


def list_hosts(holders: Mapping[str, Holder]) -> Iterator[str]:
    """Yield lines on hosts with labels of the page, those with the most first."""
    if not holders:
        return
    ranked = sorted(holders, key=lambda host: (-holders[host].labels.bit_count(), host))
    yield f'\n{"chunks":>7}  host, and its page with the most of these chunks\n'
    for host in ranked[:MAX_HOSTS]:
        page = holders[host].match
        yield f'{holders[host].labels.bit_count():>7,}  {host}\n'
        yield f'{"":9}{page.url.decode()}  {to_text(page.rid)}\n'
    yield from list_more(len(ranked) - MAX_HOSTS, 'host')


def list_more(count: int, noun: str) -> Iterator[str]:
    """Yield a line with the number of rows that are left out.

    >>> list(list_more(1, 'host')), list(list_more(0, 'host'))
    (['and 1 more host\\n'], [])
    """
    if count > 0:
        yield f'and {format_count(count, f"more {noun}")}\n'
