"""Which capture of a URL is kept, against a choice by comparing all of them."""

import functools
import io
import itertools
import random
import re
from collections import defaultdict
from datetime import datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse.pages import captures
from mr_reuse.pages.captures import Capture
from mr_reuse.pages.skipped import SkippedCaptures, rid_digest
from mr_reuse.shuffle import mapped_digests, sorting

NAMES = [b'a', b'a-b.warc.gz', b'a/b:c', b'b', 'é.warc'.encode()]
URLS = [b'', b'http://a/', b'http://a/\x01', b'http://a/\xff', b'http://A/', b'b/c']
CHOICES = ['first', 'last']
DATES = [
    '',
    '20200102030405',
    '2020-01-02T03:04:05Z',
    '2020-01-02T03:04:05.999Z',
    '2019-12-31T23:59:59Z',
    '9999-12-31T23:59:59Z',
    '20200102',
    '2020-02-30T00:00:00Z',
    '1990-12-31T23:59:59Z',
    '1991-01-01T00:00:00Z',
    'yesterday',
]


@st.composite
def crawls(draw) -> list[Capture]:
    """Captures with few URLs and dates, so that many are alike; rids differ."""
    places = st.one_of(
        st.integers(0, 30).map(str),
        st.tuples(st.integers(0, 12), st.integers(1, 12)).map('{0[0]}+{0[1]}'.format),
    )
    rids = st.tuples(st.sampled_from(NAMES), places).map(
        lambda rid: b'%b:%b' % (rid[0], rid[1].encode())
    )
    rest = st.tuples(
        st.sampled_from(URLS),
        st.sampled_from(DATES),
        st.booleans(),
    )
    return [
        Capture(url, rid, date, is_page)
        for rid in draw(st.lists(rids, unique=True, max_size=40))
        for url, date, is_page in [draw(rest)]
    ]


# The reference, which uses nothing of the package


def seconds(date: str) -> float:
    """A date as a number; no date, and an impossible one, is later than all."""
    digits = re.sub('[-:T]', '', date)[:14]
    try:
        known = datetime.strptime(digits, '%Y%m%d%H%M%S') if len(digits) == 14 else None
    except ValueError:
        known = None
    if not known or known.year < 1991:
        return float('inf')
    return (known - datetime(1, 1, 1)).total_seconds()


def place(rid: bytes) -> tuple[bytes, list[int]]:
    archive, _, offset = rid.rpartition(b':')
    return archive, [int(number) for number in offset.split(b'+')]


def is_better(one: Capture, other: Capture, keep: str) -> bool:
    """Whether the first of two captures of a URL is kept rather than the second."""
    if one.is_page != other.is_page:
        return one.is_page
    mine, theirs = seconds(one.date), seconds(other.date)
    if mine != theirs:
        return mine < theirs if keep == 'first' else mine > theirs
    return place(one.rid) < place(other.rid)


def expected(crawl: list[Capture], keep: str) -> set[tuple[bytes, bool]]:
    """The captures passed over: rid, and whether it is a page."""
    groups = defaultdict(list)
    for number, one in enumerate(crawl):
        groups[one.url or number].append(one)
    return {
        (one.rid, one.is_page)
        for group in groups.values()
        for one, other in itertools.permutations(group, 2)
        if is_better(other, one, keep)
    }


def chosen(crawl: list[Capture], keep: str, **more) -> list[tuple[bytes, bool]]:
    lines = [captures.format_capture(capture, keep) for capture in crawl]
    return list(captures.find_skipped(lines, **more))


@settings(deadline=None)
@given(crawls(), st.sampled_from(CHOICES))
def test_against_reference(crawl, keep):
    over = chosen(crawl, keep)
    assert len(over) == len(set(over))
    assert set(over) == expected(crawl, keep)


@settings(deadline=None)
@given(crawls(), st.sampled_from(CHOICES), st.integers(1, 9), st.randoms())
def test_order_and_partitions(crawl, keep, count, dice):
    """Any order, any number of partitions, and sorting on disk give the same."""
    shuffled = dice.sample(crawl, len(crawl))
    parts = defaultdict(list)
    for one in shuffled:
        parts[hash(captures.identify(one.url, one.rid)) % count].append(one)
    on_disk = functools.partial(sorting.sort_lines, in_memory=200)
    over = [rid for part in parts.values() for rid in chosen(part, keep, sort=on_disk)]
    assert set(over) == expected(crawl, keep)


