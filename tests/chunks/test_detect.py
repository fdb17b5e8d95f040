"""The tables of `detect`, byte for byte, and how it goes about them."""

import json
import random
from collections import Counter

import mrl
import pytest
from commands import DETECT_TABLES, detect, run
from crawls import crawls, sample_crawl, write_crawl, write_warc
from hypothesis import given
from hypothesis import strategies as st
from reference import Options, Page, chunks_of, digest, host_of
from reference_detect import Asked, Known, detect_tables

from examples import few
from mr_reuse.chunks import page_lines
from mr_reuse.chunks.detect import assembling, joins, neighborhoods, steps
from mr_reuse.engine import chain
from mr_reuse.messages import command_line
from mr_reuse.shuffle import partitions, sorting
from mr_reuse.tables import table_files

JOINS = ['map', 'reduce', 'bloom']
ONE_JOIN = ['map', *(pytest.param(one, marks=pytest.mark.slow) for one in JOINS[1:])]


def arguments(asked: Asked) -> list[str]:
    """The command line that says these options."""
    said = []
    for name in vars(Asked()):
        value = getattr(asked, name)
        if value != getattr(Asked(), name):
            option = f'--{"stop_scope" if name == "scope" else name}'.replace('_', '-')
            option = f'--no-{option[2:]}' if value is False else option
            said.append(option if isinstance(value, bool) else f'{option}={value}')
    return said


def some_labels(pages: list[Page], seed: int, min_len: int) -> Known:
    """About a third of the chunks and files as labels, some as stop chunks."""
    dice = random.Random(seed)
    chunks = sorted({digest(c) for p in pages for c in chunks_of(p.body, Options())})
    files = sorted({digest(page.body) for page in pages})

    def some(names, one_in):
        return frozenset(name for name in names if dice.randrange(one_in) == 0)

    return Known(some(chunks, 2), some(files, 3), some(chunks, 6), min_len)


def write_labels(path, known: Known):
    return mrl.write(path, known.chunks, known.files, known.stop, min_len=known.min_len)


asked = st.builds(
    Asked,
    st.sampled_from(['both', 'labels']),
    st.booleans(),
    st.sampled_from([1, 1, 2, 5]),
    st.sampled_from(['all', 'all', 'site', 2]),
    st.sampled_from(['pooled', 'mean']),
    st.sampled_from(['', '0', '0.25', '0.333333333333']),
    st.sampled_from(['', '', '0', '0.5']),
    st.sampled_from(['1', '0', '0.5', '2']),
    st.booleans(),
    st.sampled_from(['ratio', 'bad']),
    st.sampled_from([0, 0, 1, 3]),
)


# Against the reference


@few(8)
@given(
    crawls(),
    asked,
    st.tuples(st.integers(0, 9), st.sampled_from([0, 100])),
    st.sampled_from(JOINS),
)
def test_random_crawls(tmp_path_factory, crawl, asked, seeds, join):
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write_crawl(folder / 'in', crawl)
    known = some_labels(pages, *seeds)
    labels = write_labels(folder / 'some.mrl', known)
    if asked.rank == 'bad' and asked.min_bad and not asked.neighborhood_threshold:
        asked = Asked(**vars(asked) | {'neighborhood_threshold': '0'})
    line = [*names, '-l', labels, f'--join={join}', *arguments(asked)]
    assert detect(*line, out=folder / 'run') == detect_tables(pages, known, asked)


@few(2)
@given(crawls(), st.integers(0, 9), st.sampled_from(['pooled', 'mean']), st.booleans())
def test_levels(tmp_path_factory, crawl, seed, ratio, per_level):
    folder = tmp_path_factory.mktemp('levels')
    names, pages = write_crawl(folder / 'in', crawl)
    known = some_labels(pages, seed, 0)
    asked = Asked(ratio=ratio, per_level=per_level)
    line = [*names, '-l', write_labels(folder / 'some.mrl', known), *arguments(asked)]
    assert detect(*line, out=folder / 'run') == detect_tables(pages, known, asked)


# One crawl in several ways


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write_crawl(folder, sample_crawl(60))
    known = some_labels(pages, 5, 0)
    labels = write_labels(folder / 'some.mrl', known)
    return names, labels, detect_tables(pages, known, Asked())


@pytest.fixture(scope='module')
def asked_again(tmp_path_factory):
    """A crawl with what is known of it, to ask for other tables."""
    folder = tmp_path_factory.mktemp('again')
    names, pages = write_crawl(folder, sample_crawl(60))
    return names, pages, some_labels(pages, 5, 0)


