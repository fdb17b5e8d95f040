"""Describe a page: its captures, its labels, and the other hosts that have them."""

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.archives import rids, urls
from mr_reuse.chunks.chunk_tables import PAGES
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.copied_chunks import NO_LABEL, load_matches
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.chunks.discover.label_texts import read_texts
from mr_reuse.chunks.profiles.holders import Holders, find_holders
from mr_reuse.chunks.profiles.sharing import describe_sharing, find_site
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import command_line, format_count, to_bytes, to_text
from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.packing import SUM, Rows
from mr_reuse.shuffle.spilling import MergeTable

MAX_LABELS = 50  # to list of a page
MAX_SEARCHED = 10_000  # labels of a page to look for on other hosts
BATCH_LINES = 1_000  # of matches, whose labels to unpack together


class PageLabel(NamedTuple):
    """A label of a page."""

    digest: bytes
    copies: int
    bit: int  # its place among the labels of the page, in the order of their numbers


class Captures(NamedTuple):
    """The captures of a URL, without their labels, and the labels of those searched."""

    pages: list[Match]
    labels: MergeTable  # (number; copies)


def describe_page(run: str, record: RunRecord, url: str) -> Iterator[str]:
    """Yield lines on the page with a URL: captures, labels, other hosts with these."""
    parts, known = load_matches(run, record.detect)
    url = urls.percent_encode(to_bytes(url))
    captures = find_captures(parts, to_bytes(url))
    if not captures.pages:
        prefix = urls.neighborhood_of(url)
        other = f', or {command_line("show", run, prefix)}' if prefix else ''
        why = f'no page of the run has this URL; see {PAGES.file}{other}'
        raise UserError(f'{url}: {why}')
    yield f'{url}\n'
    for capture in captures.pages:
        yield f'{describe_capture(capture)}\n'
    yield '\n'
    if not all(capture.is_skipped for capture in captures.pages):
        yield from list_labels(record, parts, known.chunks, captures)
    if site := find_site(run, record, url):
        yield f'{describe_sharing(run, site)}\n'


def list_labels(
    record: RunRecord,
    parts: Sequence[str],
    digests: np.ndarray,
    captures: Captures,
) -> Iterator[str]:
    """Yield lines on the labels of a page, and on the other hosts that have them.

    `digests` are those of all labels, and `captures` those of the page.
    """
    count_of_all, numbers, copies = sum_labels(captures.labels, len(digests))
    if not numbers:
        yield f'{NO_LABEL}\n'
        return
    own = urls.url_host(captures.pages[0].url.decode())
    holders = find_holders(parts, numbers, lambda host: host != own)
    hosts = holders.counts
    labels = [
        PageLabel(digests[number].tobytes(), count, bit)
        for bit, (number, count) in enumerate(zip(numbers, copies, strict=True))
    ]
    labels.sort(key=lambda label: (-hosts[label.bit], -label.copies, label.digest))
    first = labels[:MAX_LABELS]
    texts = read_labels(record, captures.pages, first)
    yield f'{"copies":>7} {"other hosts":>11}  chunk\n'
    for label in first:
        count = hosts[label.bit]
        yield f'{label.copies:>7,} {count:>11,}  {label.digest.hex()}\n'
        yield f'{"":21}{texts[label.digest][:70]}\n'
    yield from list_more(count_of_all - len(first), 'chunk')
    if count_of_all > len(labels):
        some = format_count(len(labels), 'label')
        yield f'other hosts were searched for the {some} with most copies\n'
    yield from list_hosts(holders)


def find_captures(parts: Sequence[str], url: bytes) -> Captures:
    """Find the captures of a URL that are pages, by archive and offset."""
    pages, table = [], MergeTable([SUM], storage.open_scratch)
    lines = protocol.read_parts(parts)
    found = (line for line in lines if line[1].startswith(url + b'\t'))
    matches = (matching.read_match(*line) for line in found)
    for batch in matching.batch_matches(matches, BATCH_LINES):
        kept = [match.labels for match in batch if match.is_kept]
        _, numbers, copies = matching.unpack_labels(kept)
        table.add(Rows(matching.keys_of(numbers), (copies,)))
        is_page = [m.total is not None or (m.is_skipped and not m.line) for m in batch]
        pages += [m._replace(labels=b'') for m in itertools.compress(batch, is_page)]
    pages.sort(key=lambda match: rids.sort_key(match.rid))
    return Captures(pages, table)


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


def sum_labels(table: MergeTable, chunks: int) -> tuple[int, list[int], list[int]]:
    """Return the labels of a page with most copies, sorted, and their copies.

    The number of all labels is returned first. Labels of files are left out.
    """
    count = 0
    best = np.zeros((2, 0), np.uint64)
    for rows in table.drain():
        numbers = matching.numbers_of(rows.keys)
        labels = np.stack([numbers, *rows.columns])[:, numbers < chunks]
        count += labels.shape[1]
        best = np.concatenate([best, labels], axis=1)
        order = np.lexsort([best[0], -best[1].astype(np.int64)])
        best = best[:, order[:MAX_SEARCHED]]
    numbers, copies = best[:, np.argsort(best[0])].tolist()
    return count, numbers, copies


def read_labels(
    record: RunRecord, captures: Sequence[Match], labels: Sequence[PageLabel]
) -> dict[bytes, str]:
    """Read the beginnings of labels from the captures that have them."""
    digests = {label.digest for label in labels}
    by_rid = {to_text(capture.rid): digests for capture in captures}
    return read_texts(by_rid, record)


def list_hosts(holders: Holders) -> Iterator[str]:
    """Yield lines on hosts with labels of the page, those with the most first."""
    if not holders.hosts:
        return
    yield f'\n{"chunks":>7}  host, and its page with the most of these chunks\n'
    for host, labels, url, rid in holders.first:
        yield f'{labels.bit_count():>7,}  {host}\n'
        yield f'{"":9}{url}  {rid}\n'
    yield from list_more(holders.hosts - len(holders.first), 'host')


def list_more(count: int, noun: str) -> Iterator[str]:
    """Yield a line with the number of rows that are left out.

    >>> list(list_more(1, 'host')), list(list_more(0, 'host'))
    (['and 1 more host\\n'], [])
    """
    if count > 0:
        yield f'and {format_count(count, f"more {noun}")}\n'
