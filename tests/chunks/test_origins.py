"""Who copied from whom, against the plainest way to find out."""

import random
from fractions import Fraction

import mrl
import pytest
from commands import run
from crawls import arc_record
from hypothesis import given
from hypothesis import strategies as st
from reference import Options, Page, chunks_of, kept
from reference_detect import prefixes, shown

from examples import few
from mr_reuse.chunks.detect import origins

HOSTS = ['a.org', 'b.org', 'www.c.com', 'd.c.com', 'e.net:81']
LABELS = [f'<p>label {n}' for n in range(9)]
NONE = ['0', '00000000000000', '20200230000000', '20201301000000', '19901231235959']


def write_arc(path, documents) -> None:
    """Write (date, URL, body)."""
    with open(path, 'wb') as file:
        file.write(arc_record('filedesc://x', b'text/plain', b'1 0 x\n\n'))
        for date, url, body in documents:
            block = b'HTTP/1.1 200 OK\r\n\r\n' + body
            head = b'%b 192.0.2.1 %b text/html %d\n'
            file.write(head % (url.encode(), date.encode(), len(block)) + block + b'\n')


def iso(date: str) -> str:
    if date in NONE:
        return ''
    d = date
    return f'{d[:4]}-{d[4:6]}-{d[6:8]}T{d[8:10]}:{d[10:12]}:{d[12:]}Z'


@st.composite
def crawls(draw):
    """Pages of few sites that share some labels, captured at some time."""
    dates = [
        *NONE,
        '20100101000000',
        '20110203040506',
        '20110203040507',
        '20191231235959',
    ]
    bodies = st.lists(st.sampled_from(LABELS), max_size=5).map(''.join)
    urls = st.builds(
        'http://{}/{}'.format,
        st.sampled_from(HOSTS),
        st.sampled_from(['', 'x/', 'x/y', 'z/1']),
    )
    own = st.integers(0, 99).map('<p>own {}'.format)
    pages = st.tuples(st.sampled_from(dates), urls, st.builds(str.__add__, bodies, own))
    return draw(st.lists(pages, min_size=3, max_size=30))


def kept_documents(documents, captures: str) -> set[int]:
    """The numbers of the documents that are searched."""
    pages = [
        Page('a.arc', number, url, body.encode(), iso(date))
        for number, (date, url, body) in enumerate(documents)
    ]
    return {page.offset for page in kept(pages, Options(captures=captures))}


def domain(site: str) -> str:
    """The registered domain of one of the hosts."""
    return '.'.join(site.partition('/')[0].partition(':')[0].split('.')[-2:])


def related(here: str, there: str, source: str) -> str:
    hosts = {site.partition('/')[0] for site in (here, there)}
    if len(hosts) == 2 and domain(here) == domain(there):
        return 'family'
    sides = 'here' * (domain(here) == source) or 'there' * (domain(there) == source)
    return sides and f'source {sides}'


def expected(
    documents, captures, level: int, bad: set[str], *, most: int, source: str
) -> list[tuple]:
    """The rows of `origins.tsv`: for each label when each site had it first.

    Dates are those of all captures, all else is of those that are searched.
    """
    searched = kept_documents(documents, captures)
    has_label: dict[str, set[str]] = {}
    others_of: dict[str, int] = {}  # chunks of each site that are no labels
    first: dict[str, dict[str, str]] = {}
    for number, (date, url, body) in enumerate(documents):
        around = prefixes(url)
        if len(around) < level:
            continue
        for chunk in chunks_of(body.encode(), Options()):
            site = around[level - 1]
            if chunk.decode() not in LABELS:
                others_of[site] = others_of.get(site, 0) + (number in searched)
            else:
                if number in searched:
                    has_label.setdefault(chunk.decode(), set()).add(site)
                seen = first.setdefault(chunk.decode(), {})
                seen[site] = min(seen.get(site, '~'), '~' if date in NONE else date)
    held = [
        {site: date for site, date in dates.items() if site in has_label[label]}
        for label, dates in first.items()
        if label in has_label
    ]
    shared = [holders for holders in held if len(holders) <= most]
    rows = []
    for here in sorted(bad):
        mine = [holders for holders in shared if here in holders]
        others = {site for holders in mine for site in holders} - {here}
        for there in others:
            both = [holders for holders in mine if there in holders]
            rows.append(
                (
                    here,
                    there,
                    len(both),
                    shown(Fraction(len(both), len(mine))),
                    iso(min(h[here] for h in both).replace('~', '0')),
                    iso(min(h[there] for h in both).replace('~', '0')),
                    sum(h[here] < h[there] < '~' for h in both),
                    sum(h[there] < h[here] < '~' for h in both),
                    sum(h[there] == h[here] < '~' for h in both),
                    shown(Fraction(len(both), len(mine) + others_of.get(here, 0))),
                    related(here, there, source),
                )
            )
    return sorted(rows, key=lambda row: (row[0], -row[2], row[1]))