@pytest.mark.parametrize(
    ('tasks', 'runner', 'join'),
    [
        *((1, 'inline', join) for join in JOINS),
        (7, 'local', 'reduce'),
        pytest.param(7, 'local', 'map', marks=pytest.mark.slow),
        pytest.param(7, 'local', 'bloom', marks=pytest.mark.slow),
    ],
)
def test_joins(crawl, tmp_path, monkeypatch, join, tasks, runner):  # noqa: PLR0917
    """Labels in memory, or in a reducer; rare and frequent ones."""
    monkeypatch.setattr(chain.Step.__new__, '__defaults__', (-1, None, {}))
    monkeypatch.setattr(joins, 'FREQUENT', 3)
    names, labels, expected = crawl
    line = [*names, '-l', labels, f'--join={join}', f'--tasks={tasks}']
    assert detect(*line, out=tmp_path / 'run', runner=runner) == expected


@pytest.mark.parametrize('join', ONE_JOIN)
def test_long_pages(tmp_path, monkeypatch, join):
    """A page of several lines is one page, whoever reads its lines."""
    body = b''.join(b'<p>%d' % (n % 30_000) for n in range(40_000))
    documents = [('http://a.org/long', body), ('http://a.org/', b'<p>7<p>x')]
    pages = write_warc(tmp_path / 'a.warc.gz', documents)
    known = Known(frozenset(digest(b'<p>%d' % n) for n in range(0, 30_000, 7)))
    labels = write_labels(tmp_path / 'some.mrl', known)
    for distinct in (False, True):
        asked = Asked(distinct=distinct)
        line = [tmp_path / 'a.warc.gz', '-l', labels, *arguments(asked), '--force']
        found = detect(*line, f'--join={join}', out=tmp_path / 'run')
        assert found == detect_tables(pages, known, asked)


def test_on_a_run(crawl, tmp_path):
    """The pages of a run are not hashed again, in place or from elsewhere."""
    names, labels, expected = crawl
    assert run('discover', *names, '-o', tmp_path / 'run', '-q').code == 0
    pages = sorted((tmp_path / 'run/01-pages').iterdir())
    assert detect('-l', labels, out=tmp_path / 'run') == expected
    assert detect('-l', labels, tmp_path / 'run', out=tmp_path / 'other') == expected
    assert sorted((tmp_path / 'run/01-pages').iterdir()) == pages
    assert not (tmp_path / 'other/01-pages').exists()
    assert (tmp_path / 'run/labels.tsv').exists()


def test_other_thresholds(asked_again, tmp_path):
    """Tables alone are made anew, without page lines, archives or jobs."""
    names, pages, known = asked_again
    labels = write_labels(tmp_path / 'some.mrl', known)
    expected = detect_tables(pages, known, Asked())
    out = tmp_path / 'run'
    assert detect(*names, '-l', labels, out=out) == expected
    told = json.loads((out / 'run.json').read_text())
    for line in (out / '01-pages').rglob('part-*'):
        line.write_bytes(b'')
    options = [
        '--sigmas=0.5',
        '--ratio=mean',
        '--levels=2',
        '--rank=bad',
        '--no-per-level',
    ]
    found = detect(*options, out=out)
    assert found['pages.tsv'] == expected['pages.tsv']
    assert found['bad_neighborhoods.tsv'] != expected['bad_neighborhoods.tsv']
    again = json.loads((out / 'run.json').read_text())
    for name in ('matches', 'neighborhoods'):
        assert again['detect'][name] == told['detect'][name]
    assert detect(out=out) == expected


# Numbers from the papers and the specification


@pytest.fixture
def mini(tmp_path):
    """Three pages and one label, on which every choice of a definition tells."""
    documents = [
        ('http://x.org/a/1.html', b'H<p>one<p>two<p>one'),
        ('http://x.org/a/2.html', b'<p>one'),
        ('http://x.org/b/3.html', b'zzz'),
    ]
    write_warc(tmp_path / 'mini.warc.gz', documents)
    labels = mrl.write(tmp_path / 'one.mrl', [mrl.sha1('<p>one')], min_len=0)
    return [tmp_path / 'mini.warc.gz', '-l', labels]


def cells(table: bytes, *columns: int) -> list[list[str]]:
    rows = [line.split('\t') for line in table.decode().splitlines()[1:]]
    return [[row[column] for column in columns] for row in rows]


