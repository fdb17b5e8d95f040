"""Which capture of a URL is kept, against a choice by comparing all of them."""

import functools
import itertools
import random
import re
from collections import Counter, defaultdict
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse.pages import captures
from mr_reuse.pages.captures import Capture
from mr_reuse.shuffle import sorting

NAMES = [b'a', b'a-b.warc.gz', b'a/b:c', b'b', 'é.warc'.encode()]
URLS = [b'', b'http://a/', b'http://a/\x01', b'http://a/\xff', b'http://A/', b'b/c']
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
        st.sampled_from([b'', b'', b'docs', b'docs2']),
    )
    return [
        Capture(url, rid, date, is_page, folder)
        for rid in draw(st.lists(rids, unique=True, max_size=40))
        for url, date, is_page, folder in [draw(rest)]
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


def expected(crawl: list[Capture], keep: str) -> tuple[set[bytes], dict[str, int]]:
    """The rids passed over, and the counts."""
    groups = defaultdict(list)
    for number, one in enumerate(crawl):
        groups[(one.folder, one.url) if one.url else number].append(one)
    over = {
        one.rid
        for group in groups.values()
        for one, other in itertools.permutations(group, 2)
        if keep != 'all' and is_better(other, one, keep)
    }
    counts = {'captures': len(crawl), 'urls': len(groups), 'skipped': len(over)}
    return over, {name: count for name, count in counts.items() if count}


def chosen(crawl: list[Capture], keep: str, **more) -> tuple[list[bytes], dict]:
    counts = Counter()
    return list(captures.find_skipped(crawl, keep, counts, **more)), dict(counts)


@settings(deadline=None)
@given(crawls(), st.sampled_from(captures.KEEP))
def test_against_reference(crawl, keep):
    over, counts = chosen(crawl, keep)
    assert len(over) == len(set(over))
    assert (set(over), counts) == expected(crawl, keep)


@settings(deadline=None)
@given(crawls(), st.sampled_from(captures.KEEP), st.integers(0, 6), st.randoms())
def test_order_and_partitions(crawl, keep, bits, dice):
    """Any order, any number of partitions, and sorting on disk give the same."""
    shuffled = dice.sample(crawl, len(crawl))
    parts = defaultdict(list)
    for one in shuffled:
        parts[captures.partition(one, bits)].append(one)
    assert all(0 <= part < 1 << bits for part in parts)
    on_disk = functools.partial(sorting.sort_lines, in_memory=200)
    over, counts = set(), Counter()
    for part in parts.values():
        over |= set(captures.find_skipped(part, keep, counts, on_disk))
    assert (over, dict(counts)) == expected(crawl, keep)


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
    assert rids - set(chosen(crawl, 'first')[0]) == {first}
    assert rids - set(chosen(crawl, 'last')[0]) == {last}
    assert chosen(crawl, 'all') == ([], {'captures': 2, 'urls': 1})


def test_without_url():
    """Records without a URL are each their own."""
    crawl = [Capture(b'', b'a:%d' % n, OLD, True) for n in range(3)]
    assert chosen(crawl, 'first') == ([], {'captures': 3, 'urls': 3})


def test_folders_of_pages():
    """A file has the same URL in two folders of one name; these are two pages."""
    url, files = b'docs/a.html', [(b'x/docs', b'x/docs/a.html:0'), (b'docs', b'd:0')]
    crawl = [Capture(url, rid, '', True, folder) for folder, rid in files]
    assert chosen(crawl, 'first') == ([], {'captures': 2, 'urls': 2})


def test_many_captures_of_a_url():
    """Lines that do not fit into memory are sorted on disk."""
    rids = [b'a:%d' % n for n in range(5_000)]
    crawl = [Capture(URL, rid, OLD, True) for rid in rids]
    random.Random(1).shuffle(crawl)
    sort = functools.partial(sorting.sort_lines, in_memory=50_000)
    over, counts = chosen(crawl, 'last', sort=sort)
    assert over == rids[1:]
    assert counts == {'captures': 5_000, 'urls': 1, 'skipped': 4_999}


def test_unknown_choice():
    with pytest.raises(ValueError):
        chosen([Capture(URL, b'a:1', OLD, True)], 'newest')
