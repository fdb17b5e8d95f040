"""Inputs of Common Crawl by name, from its web server, its bucket, or a copy."""

import gzip
import json
import os
import time

import pytest
from commands import detect, discover, refused, results, run
from crawls import write_warc, write_wet
from s3server import SETTINGS
from webserver import Page, rate_limit, serving, signed_only

from mr_reuse.engine.clusters import base
from mr_reuse.engine.clusters.emr import Emr
from mr_reuse.errors import UserError
from mr_reuse.pages import forecast, inputs
from mr_reuse.storage import common_crawl, s3_client
from mr_reuse.storage.web import client as web_client

CRAWL = 'crawl-data/CC-MAIN-2026-30'
WARCS = [f'{CRAWL}/segments/1/warc/CC-{n}.warc.gz' for n in range(3)]
NEWS = 'crawl-data/CC-NEWS/2026/06'
TEXT = b'<p>' + b'copied ' * 20


@pytest.fixture(autouse=True)
def settings(monkeypatch, tmp_path):
    """Nothing of the user's own settings."""
    for name in [n for n in os.environ if n.startswith('AWS_')]:
        monkeypatch.delenv(name)
    monkeypatch.setenv('no_proxy', '*')
    monkeypatch.chdir(tmp_path)
    yield
    s3_client._client.cache_clear()
    web_client._pool.cache_clear()


@pytest.fixture
def files(tmp_path):
    """Files of Common Crawl by name: three archives, and the lists that name them."""

    def archive(name, number, write=write_warc):
        path = tmp_path / 'made' / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, [(f'http://{number}-{n}.example/', TEXT) for n in range(2)])
        return path.read_bytes()

    made = {name: archive(name, number) for number, name in enumerate(WARCS)}
    wet = f'{CRAWL}/segments/1/wet/CC-0.warc.wet.gz'
    news = f'{NEWS}/CC-NEWS-1.warc.gz'
    made |= {wet: archive(wet, 3, write_wet), news: archive(news, 4)}
    lists = {
        f'{CRAWL}/warc.paths.gz': WARCS,
        f'{CRAWL}/wet.paths.gz': [wet],
        f'{NEWS}/warc.paths.gz': [news],
    }
    for name, names in lists.items():
        made[name] = gzip.compress('\n'.join(names).encode())
    return made


@pytest.fixture
def site(files, monkeypatch):
    with serving() as made:
        made.pages = {f'/{name}': Page(data) for name, data in files.items()}
        # An S3 client puts the bucket in front.
        made.pages |= {f'/cc/{name}': Page(data) for name, data in files.items()}
        monkeypatch.setenv(common_crawl.VARIABLE, made.url)
        yield made


def names(*typed, **more):
    return [source.name for source in inputs.find_sources(typed, **more)[0]]


@pytest.mark.parametrize(
    ('typed', 'expected'),
    [
        (
            'CC-MAIN-2026-30',
            [f'{CRAWL}/segments/1/warc/CC-{n}.warc.gz' for n in (0, 1, 2)],
        ),
        (
            'CC-MAIN-2026-30/warc',
            [f'{CRAWL}/segments/1/warc/CC-{n}.warc.gz' for n in (0, 1, 2)],
        ),
        ('CC-MAIN-2026-30/wet', [f'{CRAWL}/segments/1/wet/CC-0.warc.wet.gz']),
        ('CC-NEWS-2026-06', [f'{NEWS}/CC-NEWS-1.warc.gz']),
        (f'{NEWS}/warc.paths.gz', [f'{NEWS}/CC-NEWS-1.warc.gz']),
        (f'{NEWS}/CC-NEWS-1.warc.gz', [f'{NEWS}/CC-NEWS-1.warc.gz']),
    ],
)
def test_crawls(site, typed, expected):
    assert names(f'cc:{typed}') == [f'cc:{name}' for name in expected]


WRONG = (
    'not a name of Common Crawl; write cc:CC-MAIN-2026-30, cc:CC-MAIN-2026-30/wet, '
    'cc:CC-NEWS-2026-06 or cc:crawl-data/…'
)
NO_FILES = 'no such files; name one of '
PROBLEMS = {
    'CC-MAIN-2026-30/wat': 'WAT files have metadata and no pages; name wet, or no kind',
    'CC-MAIN-2026-30/cdx': f'{NO_FILES}warc, wet, robotstxt, non200responses',
    'CC-NEWS-2026-06/wet': f'{NO_FILES}warc',
    'CC-MAIN-26': WRONG,
    'x': WRONG,
    '': WRONG,
    'crawl-data': WRONG,
    'crawl-data/../x.warc.gz': WRONG,
}