def test_mini_corpus(mini, tmp_path):
    found = detect(*mini, '--no-per-level', out=tmp_path / 'run')
    assert cells(found['pages.tsv'], 2, 3) == [['2', '4'], ['1', '1'], ['0', '1']]
    assert cells(found['neighborhoods.tsv'], 0, 3, 4, 5, 6) == [
        ['x.org/', '3', '6', '0.500000000', '0.500000000'],
        ['x.org/a/', '3', '5', '0.600000000', '0.750000000'],
        ['x.org/b/', '0', '1', '0.000000000', '0.000000000'],
    ]
    assert cells(found['bad_neighborhoods.tsv'], 0) == []
    stats = json.loads((tmp_path / 'run/stats.json').read_text())['neighborhoods']
    assert round(stats['pooled']['mean'], 6) == 0.366667
    assert round(stats['pooled']['deviation'], 6) == 0.262467
    assert round(stats['threshold'], 6) == 0.629134
    assert round(stats['mean']['mean'], 6) == 0.416667
    assert round(stats['mean']['deviation'], 6) == 0.311805
    found = detect('--ratio=mean', '--no-per-level', out=tmp_path / 'run')
    assert cells(found['bad_neighborhoods.tsv'], 0) == [['x.org/a/']]
    stats = json.loads((tmp_path / 'run/stats.json').read_text())['neighborhoods']
    assert round(stats['threshold'], 6) == 0.728471
    assert (
        stats['histogram'][0] == stats['histogram'][50] == stats['histogram'][75] == 1
    )


def test_mini_corpus_by_level(mini, tmp_path):
    """The host has 0.5; its folders have 0.6 and 0, so 0.3 + 0.3 is their threshold."""
    found = detect(*mini, out=tmp_path / 'run')
    assert cells(found['bad_neighborhoods.tsv'], 0) == []
    stats = json.loads((tmp_path / 'run/stats.json').read_text())['neighborhoods']
    assert stats['threshold'] is None
    levels = stats['by_level']
    assert {level: levels[level]['threshold'] for level in levels} == {
        '1': 0.5,
        '2': 0.6,
    }
    assert levels['2']['highest'] == [
        {'name': 'x.org/a/', 'ratio': 0.6, 'bad': 3, 'total': 5}
    ]
    found = detect('--sigmas=0.9', out=tmp_path / 'run')
    assert cells(found['bad_neighborhoods.tsv'], 0) == [['x.org/a/']]
    for same in ('--per-level', '--no-per-level'):
        fixed = detect(same, '--neighborhood-threshold=0.4', out=tmp_path / 'run')
        both = [['x.org/a/'], ['x.org/']]
        assert cells(fixed['bad_neighborhoods.tsv'], 0) == both
        stats = json.loads((tmp_path / 'run/stats.json').read_text())
        assert stats['neighborhoods']['threshold'] == 0.4


def test_levels_of_a_preset(tmp_path):
    """A run of the paper has one threshold for all levels, unless an option differs."""
    copied, own = b'<p>' + b'c' * 200, b'<p>' + b'o' * 200
    documents = [(f'http://{n}.org/x/{n}', copied + own * n) for n in range(3)]
    write_warc(tmp_path / 'a.warc.gz', documents)
    line = [tmp_path / 'a.warc.gz', '-o', tmp_path / 'run', '--threshold=2', '-q']
    assert run('discover', *line, '--preset=ccr2019').code == 0

    def levels(*args, out='run') -> tuple[bool, bool]:
        done = run('detect', *args, '-o', tmp_path / out, '-r', 'inline')
        assert done.code == 0, done.err
        told = json.loads((tmp_path / out / 'run.json').read_text())
        is_said = 'have one threshold, as in the paper; --per-level gives' in done.out
        return told['detect']['rule']['per_level'], is_said

    assert levels() == (False, True)
    assert levels('--per-level') == (True, False)
    assert levels('--neighborhood-threshold=0.5') == (False, False)
    # Another run on the same pages keeps the preset.
    assert levels(tmp_path / 'run', out='other') == (False, True)
    assert levels(out='other') == (False, True)
    assert run('discover', *line, '--force').code == 0
    assert levels() == (True, False)


def test_mini_corpus_distinct(mini, tmp_path):
    found = detect(*mini, '--distinct', out=tmp_path / 'run')
    assert cells(found['pages.tsv'], 2, 3) == [['1', '3'], ['1', '1'], ['0', '1']]