URL = b'http://a.org/'
OLD, NEW = '2019-01-01T00:00:00Z', '2020-01-01T00:00:00Z'


@pytest.mark.parametrize(
    'crawl, first, last',
    [
        ([(b'a:1', NEW, True), (b'a:2', OLD, True)], b'a:2', b'a:1'),
        ([(b'a:1', '', True), (b'a:2', NEW, True)], b'a:2', b'a:1'),
        ([(b'a:10', OLD, True), (b'a:9', OLD, True)], b'a:9', b'a:9'),
        ([(b'a:10', '', True), (b'a:9', 'bad', True)], b'a:9', b'a:9'),
        ([(b'a:7+12', OLD, True), (b'a:7+9', OLD, True)], b'a:7+9', b'a:7+9'),
        ([(b'a:7+12', OLD, True), (b'a:10', OLD, True)], b'a:7+12', b'a:7+12'),
        ([(b'b:1', OLD, True), (b'a:99', OLD, True)], b'a:99', b'a:99'),
        # A file that is no page counts only where there is no page.
        ([(b'a:1', OLD, False), (b'a:2', NEW, True)], b'a:2', b'a:2'),
        ([(b'a:1', OLD, False), (b'a:2', NEW, False)], b'a:1', b'a:2'),
        ([(b'a:1', '', False), (b'a:2', '', True)], b'a:2', b'a:2'),
    ],
)
def test_kept(crawl, first, last):
    crawl = [Capture(URL, *one) for one in crawl]
    rids = {one.rid for one in crawl}
    assert rids - {rid for rid, _ in chosen(crawl, 'first')} == {first}
    assert rids - {rid for rid, _ in chosen(crawl, 'last')} == {last}


def test_without_url():
    """Records without a URL are each their own."""
    crawl = [Capture(b'', b'a:%d' % n, OLD, True) for n in range(3)]
    assert chosen(crawl, 'first') == []


def test_many_captures_of_a_url():
    """Lines that do not fit into memory are sorted on disk."""
    rids = [b'a:%d' % n for n in range(5_000)]
    crawl = [Capture(URL, rid, OLD, True) for rid in rids]
    random.Random(1).shuffle(crawl)
    sort = functools.partial(sorting.sort_lines, in_memory=50_000)
    assert chosen(crawl, 'last', sort=sort) == [(rid, True) for rid in rids[1:]]


# The file that tasks look captures up in


def write_skipped(path, rids) -> SkippedCaptures:
    keys = np.frombuffer(b''.join(sorted(map(rid_digest, rids))), np.uint8)
    with open(path, 'wb') as stream:
        mapped_digests.write(stream, np.array_split(keys.reshape(-1, 16), 3))
    return SkippedCaptures(memoryview(path.read_bytes()))


def test_skipped_captures(tmp_path):
    rids = [b'%b:%d' % (archive, n) for archive in (b'a', b'b#c') for n in range(500)]
    skipped = write_skipped(tmp_path / 'skipped', rids[::3])
    assert [rid for rid in rids if skipped.is_skipped(rid)] == rids[::3]
    assert skipped.is_skipped(b'a:0#1') and not skipped.is_skipped(b'a:1#1')
    assert skipped.is_skipped(rids[501] + b'#12')


def test_no_skipped_captures(tmp_path):
    assert not write_skipped(tmp_path / 'skipped', []).is_skipped(b'a:0')
    assert not SkippedCaptures().is_skipped(b'a:0')


def test_digests_with_equal_halves():
    """Digests that agree in the first half are told apart by the second."""
    keys = np.array([[7, 1], [7, 5], [7, 9], [8, 5]], '>u8').view(np.uint8)
    stream = io.BytesIO()
    mapped_digests.write(stream, [keys.reshape(-1, 16)])
    digests = mapped_digests.MappedDigests(memoryview(stream.getvalue()))

    def find(upper: int, lower: int) -> bool:
        return upper.to_bytes(8, 'big') + lower.to_bytes(8, 'big') in digests

    assert [n for n in range(12) if find(7, n)] == [1, 5, 9]
    assert [n for n in range(12) if find(n, 5)] == [7, 8]
    assert len(digests) == 4