@pytest.mark.parametrize(('typed', 'problem'), PROBLEMS.items())
def test_names_that_are_wrong(site, typed, problem):
    assert refused(f'cc:{typed}', '-o', 'run') == f'cc:{typed}: {problem}'
    assert not site.asked


def test_crawl_that_is_missing(site):
    assert refused('cc:CC-MAIN-2026-31', '-o', 'run') == (
        'cc:crawl-data/CC-MAIN-2026-31/warc.paths.gz: Common Crawl has no such list; '
        'check the name of the crawl on https://commoncrawl.org/get-started'
    )


@pytest.mark.parametrize('line', ['/etc/passwd', 's3://b/a.warc.gz', '../../a.warc.gz'])
def test_list_that_names_other_files(site, line):
    """A copy of Common Crawl may be a stranger's."""
    page = Page(gzip.compress(line.encode()))
    site.pages[f'/{CRAWL}/warc.paths.gz'] = page
    message = refused('cc:CC-MAIN-2026-30', '-o', 'run')
    assert line in message
    assert 'GET' not in {m for m, path, _ in site.asked if 'paths' not in path}


def test_all_commands(site, tmp_path):
    """Names, rids, previews, records and links are those of Common Crawl."""
    done = discover('cc:CC-MAIN-2026-30', '--limit', 2, '--threshold=1', '-o', 'run')
    assert done.code == 0, done.err
    record = json.loads((tmp_path / 'run/run.json').read_text())
    inputs = [f'cc:{CRAWL}/segments/1/warc/CC-{n}.warc.gz' for n in (0, 1)]
    assert record['inputs'] == inputs
    assert record['paths'] == {name: name for name in inputs}
    assert 'copied copied' in (tmp_path / 'run/labels.tsv').read_text()
    tables = detect('--page-threshold=0', out=tmp_path / 'run')
    rids = [row.split(b'\t')[0].decode() for row in tables['pages.tsv'].splitlines()]
    assert [rid.rpartition(':')[0] for rid in rids[1:]] == [
        name for name in inputs for _ in range(2)
    ]
    shown = run('show', 'run', rids[-1], '-q')
    assert (shown.code, shown.out) == (0, TEXT.decode())
    assert run('links', 'run', '-q').code == 0
    assert (
        'nothing to do' in discover('-o', 'run').err or discover('-o', 'run').code == 0
    )


def test_same_tables_from_everywhere(site, files, tmp_path, monkeypatch):
    line = ['cc:CC-MAIN-2026-30', '--threshold=1', '-q']
    assert discover(*line, '-o', 'web').code == 0
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv('AWS_ENDPOINT_URL', site.url)
    monkeypatch.setenv(common_crawl.VARIABLE, 's3://cc/')
    assert discover(*line, '-o', 's3').code == 0
    for name, data in files.items():
        (tmp_path / 'copy' / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / 'copy' / name).write_bytes(data)
    monkeypatch.setenv(common_crawl.VARIABLE, str(tmp_path / 'copy'))
    assert discover(*line, '-o', 'disk').code == 0
    assert results(tmp_path / 'web') == results(tmp_path / 's3')
    assert results(tmp_path / 'web') == results(tmp_path / 'disk')


def test_bucket_wants_signatures(site, tmp_path, monkeypatch):
    site.gate = signed_only
    monkeypatch.setenv('AWS_ENDPOINT_URL', site.url)
    monkeypatch.setenv(common_crawl.VARIABLE, 's3://cc')
    secret = {'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'}
    for name in SETTINGS.keys() - secret:
        monkeypatch.setenv(name, SETTINGS[name])
    message = refused('cc:CC-MAIN-2026-30', '-o', 'run')
    assert 'this machine has no AWS credentials: configure them' in message
    assert not site.asked
    s3_client._client.cache_clear()
    for name in secret:
        monkeypatch.setenv(name, SETTINGS[name])
    assert discover('cc:CC-MAIN-2026-30', '-q', '-o', 'run').code == 0


def test_asked_too_fast(site, tmp_path, monkeypatch):
    """The server answers 403 to more than four requests in half a second."""
    monkeypatch.setattr(web_client, 'PAUSES', (0.1, 0.2, 0.4, 0.8, 1.6))
    site.gate = rate_limit(4, 0.5)
    done = discover('cc:CC-MAIN-2026-30', '--threshold=1', '-q', '-o', 'run')
    assert done.code == 0, done.err
    record = json.loads((tmp_path / 'run/run.json').read_text())
    assert record['read']['counts']['pages'] == 6 and not record.get('damaged')