def test_stop_chunks_dilute(tmp_path):
    """With stop chunks among the labels there are more bad neighborhoods."""
    stop, copied = b'<p>' + b's' * 30, b'<p>' + b'c' * 150
    own = [b'<p>%d' % n + b'o' * 150 for n in range(100)]
    documents = [(f'http://a{n}.org/', stop * 20 + own[n]) for n in range(40)]
    documents += [(f'http://b{n}.org/', own[n + 40]) for n in range(40)]
    documents += [(f'http://c{n}.org/', copied * 3 + own[n + 80]) for n in range(3)]
    write_warc(tmp_path / 'a.warc.gz', documents)
    found = {}
    for min_len in (100, 0):
        digests = [digest(stop), digest(copied)]
        labels = mrl.write(tmp_path / f'{min_len}.mrl', digests, min_len=min_len)
        line = [tmp_path / 'a.warc.gz', '-l', labels, '--sigmas=0']
        bad = detect(*line, out=tmp_path / str(min_len))['bad_neighborhoods.tsv']
        found[min_len] = [prefix for [prefix] in cells(bad, 0)]
    assert found[100] == [f'c{n}.org/' for n in range(3)]
    assert len(found[0]) > len(found[100])


def test_farm_on_an_honest_host(tmp_path):
    """A user's folder is bad, the host that gives it room is not."""
    spam = b'<p>' + b'buy this ' * 20
    documents = [
        (f'http://users.org/~{n}/i.html', b'<p>%d' % n + b'home ' * 30)
        for n in range(30)
    ]
    documents += [(f'http://users.org/~farm/{n}.html', spam * 5) for n in range(5)]
    write_warc(tmp_path / 'a.warc.gz', documents)
    labels = mrl.write(tmp_path / 'x.mrl', [digest(spam)])
    line = [tmp_path / 'a.warc.gz', '-l', labels, '--neighborhood-threshold=0.5']
    found = detect(*line, out=tmp_path / 'run')
    assert cells(found['bad_neighborhoods.tsv'], 0) == [['users.org/~farm/']]


# Properties


@few(2)
@given(crawls(), st.integers(0, 9))
def test_split_by_site(tmp_path_factory, crawl, seed):
    """At fixed thresholds, sites that are looked at one by one add up to the whole."""
    folder = tmp_path_factory.mktemp('sites')
    _, pages = write_crawl(folder / 'in', crawl)
    labels = write_labels(folder / 'some.mrl', some_labels(pages, seed, 0))
    fixed = ['-l', labels, '--neighborhood-threshold=0.4', '--page-threshold=0.4']
    sites = {}
    for url, body in crawl:
        sites.setdefault(host_of(url), []).append((url, body))
    write_warc(folder / 'all.warc.gz', crawl)
    whole = detect(folder / 'all.warc.gz', *fixed, out=folder / 'all')
    parts = []
    for number, documents in enumerate(sites.values()):
        name = folder / f'{number}.warc.gz'
        write_warc(name, documents)
        parts.append(detect(name, *fixed, out=folder / str(number)))
    for name in ('neighborhoods.tsv', 'bad_neighborhoods.tsv'):
        joined = [line for part in parts for line in part[name].splitlines()[1:]]
        assert sorted(joined) == sorted(whole[name].splitlines()[1:])


def test_many_tasks_and_flushes(crawl, tmp_path, monkeypatch):
    """Whatever makes room early, the sums are the same."""
    monkeypatch.setattr(neighborhoods, 'BOUND', 3)
    monkeypatch.setattr(partitions, 'MAX_LINE', 50)
    monkeypatch.setattr(assembling, 'MAX_FACTS', 800)
    monkeypatch.setattr(page_lines, 'BATCH_BYTES', 2000)
    monkeypatch.setattr(sorting, 'IN_MEMORY', 500)
    names, labels, expected = crawl
    for join in JOINS:
        line = [*names, '-l', labels, f'--join={join}', '--tasks=7']
        assert detect(*line, out=tmp_path / join) == expected


# URLs

NO_HOST = ['dns:a.org', 'urn:x:y', 'metadata://', 'mailto:x@y']
ODD = {
    'http://[2001:DB8::1]:8080/a/': ['[2001:db8::1]:8080/', '[2001:db8::1]:8080/a/'],
    'http://[::1]:80/': ['[::1]/'],
    'https://a.org:443/x': ['a.org/'],
    'https://a.org:80/x': ['a.org:80/'],
    'HTTP://User:pw@A.Org/x/y?q=/1/2/#/3/': ['a.org/', 'a.org/x/'],
    'http:/a.org/x/y': ['a.org/', 'a.org/x/'],
    'http:///a.org/x/y': ['a.org/', 'a.org/x/'],
    'http://xn--bcher-kva.de/x': ['xn--bcher-kva.de/'],
    'http://a.org': ['a.org/'],
    'http://a.org?x=/y/': ['a.org/'],
    'http://a.org//x///y': ['a.org/', 'a.org/x/'],
    'http://a.org/x/.': ['a.org/', 'a.org/x/'],
    'ftp://a.org:21/x/': ['a.org/', 'a.org/x/'],
}