def table(path) -> list[tuple]:
    rows = [line.split('\t') for line in path.read_text().splitlines()[1:]]
    return [(*r[:2], int(r[2]), *r[3:6], *map(int, r[6:9]), *r[9:]) for r in rows]


@few(5)
@given(
    crawls(),
    st.tuples(
        st.sampled_from(['first', 'last', 'all']),
        st.sampled_from([1, 2]),
        st.sampled_from([1, 2, 3, 100]),
        st.sampled_from(['', 'a.org', 'c.com', 'e.net']),
    ),
)
def test_random_crawls(tmp_path_factory, documents, options):
    captures, level, most, source = options
    folder = tmp_path_factory.mktemp('crawl')
    write_arc(folder / 'a.arc', [(d, u, b.encode()) for d, u, b in documents])
    labels = mrl.write(folder / 'x.mrl', [mrl.sha1(text) for text in LABELS], min_len=0)
    out = folder / 'run'
    before, origins.COMMON = origins.COMMON, most
    try:
        line = [folder / 'a.arc', '-l', labels, '-o', out, '-q', '-r', 'inline']
        line += ['--captures', captures, f'--levels={level}']
        line += ['--neighborhood-threshold=0.3']
        done = run('detect', *line, *(['--source', source] if source else []))
    finally:
        origins.COMMON = before
    assert done.code == 0, done.err
    bad = {
        line.split('\t')[0]
        for line in (out / 'bad_neighborhoods.tsv').read_text().splitlines()[1:]
    }
    rows = expected(documents, captures, level, bad, most=most, source=source)
    assert table(out / 'origins.tsv') == rows


@pytest.fixture
def copied(tmp_path):
    """Ten chunks that a.org had first; b.org and c.com took them later."""
    text = ''.join(LABELS).encode()
    documents = [('20100101000000', 'http://a.org/x/1', text)]
    documents += [
        ('20120101000000', f'http://{h}/{n}', text)
        for h in ('b.org', 'www.c.com')
        for n in (1, 2)
    ]
    documents += [('20090101000000', 'http://quiet.org/', b'<p>nothing')]
    write_arc(tmp_path / 'a.arc', documents)
    labels = mrl.write(
        tmp_path / 'x.mrl', [mrl.sha1(text) for text in LABELS], min_len=0
    )
    return [tmp_path / 'a.arc', '-l', labels, '-o', tmp_path / 'run', '-q']


def test_who_was_first(copied, tmp_path):
    assert run('detect', *copied, '--neighborhood-threshold=0.5').code == 0
    rows = {row[:2]: row[2:] for row in table(tmp_path / 'run/origins.tsv')}
    late, early = '2012-01-01T00:00:00Z', '2010-01-01T00:00:00Z'
    all_ = '1.000000000'
    assert rows['b.org/', 'a.org/'] == (9, all_, late, early, 0, 9, 0, all_, '')
    assert rows['a.org/', 'b.org/'] == (9, all_, early, late, 9, 0, 0, all_, '')
    assert rows['b.org/', 'www.c.com/'] == (9, all_, late, late, 0, 0, 9, all_, '')
    assert len(rows) == 6


def test_original_among_many_copies(tmp_path):
    """Twenty mirrors have more in common with each other than with the original.

    It is named all the same, and the first of the mirrors.
    """
    text, ads = ''.join(LABELS).encode(), b'<p>ad 1<p>ad 2'
    documents = [('20100101000000', 'http://zoo.org/', text)]
    documents += [
        (f'201201{n + 1:02}000000', f'http://m{n}.net/', text + ads) for n in range(20)
    ]
    documents += [('20090101000000', 'http://old.org/', LABELS[0].encode())]
    write_arc(tmp_path / 'a.arc', documents)
    known = map(mrl.sha1, [*LABELS, '<p>ad 1', '<p>ad 2'])
    labels, out = mrl.write(tmp_path / 'x.mrl', known, min_len=0), tmp_path / 'run'
    line = [tmp_path / 'a.arc', '-l', labels, '-o', out, '-q', '-r', 'inline']
    assert run('detect', *line, '--neighborhood-threshold=0.5').code == 0
    others: dict[str, list[tuple]] = {}
    for here, *row in table(out / 'origins.tsv'):
        others.setdefault(here, []).append(row)
    for n in range(20):
        rows = others[f'm{n}.net/']
        assert [row[1] for row in rows] == [11] * 9 + [9]
        assert ('m1.net/' if n == 0 else 'm0.net/') in [row[0] for row in rows]
        assert rows[-1][0] == 'zoo.org/' and rows[-1][5:7] == [0, 9]


