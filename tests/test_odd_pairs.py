"""Pairs and captures at their limits, against references or counts made by hand."""

import json
import random
from dataclasses import replace

import odd_crawls
import pytest
import reference_sites as sites
from commands import run
from crawls import arguments, tables_in
from reference import Options, digest, tables

DATE = '2019-01-02T03:04:05Z'
RUN = ['-r', 'inline', '-q']


def text(number: int, length: int = 150) -> bytes:
    return (b'<p>%d ' % number).ljust(length, b'.')


def texts(*numbers: int) -> bytes:
    return b''.join(map(text, numbers))


def discover(*args, out, codes=(0, 3)):
    done = run('discover', *args, *RUN, '-o', out)
    assert done.code in codes, done.err
    return (out / 'pairs.tsv').read_text().splitlines()[1:]


def write(path, pages: dict[str, bytes], date: str = DATE) -> list[sites.Record]:
    documents = [('response', url, date, body) for url, body in pages.items()]
    return odd_crawls.write_odd(path, documents)


OPTIONS = [
    {'min_len': 0},
    {'min_len': 121},
    {'hash': 'sha256'},
    {'normalize': 'collapse'},
    {'stop': frozenset(map(digest, odd_crawls.paragraphs()[:20]))},
    {'recursion': 'none', 'min_len': 99},
    {'preset': 'ccr2019'},
]


@pytest.mark.parametrize('number', range(len(OPTIONS)))
def test_options(tmp_path, number):
    """Of --preset ccr2019 it is known that all captures are kept."""
    names, records = odd_crawls.odd_crawl(tmp_path / 'in', 100 + number)
    options = Options(threshold=1, captures='all', **OPTIONS[number])
    how = 'all' if options.preset else ['first', 'last', 'all'][number % 3]
    said = arguments(replace(options, captures=''), tmp_path)
    said += [f'--captures={how}'] * (not options.preset)
    discover(*names, *said, out=tmp_path / 'run')
    kept = sites.kept_captures(records, how, options.recursion)
    wanted = tables([record.page for record in kept], options)
    assert tables_in(tmp_path / 'run') == wanted
    pairs = sites.pair_table(records, how, sites.host_unit, options)
    assert (tmp_path / 'run/pairs.tsv').read_bytes() == pairs


@pytest.mark.parametrize('how', ['first', 'last', 'all'])
@pytest.mark.parametrize('seed', [200, pytest.param(201, marks=pytest.mark.slow)])
def test_added_run(tmp_path, how, seed):
    """Captures are chosen over all runs, whatever the earlier ones had kept."""
    names, records = odd_crawls.odd_crawl(tmp_path / 'in', seed)
    said = ['--threshold=1', f'--captures={how}']
    discover(names[0], *said, out=tmp_path / 'old')
    discover(names[1], *said, '--add', tmp_path / 'old', out=tmp_path / 'more')
    discover(names[2], *said, '--add', tmp_path / 'more', out=tmp_path / 'both')
    wanted = tables(
        [record.page for record in sites.kept_captures(records, how)],
        Options(threshold=1, captures='all'),
    )
    assert tables_in(tmp_path / 'both') == wanted
    pairs = (tmp_path / 'both/pairs.tsv').read_bytes()
    assert pairs == sites.pair_table(records, how)
    numbers = json.loads((tmp_path / 'both/run.json').read_text())
    counts = sites.capture_counts(records, how)
    if how == 'all':  # needs no count of URLs
        counts = {'passed_over': 0}
    assert {name: numbers[name] for name in counts} == counts


@pytest.mark.parametrize('first, then', [('first', 'all'), ('all', 'last')])
def test_other_choice_on_a_finished_run(tmp_path, first, then):
    names, records = odd_crawls.odd_crawl(tmp_path / 'in', 300)
    for how in (first, then):
        discover(*names, f'--captures={how}', '--threshold=1', out=tmp_path / 'run')
    pages = [record.page for record in sites.kept_captures(records, then)]
    assert tables_in(tmp_path / 'run') == tables(
        pages, Options(threshold=1, captures='all')
    )
    pairs = (tmp_path / 'run/pairs.tsv').read_bytes()
    assert pairs == sites.pair_table(records, then)


