"""Outputs on other stores: each is written, or refused in one line."""

from pathlib import Path

import mrl
import pytest
import rawserver
import s3server
import webhdfs
from commands import run
from crawls import write_warc

from mr_reuse import storage
from mr_reuse.engine.clusters import bundling
from mr_reuse.storage import hdfs, hdfs_web, s3_client

TEXT = b'<p>' + b'copied everywhere, ' * 8
PAGES = [(f'http://{host}.org/', TEXT + host.encode()) for host in 'abc']
# Commands that write to any store, and the name of a result if it is a folder.
ANYWHERE = {
    'labels build crawl/a.warc.gz -q -r inline -o OUT': '',
    'labels merge x.mrl -o OUT': '',
    'labels subtract x.mrl x.mrl -o OUT': '',
    'labels export x.mrl -o OUT': '',
    'stop auto run -o OUT': '',
    'export run -q --format csv -o OUT': 'labels.csv',
    'compare run run -o OUT': 'label_changes.tsv',
    'get run -q -o OUT': 'labels.tsv',
    'bundle -o OUT': '',
}
RUNS = [
    'discover crawl/a.warc.gz -q -r inline -o OUT',
    'detect crawl/a.warc.gz -q -r inline -l x.mrl -o OUT',
]
HERE = ['synth --size 1MB -o OUT', 'pack crawl -o OUT.warc.gz', 'watch OUT -l x.mrl']
HERE += ['pack OUT -o x.warc.gz']


@pytest.fixture(scope='module')
def stores():
    """The names of a bucket and a folder that nothing was written to."""
    patched = pytest.MonkeyPatch.context()
    with s3server.serving() as bucket, webhdfs.serving() as stub, patched as patch:
        patch.setenv(hdfs.ADDRESSES, f'nn:9={stub.name_node.url}')
        hdfs._store_of.cache_clear()
        yield {'s3': bucket, 'hdfs': 'hdfs://nn:9'}
    hdfs._store_of.cache_clear()
    hdfs_web._pool.cache_clear()


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    """A folder with a crawl, a run and a label file."""
    top = tmp_path_factory.mktemp('made')
    (top / 'crawl').mkdir()
    write_warc(top / 'crawl/a.warc.gz', PAGES)
    mrl.write(top / 'x.mrl', [mrl.sha1('<p>')], min_len=0)
    line = [top / 'crawl/a.warc.gz', '-o', top / 'run', '--threshold=0', '-q']
    assert run('discover', *line, '-r', 'inline').code == 0
    return top


@pytest.fixture(autouse=True)
def here(made, monkeypatch):
    monkeypatch.chdir(made)
    return made


def written_to(line: str, name: str):
    command, *words = line.replace('OUT', name).split()
    return run(command, *words)


def one_line(ended) -> str:
    assert ended.code in (1, 2) and ended.out == ''
    assert ended.err.startswith('error: ') and ended.err.count('\n') == 1
    return ended.err[len('error: ') : -1]


@pytest.mark.parametrize('store', ['s3', 'hdfs'])
@pytest.mark.parametrize('line', ANYWHERE)
def test_written_anywhere(stores, monkeypatch, line, store):
    """Folders that are missing are made, where there are any."""
    # A bundle of all packages takes ten seconds.
    monkeypatch.setattr(bundling, 'list_files', lambda: {'x': Path(__file__)})
    name = f'{stores[store]}/{"-".join(line.split()[:2])}/new/x'
    done = written_to(line, name)
    assert done.code == 0, done.err
    assert storage.size(f'{name}/{ANYWHERE[line]}'.rstrip('/'))


@pytest.mark.parametrize('line', [*ANYWHERE, *RUNS])
def test_no_such_bucket(stores, line):
    why = one_line(written_to(line, 's3://missing/new/x'))
    assert why == 's3://missing: no such bucket'


@pytest.mark.parametrize('line', [*ANYWHERE, *RUNS])
def test_web(line, here):
    """What cannot be written to, and what is no store, is refused."""
    with rawserver.serving() as server:
        why = one_line(written_to(line, f'{server.url}/x'))
        assert 'a web server cannot be written to; name' in why
    assert 'ftp:// is not supported; use' in one_line(written_to(line, 'ftp://h/x'))


@pytest.mark.parametrize('line', HERE)
@pytest.mark.parametrize('name', ['s3://bucket/x', 'hdfs://nn/x', 'https://h/x'])
def test_written_here_only(here, line, name):
    before = sorted(here.iterdir())
    assert 'is not on this machine; name a local path' in one_line(
        written_to(line, name)
    )
    assert sorted(here.iterdir()) == before


def test_redirected_for_ever(stores, monkeypatch):
    """An endpoint that is no S3, but redirects all requests to itself."""
    with rawserver.serving() as server:
        answer = b'HTTP/1.1 307 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'
        server.answers = AnyPath(answer)
        monkeypatch.setenv('AWS_ENDPOINT_URL', server.url)
        s3_client._client.cache_clear()
        try:
            why = one_line(written_to('labels merge x.mrl -o OUT', 's3://bucket/x'))
        finally:
            s3_client._client.cache_clear()
    assert 's3://bucket/: ' in why and 'AWS_' in why


class AnyPath(dict):
    """The same answer for all paths."""

    def __init__(self, answer: bytes):
        self._answer = answer

    def get(self, path, missing):
        return self._answer