def test_forbidden_for_ever(site, tmp_path, monkeypatch):
    pauses = []
    monkeypatch.setattr(time, 'sleep', pauses.append)
    page = site.pages[f'/{CRAWL}/segments/1/warc/CC-1.warc.gz']
    page.answers = [(403,)] * 999
    done = discover('cc:CC-MAIN-2026-30', '--threshold=1', '-q', '-o', 'run')
    assert done.code == 3
    assert 'cannot be read: no right to read (403), cc:crawl-data/' in done.err
    assert len(pauses) < 100


def test_own_list_names_common_crawl(site, tmp_path):
    """Names below crawl-data/ need no --base-url, unless there is a copy here."""
    (tmp_path / 'list').write_text(f'{NEWS}/CC-NEWS-1.warc.gz\n')
    assert names('list') == [f'cc:{NEWS}/CC-NEWS-1.warc.gz']
    (tmp_path / NEWS).mkdir(parents=True)
    with pytest.raises(UserError, match='no such file or folder'):
        names('list')
    (tmp_path / NEWS / 'CC-NEWS-1.warc.gz').write_bytes(b'')
    assert names('list') == [f'{NEWS}/CC-NEWS-1.warc.gz']


def test_list_of_the_web_server(site):
    """A list of Common Crawl that is named by its URL names files there."""
    assert names(f'{site.url}/{NEWS}/warc.paths.gz') == [
        f'{site.url}/{NEWS}/CC-NEWS-1.warc.gz'
    ]


def test_limit_ends_the_list(site):
    assert len(names('cc:CC-MAIN-2026-30', limit=2)) == 2
    assert len(names('cc:CC-MAIN-2026-30', 'cc:CC-NEWS-2026-06', limit=4)) == 4


def test_sizes_of_a_few(site, files):
    """With --limit, --dry-run knows the sizes, however long the list is."""
    long = [f'{CRAWL}/segments/1/warc/CC-{n}.warc.gz' for n in range(5000)]
    site.pages[f'/{CRAWL}/warc.paths.gz'] = Page(
        gzip.compress('\n'.join(long).encode())
    )
    line = ['cc:CC-MAIN-2026-30', '--limit', 3, '--dry-run', '-o', 'run']
    done = discover(*line)
    assert done.code == 0, done.err
    sizes = [len(files[name]) for name in long[:3]]
    for size, name in zip(sizes, long[:3], strict=True):
        assert f'{size:>15,}  cc:{name}\n' in done.out
    assert f'{sum(sizes):>15,}  bytes in 3 archives' in done.out


def test_sizes_of_many(site, files, monkeypatch):
    """The sizes of some archives, at even distances, stand for all."""
    monkeypatch.setattr(forecast, 'SIZES', 10)
    name = f'{CRAWL}/segments/1/warc/CC-{{}}.warc.gz'.format
    data = files[name(0)]
    for number in range(500):
        site.pages[f'/{name(number)}'] = Page(data)
    names = '\n'.join(map(name, range(500)))
    site.pages[f'/{CRAWL}/warc.paths.gz'] = Page(gzip.compress(names.encode()))
    done = discover('cc:CC-MAIN-2026-30', '--dry-run', '-o', 'run')
    assert done.code == 0, done.err
    assert f'{500 * len(data):>15,}  bytes in 500 archives' in done.out
    assert 'sizes from 10 of 500 archives' in done.out
    heads = [path for method, path, _ in site.asked if method == 'HEAD']
    # Besides these, the archives at the 12 positions of the sample are opened.
    assert 10 <= len([path for path in heads if 'paths' not in path]) <= 22


def test_variables_of_a_cluster(monkeypatch):
    """Tasks on a cluster read from the same place, and on EMR from the bucket."""
    assert common_crawl.VARIABLE in base.SENT_VARIABLES
    monkeypatch.delenv(common_crawl.VARIABLE, raising=False)
    bucket = {common_crawl.VARIABLE: 's3://commoncrawl/'}
    assert Emr.environment(None) == bucket
    monkeypatch.setenv(common_crawl.VARIABLE, 'https://mirror/')
    assert Emr.environment(None) == {common_crawl.VARIABLE: 'https://mirror/'}