def test_named_source_is_always_listed(tmp_path):
    """Eleven sites share more than the source, and were captured before it."""
    text = ''.join(LABELS).encode()
    documents = [('20120101000000', 'http://b.org/', text)]
    documents += [
        (f'201001{n + 1:02}000000', f'http://m{n}.net/', text) for n in range(11)
    ]
    documents += [('20190101000000', 'http://zoo.org/', LABELS[0].encode())]
    documents += [('20190101000000', 'http://www.zoo.org/', text[:30])]
    write_arc(tmp_path / 'a.arc', documents)
    labels = mrl.write(tmp_path / 'x.mrl', map(mrl.sha1, LABELS), min_len=0)
    out = tmp_path / 'run'
    line = [tmp_path / 'a.arc', '-l', labels, '-o', out, '-q', '-r', 'inline']
    line += ['--neighborhood-threshold=0.5']
    for source, others in [('shop.org', set()), ('WWW.zoo.org/', {'www.zoo.org/'})]:
        done = run('detect', *line, '--source', source)
        unknown = '--source shop.org: no host in this run belongs to it\n'
        assert (done.code, unknown in done.err) == (0, not others)
        rows = [row for row in table(out / 'origins.tsv') if row[0] == 'b.org/']
        assert len(rows) == 10
        assert {row[1] for row in rows if row[-1] == 'source there'} == others


def test_other_thresholds(copied, tmp_path):
    """The same sites are not asked about again, others are."""
    out = tmp_path / 'run'

    def said(*args) -> str:
        done = run('detect', '-o', out, *args)
        assert done.code == 0
        return done.err

    assert run('detect', *copied, '--neighborhood-threshold=0.5').code == 0
    assert '06-origins: finished before' in said('--neighborhood-threshold=0.9')
    said('--levels=2', '--neighborhood-threshold=0.9')
    assert table(out / 'origins.tsv') == []  # only one of them has folders
    said('--levels=domain', '--neighborhood-threshold=0.9')
    assert {row[0] for row in table(out / 'origins.tsv')} == {
        'a.org/',
        'b.org/',
        'c.com/',
    }


def test_hot_labels_stay_bounded():
    """Of a label that everybody has, no more is held than proves it."""
    holders = origins.Holders(common=5)
    dice = random.Random(1)
    for _ in range(30):
        names = [dice.randbytes(16) for _ in range(origins.spilling.BOUND // 20)]
        keys = b''.join(b'labelaaa' + name for name in names)
        ones = [1] * len(names)
        rows = origins.packing.make_rows(keys, 24, ones, ones)
        holders.add(rows)
    [rows] = holders.drain()
    assert len(rows.keys) == 6


@pytest.mark.parametrize('seed', range(20))
def test_dates_of_captures_that_are_not_searched(seed):
    """They count for holders, make no holders, and crowd none out."""
    dice = random.Random(seed)
    holders, first, searched = origins.Holders(common=2), {}, set()
    holders._bound = 12
    for _ in range(40):
        key = dice.choice([b'label111', b'label222', b'label333']) + bytes(15)
        key += bytes([dice.randrange(2 + 2 * (key[5] - ord('0')))])
        date, is_kept = dice.randrange(1, 99), dice.random() < 0.2
        holders.add(origins.packing.make_rows(key, 24, [date], [is_kept]))
        first[key] = min(date, first.get(key, date))
        searched |= {key} if is_kept else set()
    found = {
        key.tobytes(): date
        for rows in holders.drain_kept()
        for key, date in zip(rows.keys, rows.columns[0].tolist(), strict=True)
    }
    for label in (b'label111', b'label222', b'label333'):
        expected = {k: first[k] for k in searched if k.startswith(label)}
        mine = {k: date for k, date in found.items() if k.startswith(label)}
        assert mine == expected if len(expected) <= 2 else len(mine) > 2