@pytest.mark.parametrize('url', ODD)
def test_odd_urls(tmp_path, url):
    write_warc(tmp_path / 'a.warc', [(url, b'<p>one')], kind='resource')
    labels = mrl.write(tmp_path / 'x.mrl', [mrl.sha1('<p>one')], min_len=0)
    found = detect(tmp_path / 'a.warc', '-l', labels, out=tmp_path / 'run')
    assert [prefix for [prefix] in cells(found['neighborhoods.tsv'], 0)] == ODD[url]


@pytest.mark.parametrize('url', NO_HOST)
def test_no_host(tmp_path, url):
    """Such a page is in no neighborhood; it is counted."""
    write_warc(tmp_path / 'a.warc', [(url, b'<p>one')], kind='resource')
    labels = mrl.write(tmp_path / 'x.mrl', [mrl.sha1('<p>one')], min_len=0)
    found = detect(tmp_path / 'a.warc', '-l', labels, out=tmp_path / 'run')
    assert cells(found['pages.tsv'], 2, 3) == [['1', '1']]
    assert cells(found['neighborhoods.tsv'], 0) == []
    stats = json.loads((tmp_path / 'run/stats.json').read_text())
    assert stats['pages']['nowhere'] == 1


def test_deepest_urls(tmp_path):
    """Of 96 components all are levels but the last; 97 are a loop of the crawler."""
    documents = [(f'http://a.org/{"x/" * n}y', b'<p>%d' % n) for n in (95, 96)]
    write_warc(tmp_path / 'a.warc.gz', documents)
    labels = mrl.write(tmp_path / 'x.mrl', [mrl.sha1('<p>95')], min_len=0)
    found = detect(tmp_path / 'a.warc.gz', '-l', labels, out=tmp_path / 'run')
    levels = [int(level) for [level] in cells(found['neighborhoods.tsv'], 1)]
    assert sorted(levels) == list(range(1, 97))
    assert len(cells(found['pages.tsv'], 0)) == 1


def test_domains(tmp_path):
    """By the public suffix list; addresses and lone names stand for themselves."""
    hosts = {
        'www.example.com': 'example.com',
        'a.b.example.com': 'example.com',
        'www.example.co.uk': 'example.co.uk',
        'b.example.uk.com': 'example.uk.com',
        'hartnell.edu': 'hartnell.edu',
        'hartnell.cc.ca.us': 'hartnell.cc.ca.us',
        'city.kobe.jp': 'city.kobe.jp',
        'www.xn--85x722f.com.cn': 'xn--85x722f.com.cn',
        '198.189.134.200': '198.189.134.200',
        'localhost': 'localhost',
        'com': 'com',
    }
    documents = [(f'http://{host}/', b'<p>one') for host in hosts]
    write_warc(tmp_path / 'a.warc.gz', documents)
    labels = mrl.write(tmp_path / 'x.mrl', [mrl.sha1('<p>one')], min_len=0)
    line = [tmp_path / 'a.warc.gz', '-l', labels, '--levels=domain']
    found = cells(detect(*line, out=tmp_path / 'run')['neighborhoods.tsv'], 0, 1, 2)
    expected = Counter(f'{domain}/' for domain in hosts.values())
    assert found == [[name, '0', str(n)] for name, n in sorted(expected.items())]


def test_empty_neighborhoods(tmp_path):
    """Where stop chunks leave nothing there is a row, and no ratio."""
    write_warc(
        tmp_path / 'a.warc.gz', [('http://a.org/', b'<p>short'), ('http://b.org/', b'')]
    )
    labels = mrl.write(tmp_path / 'x.mrl', [mrl.sha1('<p>short')])
    found = detect(tmp_path / 'a.warc.gz', '-l', labels, out=tmp_path / 'run')
    assert cells(found['neighborhoods.tsv'], 0, 2, 3, 4, 5, 6) == [
        ['a.org/', '1', '0', '0', '', '']
    ]
    assert cells(found['pages.tsv'], 2, 3, 4) == [['0', '0', '']]


# What is refused, and what is only said


def said(*args) -> tuple[int, str]:
    done = run('detect', *args)
    return done.code, done.err


def test_labels_that_do_not_fit(crawl, tmp_path):
    names, *_ = crawl
    assert run('discover', *names, '-o', tmp_path / 'run', '-q').code == 0
    for more in ({'delimiters': 'p'}, {'normalize': 'collapse'}):
        labels = mrl.write(tmp_path / 'x.mrl', **more)
        [(name, value)] = more.items()
        theirs = {'delimiters': 'p,div', 'normalize': 'none'}[name]
        why = f'made with --{name} {value}, the pages with --{name} {theirs}'
        assert said('-l', labels, '-o', tmp_path / 'run') == (
            1,
            f'error: {labels}: {why}; use the same option for both\n',
        )