def test_hundred_hosts(tmp_path):
    """A chunk on 100 hosts connects them all; one on 101 hosts connects none."""
    common = texts(*range(20, 40))
    pages = {f'http://h{n}.example/': common + texts(1000 + n) for n in range(100)}
    for n in (0, 1):
        pages[f'http://h{n}.example/'] += texts(*range(50, 60))
    write(tmp_path / 'a.warc', pages)
    rows = discover(tmp_path / 'a.warc', out=tmp_path / 'hundred')
    assert len(rows) == 100 * 99 // 2
    write(tmp_path / 'b.warc', pages | {'http://more.example/': common})
    [row] = discover(tmp_path / 'b.warc', out=tmp_path / 'more')
    # Each of the two has 20 common chunks, 10 that both have, and one of its own.
    share = f'{10 / 31:.9f}'
    wanted = ['h0.example', 'h1.example', '10', '1500', share, share, '0', '0']
    assert row.split('\t') == wanted


def test_ten_chunks(tmp_path):
    """The same ten, however often, in whatever order, on whatever pages."""
    ten = list(range(10))
    random.Random(1).shuffle(ten)
    write(
        tmp_path / 'a.warc',
        {
            'http://a.example/1': texts(*range(6)),
            'http://a.example/2': texts(*range(3, 10)),
            'http://b.example/': texts(*ten),
            'http://c.example/': texts(*ten[:9] * 5),
        },
    )
    [row] = discover(tmp_path / 'a.warc', out=tmp_path / 'run')
    assert row.split('\t')[:4] == ['a.example', 'b.example', '10', '1500']


def test_order_of_rows(tmp_path):
    """By bytes, most first, as numbers; then by the bytes of the names."""
    a, b, c = (texts(*range(n, n + 12)) for n in (0, 100, 200))
    long = b''.join(text(n, 1000) for n in range(300, 310))
    write(
        tmp_path / 'a.warc',
        {
            'http://z.example/': long,
            'http://y.example/': long,
            'http://b.example:90/': a,
            'http://b.example/': a,
            'http://b-b.example/': b + c,
            'http://b.example.example/': c,
            'http://10.0.0.1/': b,
        },
    )
    rows = discover(tmp_path / 'a.warc', out=tmp_path / 'run')
    assert [tuple(row.split('\t')[:4]) for row in rows] == [
        ('y.example', 'z.example', '10', '10000'),
        ('10.0.0.1', 'b-b.example', '12', '1800'),
        ('b-b.example', 'b.example.example', '12', '1800'),
        ('b.example', 'b.example:90', '12', '1800'),
    ]


@pytest.mark.parametrize('how', ['first', 'last'])
def test_long_pages(tmp_path, how):
    """A page of 60,000 chunks has several lines, all of which are passed over."""
    long = b''.join(text(n, 104) for n in range(60_000))
    body = b''.join(text(n, 104) for n in range(59_950, 60_010))
    path = tmp_path / 'a.warc.gz'
    odd_crawls.write_odd(
        path,
        [
            ('response', 'http://a.example/', '2019-01-01T00:00:00Z', long),
            ('response', 'http://a.example/', '2019-02-01T00:00:00Z', body),
            ('response', 'http://b.example/', '2019-01-15T00:00:00Z', body),
        ],
    )
    [row] = discover(path, f'--captures={how}', out=tmp_path / 'run')
    total, shared, before = {'first': (60_000, 50, 50), 'last': (60, 60, 50)}[how]
    assert row.split('\t') == [
        'a.example', 'b.example', str(shared), str(104 * shared),
        f'{shared / total:.9f}', f'{shared / 60:.9f}',
        str(before), str(shared - before),
    ]  # fmt: skip


def test_no_pairs(tmp_path):
    """A header alone; a site shares nothing with itself, nor pages without a host."""
    same = texts(*range(20))
    pages = {'http://a.example/1': same, 'http://a.example/2': same}
    write(tmp_path / 'a.warc', pages | {'dns:b.example': same, 'urn:x': same})
    assert discover(tmp_path / 'a.warc', out=tmp_path / 'run') == []
