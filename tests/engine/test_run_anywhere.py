"""Every runner of this machine works with a run on every store."""

import json

import pytest
import s3server
import webhdfs
from commands import run
from crawls import write_warc

from mr_reuse import storage
from mr_reuse.chunks.discover import steps
from mr_reuse.chunks.tables import label_steps
from mr_reuse.engine import chain
from mr_reuse.pages import planning
from mr_reuse.storage import hdfs, hdfs_web, naming
from mr_reuse.tables import table_files

TEXT = b'<p>' + b'copied everywhere, ' * 8
# Three hosts with two pages each. Each page has the text, and a chunk of its own.
PAGES = [
    (f'http://{host}.org/{n}', TEXT + b'<p>' + f'{host} {n}'.encode() * 40)
    for host in 'abc'
    for n in (1, 2)
]


@pytest.fixture(scope='module')
def stores(tmp_path_factory):
    """The names of a folder on each store, by the name of the store."""
    patched = pytest.MonkeyPatch.context()
    with s3server.serving() as bucket, webhdfs.serving() as stub, patched as patch:
        patch.setenv(hdfs.ADDRESSES, f'nn:9={stub.name_node.url}')
        hdfs._store_of.cache_clear()
        top = tmp_path_factory.mktemp('stores')
        write_warc(top / 'a.warc.gz', PAGES)
        yield {'disk': str(top), 's3': bucket, 'hdfs': 'hdfs://nn:9', 'crawl': top}
    hdfs._store_of.cache_clear()
    hdfs_web._pool.cache_clear()


@pytest.fixture
def forked(monkeypatch):
    """Fork tasks, although the input is small."""
    monkeypatch.setattr(planning, 'SMALL_ARCHIVES', -1)
    monkeypatch.setattr(steps, 'SMALL_INPUT', -1)
    monkeypatch.setattr(chain.Step.__new__, '__defaults__', (-1, None, {}))


@pytest.mark.parametrize(
    ('runner', 'store'),
    [
        *(('local', store) for store in ('disk', 's3', 'hdfs')),
        ('inline', 'disk'),
        pytest.param('inline', 's3', marks=pytest.mark.slow),
        pytest.param('inline', 'hdfs', marks=pytest.mark.slow),
    ],
)
def test_run_anywhere(stores, forked, monkeypatch, store, runner):
    name, line = f'{stores[store]}/run-{runner}', ['-r', runner, '--tasks=1']
    crawl = stores['crawl'] / 'a.warc.gz'
    discover = [crawl, '-o', name, '--threshold=3', '--captures=all', *line]
    with monkeypatch.context() as patch:  # the driver fails behind the last step
        patch.setattr(label_steps, 'sort_labels', fail)
        assert run('discover', *discover).code == 1
    resumed = run('discover', *discover)
    assert resumed.code == 0, resumed.err
    assert '03-previews: finished before' in resumed.err
    assert table(name, 'labels')[0][1:6] == [str(len(TEXT)), '6', '6', '3', PAGES[0][0]]

    assert run('detect', '-o', name, '--min-chunks=1', '-q', *line) == (0, '', '')
    assert [row[2:4] for row in table(name, 'pages')] == [['1', '2']] * len(PAGES)
    record = json.loads(storage.read_text(f'{name}/run.json'))
    assert record['finished'] and '_lock' not in storage.list_names(name)
    if runner == 'inline':  # what follows runs no jobs
        look_at(name)


@pytest.mark.parametrize(
    ('store', 'runner'),
    [
        ('s3', 'local'),
        ('hdfs', 'inline'),
        pytest.param('hdfs', 'local', marks=pytest.mark.slow),
    ],
)
def test_large_tables(stores, forked, monkeypatch, store, runner):
    """Tasks write the parts of tables to the store; the rows are those on disk."""
    crawl, found = stores['crawl'] / 'a.warc.gz', []
    for name in (f'{stores["disk"]}/small-{store}-{runner}', f'{stores[store]}/large'):
        line = ['-o', name, '-r', runner, '--tasks=1', '-q']
        discover = run('discover', crawl, *line, '--threshold=3', '--min-len=50')
        detect = run('detect', '--places', *line)
        assert discover == detect == (0, '', '')
        tables = [n for n in storage.list_names(name) if n.endswith('.tsv')]
        found.append({n: rows(naming.join(name, n)) for n in tables})
        folders = [n for n in tables if storage.is_dir(naming.join(name, n))]
        monkeypatch.setattr(table_files, 'MAX_PART_ROWS', 2)
    assert found[0] == found[1]
    assert {n for n, of in found[1].items() if len(of) > 1} == set(folders)
    assert {'pages.tsv', 'neighborhoods.tsv', 'places.tsv'} <= set(folders)
    storage.remove(name)


def rows(name):
    parts = sorted(storage.list_names(name)) if storage.is_dir(name) else ['']
    texts = [storage.read_text(naming.join(name, p).rstrip('/')) for p in parts]
    assert len({text.partition('\n')[0] for text in texts}) == 1
    return [line for text in texts for line in text.splitlines()[1:]]


def look_at(name):
    assert run('report', name) == (0, f'{name}/report.html\n', '')
    assert 'a.org' in storage.read_text(f'{name}/report.html')
    shown = run('show', name, 'a.org/')
    assert '\na.org/: 2 pages; 2 of 4 chunks are labels (0.500)\n' in shown.out
    assert (shown.code, shown.err) == (0, '')


def fail(*_):
    raise OSError(5, 'broken')


def table(run_name, table_name):
    """The rows of a table, without its header."""
    name = naming.join(run_name, f'{table_name}.tsv')
    parts = storage.list_names(name) if storage.is_dir(name) else ['']
    text = ''.join(storage.read_text(naming.join(name, p).rstrip('/')) for p in parts)
    return [line.split('\t') for line in text.splitlines()[1:]]