def test_no_labels(crawl, tmp_path):
    names, *_ = crawl
    labels = mrl.write(tmp_path / 'x.mrl')
    code, err = said(*names, '-l', labels, '-o', tmp_path / 'run', '-q')
    assert (code, err) == (0, f'warning: {labels}: has no labels\n')
    assert cells((tmp_path / 'run/bad_pages.tsv').read_bytes(), 0) == []


def test_no_pages(tmp_path):
    write_warc(tmp_path / 'a.warc.gz', [])
    labels = mrl.write(tmp_path / 'x.mrl', [mrl.sha1('<p>one')])
    code, err = said(tmp_path / 'a.warc.gz', '-l', labels, '-o', tmp_path / 'run', '-q')
    assert (code, err) == (
        0,
        'warning: no pages in the input; check INPUT and --filter\n',
    )
    for name in DETECT_TABLES:
        assert (tmp_path / 'run' / name).read_bytes().count(b'\n') == 1


def test_damaged_pages(crawl, tmp_path):
    """What was lost when pages were hashed is told then, not again."""
    write_warc(tmp_path / 'a.warc.gz', sample_crawl(9))
    data = (tmp_path / 'a.warc.gz').read_bytes()
    (tmp_path / 'a.warc.gz').write_bytes(data[:-30])
    line = [tmp_path / 'a.warc.gz', '-l', crawl[1], '-o', tmp_path / 'run', '-q']
    assert said(*line)[0] == 3
    assert said('-l', crawl[1], '-o', tmp_path / 'run', '-q') == (0, '')


@pytest.mark.parametrize(
    ('args', 'code', 'why'),
    [
        (['-o', 'nowhere'], 1, 'nowhere: no finished run of discover or detect; '),
        (
            ['a.warc.gz', '-o', 'run'],
            2,
            'run/labels.mrl: no such file; name a label file',
        ),
        (
            ['a.warc.gz', '-l', 'no.mrl', '-o', 'run'],
            1,
            'no.mrl: no such file',
        ),
        (
            ['a.warc.gz', '-l', 'a.warc.gz', '-o', 'run'],
            1,
            'a.warc.gz: not a label file',
        ),
        (['-o', 'run', '--sigmas=-1'], 2, ''),
        (['-o', 'run', '--sigmas=nan'], 2, ''),
        (['-o', 'run', '--levels=0'], 2, ''),
        (['-o', 'run', '--page-threshold=1e9'], 2, ''),
        (['-o', 'run', '--top=0'], 2, ''),
    ],
)
def test_refused(tmp_path, monkeypatch, args, code, why):
    monkeypatch.chdir(tmp_path)
    write_warc(tmp_path / 'a.warc.gz', [('http://a.org/', b'<p>one')])
    done = run('detect', *args)
    assert done.code == code and 'Traceback' not in done.err
    assert done.err.splitlines()[-1].startswith(f'error: {why}' if why else 'error: --')


def test_filter_of_hashed_pages(crawl, tmp_path):
    assert run('discover', *crawl[0], '-o', tmp_path / 'run', '-q').code == 0
    code, err = said('-o', tmp_path / 'run', '--filter=status=200')
    assert code == 2
    why = f'goes with INPUT; the pages of {tmp_path / "run"} are hashed already'
    assert err == f'error: --filter: {why}\n'


def test_other_inputs(crawl, tmp_path):
    names, labels, _ = crawl
    detect(*names, '-l', labels, out=tmp_path / 'run')
    code, err = said(names[0], '-l', labels, '-o', tmp_path / 'run')
    assert code == 1 and 'holds a run on other inputs' in err


# A run of both


def test_discover_then_detect(crawl, tmp_path):
    """Both leave their tables and records side by side, in either order."""
    names, labels, expected = crawl
    out = tmp_path / 'run'
    detect(*names, '-l', labels, out=out)
    assert run('discover', *names, '-o', out, '--threshold=1', '-q').code == 0
    assert detect('-l', labels, out=out) == expected
    told = json.loads((out / 'run.json').read_text())
    assert told['threshold'] == 1 and told['detect']['labels'] == str(labels)
    own = detect(*names, '-l', out, out=out)
    assert own != expected and (out / 'labels.tsv').exists()
    # `discover` has counted the same labels in the same pages, whoever counts again.
    assert own['label_counts.tsv'] == (out / 'labels.tsv').read_bytes()
    (out / 'label_counts.tsv').unlink()
    assert detect('-l', out, out=out) == own
    assert json.loads((out / 'run.json').read_text())['threshold'] == 1
    assert detect(*names, '-l', out / 'labels.mrl', out=tmp_path / 'new') == own


def test_moved_run(crawl, tmp_path):
    """A run takes its own labels along, whatever comes to be where it was."""
    names, _, _ = crawl
    run_, moved = tmp_path / 'run', tmp_path / 'moved'
    assert run('discover', *names, '-o', run_, '--threshold=1', '-q').code == 0
    own = detect(out=run_)
    run_.rename(moved)
    assert run('discover', names[0], '-o', run_, '--threshold=2', '-q').code == 0
    assert detect(out=moved) == own
    host = next(
        row[0] for row in table_files.read_cells(str(moved / 'neighborhoods.tsv'))
    )
    assert run('show', moved, host).code == 0


def test_labels_that_have_changed(crawl, tmp_path):
    """They are not looked for unless somebody names them."""
    names, _, _ = crawl
    labels, out = tmp_path / 'x.mrl', tmp_path / 'run'
    mrl.write(labels, [digest(b'<p>one')], min_len=0)
    before = detect(*names, '-l', labels, out=out)
    mrl.write(labels, [digest(b'<p>two')], min_len=0)
    done = run('detect', '-o', out, '-q', '-r', 'inline')
    assert (
        done.code == 1 and f'{labels}: not the labels of the last detect on' in done.err
    )
    assert {name: (out / name).read_bytes() for name in DETECT_TABLES} == before
    detect('-l', labels, out=out)


def test_on_an_added_run(crawl, tmp_path):
    """Pages of an older run are read where they are."""
    names, labels, expected = crawl
    assert run('discover', *names[:2], '-o', tmp_path / 'old', '-q').code == 0
    line = [*names[2:], '--add', tmp_path / 'old', '-o', tmp_path / 'both', '-q']
    assert run('discover', *line).code == 0
    assert detect('-l', labels, out=tmp_path / 'both') == expected
    assert detect(tmp_path / 'both', '-l', labels, out=tmp_path / 'far') == expected


def test_interrupted_for_other_labels(crawl, tmp_path, monkeypatch):
    """Nobody takes what is left of it for an answer."""
    names, labels, expected = crawl
    out = tmp_path / 'run'
    detect(*names, '-l', labels, out=out)
    other = mrl.write(tmp_path / 'other.mrl', [mrl.sha1('<p>one')], min_len=0)

    def interrupted(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(steps, 'sum_neighborhoods', interrupted)
        assert run('detect', '-o', out, '-l', other, '-q').code == 130
    assert (
        run('links', out).err
        == f'error: {out}: has no result of detect; run detect on it first\n'
    )
    why = f'{out}: has no result of detect; run detect on it first'
    assert run('show', out, 'a.org/').err == f'error: {why}\n'
    assert detect('-l', labels, out=out) == expected


def test_interrupted_before_detect(crawl, tmp_path, monkeypatch):
    """What discover has said of the same pages is not lost."""
    names, labels, expected = crawl
    out = tmp_path / 'run'
    assert run('discover', *names, '-o', out, '--threshold=1', '-q').code == 0

    def interrupted(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(steps, 'match_labels', interrupted)
        assert run('detect', *names, '-o', out, '-l', labels, '-q').code == 130
    assert detect(*names, '-l', labels, out=out) == expected
    told = json.loads((out / 'run.json').read_text())
    assert told['finished'] and told['threshold'] == 1 and told['counts']


def test_show_neighborhood(crawl, tmp_path):
    """What a neighborhood has copied, with hashes and pages to look at."""
    copied = b'<p>' + b'copied ' * 20
    documents = [(f'http://a.org/x/{n}', copied * n + b'<p>%d' % n) for n in range(4)]
    pages = write_warc(tmp_path / 'a.warc.gz', documents)
    labels = mrl.write(tmp_path / 'x.mrl', [digest(copied)], min_len=0)
    out = tmp_path / 'run'
    detect(tmp_path / 'a.warc.gz', '-l', labels, out=out)
    done = run('show', out, 'a.org/x/')
    assert done.code == 0
    assert '\na.org/: 4 pages;' in run('show', out, 'a.org').out
    lines = done.out.splitlines()
    assert lines[0] == 'a.org/x/: 4 pages; 6 of 10 chunks are labels (0.600)'
    assert lines[2].split() == ['copies', 'pages', 'other', 'hosts', 'chunk']
    assert lines[3].split() == ['6', '3', '0', digest(copied)]
    assert lines[4].strip() == copied.decode()[:70].strip()
    assert lines[7].split() == [
        '3',
        '4',
        f'{pages[3].archive}:{pages[3].offset}',
        pages[3].url,
    ]
    assert run('show', out, digest(copied), '-q').out == copied.decode()
    why = 'b.org/: no page of the run is in it; see neighborhoods.tsv'
    assert run('show', out, 'b.org/').err == f'error: {why}\n'
    mrl.write(labels, [digest(b'other')], min_len=0)
    why = f'{labels}: changed since detect on {out}; run detect again'
    assert run('show', out, 'a.org/x/').err == f'error: {why}\n'


def test_what_is_told(tmp_path):
    """What is listed, how many of how many, and by which threshold."""
    copied = b'<p>' + b'copied ' * 20
    documents = [(f'http://a.org/x/{n}', copied * n + b'<p>%d' % n) for n in range(4)]
    write_warc(tmp_path / 'a.warc.gz', [*documents, ('http://www.b.org/', b'<p>b')])
    labels = mrl.write(tmp_path / 'x.mrl', [digest(copied)], min_len=0)
    line = [tmp_path / 'a.warc.gz', '-l', labels, '-o', tmp_path / 'run']
    line += ['--min-chunks=2', '--sigmas=0', '-r', 'inline']

    def told(*args, place=slice(1, 5)) -> list[str]:
        return run('detect', *line, *args).out.splitlines()[place]

    few = 'with too few chunks to judge (see --min-chunks)'
    assert told('--page-threshold=0.5', '--neighborhood-threshold=0.0004') == [
        f'5 pages, 2 of them {few}',
        'bad pages: 2 of 3, with more than 50.0 % labeled chunks (mean 63.9 %, '
        'deviation 10.4 %)',
        f'3 hosts and folders, 1 of them {few}',
        'bad neighborhoods: 2 of 2, with more than 0.04 % labeled chunks (mean 66.7 %, '
        'deviation 0.0 %)',
    ]
    most = ['--neighborhood-threshold=0', '--rank=bad', '--min-bad=3']
    assert told('--levels=site', *most)[2:] == [
        f'2 hosts, 1 of them {few}',
        'bad neighborhoods: 1 of 1, with at least 3 labeled chunks (mean 66.7 %, '
        'deviation 0.0 %)',
    ]
    assert told('--levels=domain')[2].startswith('2 registered domains, 1 of them')
    assert told('--levels=2')[2].startswith('1 folder of level 2, 0 of them')
    bad = ['--page-threshold=0.5', '--neighborhood-threshold=0.5', '--top=1']
    out = tmp_path / 'run'
    assert told(*bad, place=slice(-3, None)) == [
        f'the first 1 bad neighborhood: {out}/bad_neighborhoods.tsv',
        f'the first 1 bad page: {out}/bad_pages.tsv',
        f'for these results as an HTML page, run: {command_line("report", str(out))}',
    ]
    assert (
        told('--page-threshold=0.7', place=-2) == f'all 1 bad page: {out}/bad_pages.tsv'
    )


def test_show_labels_of_a_large_page(tmp_path):
    """A page that is read as a stream is read once for all of them."""
    chunks = [b'<p>%d ' % n + b'copied ' * 20 for n in range(3)]
    body = b'<p>'.join([*chunks, b'x' * (17 << 20)])
    write_warc(tmp_path / 'a.warc.gz', [('http://a.org/', body)])
    labels = mrl.write(tmp_path / 'x.mrl', map(digest, chunks), min_len=0)
    detect(tmp_path / 'a.warc.gz', '-l', labels, out=tmp_path / 'run')
    told = run('show', tmp_path / 'run', 'a.org/').out
    assert 'not in the archive' not in told
    assert all(f'<p>{n} copied copied' in told for n in range(3))


def test_planted_link_farm(tmp_path):
    """On the crawl of the demo the farm is on top; its labels are what was planted."""
    crawl, out = tmp_path / 'crawl', tmp_path / 'run'
    assert run('synth', '-o', crawl, '--size', '20MB', '--quiet').code == 0
    assert run('discover', crawl / '*.warc.gz', '-o', out, '-q').code == 0
    found = detect('--min-chunks=5', out=out)['bad_neighborhoods.tsv']
    key = [line.split('\t') for line in (crawl / 'key.tsv').read_text().splitlines()]
    farm = {row[1]: row[6] for row in key if row[0] == 'farm'}
    prefix = cells(found, 0)[0][0]
    assert all(f'/{prefix}' in url for url in farm.values())
    shown = run('show', out, prefix).out.splitlines()
    labels = [line.split()[3] for line in shown[3:23:2]]
    assert len(labels) == 10 and set(labels) <= set(farm)
