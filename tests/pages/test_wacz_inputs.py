"""Commands on WACZ files: on a disk, on S3 and on a web server."""

import io
import json

import boto3
import pytest
import s3server
import waczs
import webhdfs
import webserver
from commands import discover, run
from waczs import DEFLATED
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter
from webserver import Page

from mr_reuse import storage
from mr_reuse.engine.record import read_record
from mr_reuse.pages import inputs
from mr_reuse.storage import hdfs
from mr_reuse.storage.package_file import PackageFile
from mr_reuse.storage.stores import DISK

FIRST, SECOND = 'archive/a.warc.gz', 'archive/b.warc'
COPIED = '<p>' + 'copied text of more than a hundred bytes ' * 3
TABLES = ['labels.tsv', 'frequency.tsv', 'label_counts.tsv', 'neighborhoods.tsv']


def warc(host: str, count: int, gzip: bool) -> bytes:
    """An archive of warcio with pages of a host."""
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=gzip)
    head = StatusAndHeaders(
        '200 OK', [('Content-Type', 'text/html')], protocol='HTTP/1.1'
    )
    for number in range(count):
        body = f'<h1>{number}</h1>{COPIED}<p>{host} {number} own'.encode()
        url = f'http://{host}/{number}'
        date = {'WARC-Date': f'2020-01-0{1 + number}T00:00:00Z'}
        writer.write_record(
            writer.create_warc_record(
                url,
                'response',
                io.BytesIO(body),
                http_headers=head,
                warc_headers_dict=date,
            )
        )
    return out.getvalue()


ARCHIVES = {FIRST: warc('a.org', 5, True), SECOND: warc('b.org', 7, False)}


def tables(out) -> dict[str, bytes]:
    return {name: (out / name).read_bytes() for name in TABLES}


def chain(*inputs, out):
    """Run both commands; nothing is lost."""
    done = discover(*inputs, '-o', out, '--threshold', 2, '-q')
    assert (done.code, done.err) == (0, '')
    assert run('detect', '-o', out, '-q', '-r', 'inline').code == 0


@pytest.fixture(scope='module')
def outside(tmp_path_factory):
    """The tables of the same archives outside of a WACZ."""
    tmp_path = tmp_path_factory.mktemp('outside')
    for name, data in ARCHIVES.items():
        path = tmp_path / 'outside' / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    out = tmp_path / 'outside-run'
    chain(tmp_path / 'outside/archive', out=out)
    found = tables(out)
    assert b'\t12\t12\t2\t' in found['labels.tsv']
    return found


@pytest.mark.parametrize('method', [waczs.STORED, DEFLATED])
def test_chain(tmp_path, outside, method, monkeypatch):
    """The tables are those of the archives; rids lead to the same records."""
    monkeypatch.chdir(tmp_path)
    waczs.write(tmp_path / 'x.wacz', ARCHIVES, method)
    chain('x.wacz', out=tmp_path / 'run')
    assert tables(tmp_path / 'run') == outside
    names = [f'x.wacz/{name}' for name in ARCHIVES]
    assert (tmp_path / 'run/inputs.txt').read_text() == ''.join(
        f'{len(data)}\tx.wacz/{name}\n' for name, data in ARCHIVES.items()
    )
    record = read_record(tmp_path / 'run')
    assert record.paths == {name: str(tmp_path / name) for name in names}
    rows = (tmp_path / 'run/pages.tsv').read_text().splitlines()[1:]
    assert len(rows) == 12
    for row in rows:
        rid, url = row.split('\t')[:2]
        done = run('show', 'run', rid)
        host, number = url[len('http://') :].split('/')
        assert (done.code, done.err[: len(url)]) == (0, url)
        assert f'<p>{host} {number} own' in done.out
    assert run('links', 'run', '-q', '-r', 'inline').code == 0
    assert run('report', 'run', '-q').code == 0
    assert 'x.wacz' in (tmp_path / 'run/report.html').read_text()


def test_ways_to_name_it(tmp_path):
    """By a folder, a glob, a list, and archive by archive."""
    (tmp_path / 'in').mkdir()
    path = waczs.write(tmp_path / 'in/x.wacz', ARCHIVES)
    (tmp_path / 'list.txt').write_text('in/x.wacz\n')
    both = [path / name for name in ARCHIVES]
    ways = [tmp_path / 'in'], [tmp_path / 'i?/*.wacz'], [tmp_path / 'list.txt'], both
    for way in [*ways, [path / 'archive'], [f'{path}/archive/*warc*']]:
        sources, repeated = inputs.find_sources(map(str, way))
        assert [s.path for s in sources] == list(map(str, both)) and not repeated
        assert [s.size for s in sources] == list(map(len, ARCHIVES.values()))


def test_one_archive_of_it(tmp_path):
    path = waczs.write(tmp_path / 'x.wacz', ARCHIVES)
    chain(path / SECOND, out=tmp_path / 'run')
    record = read_record(tmp_path / 'run')
    assert (record.inputs, record.rows) == ([f'{path}/{SECOND}'], 14 + 7)
    done = discover(path / 'archive/none.warc', '-o', tmp_path / 'other')
    assert (done.code, done.err.count('\n')) == (1, 1)
    assert 'none.warc: no such file or folder' in done.err


def test_named_twice(tmp_path):
    path = waczs.write(tmp_path / 'x.wacz', ARCHIVES)
    done = discover(path, path / FIRST, '-o', tmp_path / 'run')
    assert done.code == 0 and f'{path}/{FIRST}: named twice, read once' in done.err


def test_added(tmp_path, outside):
    """--add counts two archives of one WACZ together."""
    path = waczs.write(tmp_path / 'x.wacz', ARCHIVES)
    chain(path / FIRST, out=tmp_path / 'one')
    done = discover(
        path, '--add', tmp_path / 'one', '-o', tmp_path / 'run', '--threshold', 2
    )
    assert done.code == 0 and f'{path}/{FIRST}: {tmp_path}/one has read it' in done.err
    assert (tmp_path / 'run/labels.tsv').read_bytes() == outside['labels.tsv']


def test_moved_and_replaced(tmp_path):
    path = waczs.write(tmp_path / 'x.wacz', ARCHIVES)
    chain(path, out=tmp_path / 'run')
    rid = f'{path}/{SECOND}:0'
    (tmp_path / 'there').mkdir()
    path.rename(tmp_path / 'there/x.wacz')
    done = run('show', tmp_path / 'run', rid)
    assert done.code == 1 and 'missing' in done.err
    done = run('show', tmp_path / 'run', rid, '--archives', tmp_path / 'there')
    assert done.code == 0 and 'b.org 0 own' in done.out
    waczs.write(path, {FIRST: ARCHIVES[FIRST], SECOND: b'x' + ARCHIVES[SECOND]})
    done = run('show', tmp_path / 'run', rid)
    assert done.code == 1 and 'when it was read' in done.err


def test_resumed(tmp_path):
    """Without INPUT; a changed WACZ is read again, also one that lacks archives."""
    resources = waczs.listed({**ARCHIVES, 'archive/c.warc.gz': b''})
    path = waczs.write(tmp_path / 'x.wacz', ARCHIVES, resources=resources)
    args = '-o', tmp_path / 'run', '--threshold', 2
    assert discover(path, *args).code == 3
    again = discover(*args)
    assert again.code == 3 and 'cannot be read: missing' in again.err
    waczs.write(path, {**ARCHIVES, 'archive/c.warc.gz': ARCHIVES[FIRST]})
    assert discover(*args).code == 0
    assert read_record(tmp_path / 'run').read['counts']['pages'] == 17


def test_other_files(tmp_path):
    """A ZIP of another name is a file; a WACZ that is none is damage by its name."""
    folder = tmp_path / 'in'
    folder.mkdir()
    (folder / 'x.zip').write_bytes(waczs.pack(ARCHIVES))
    waczs.write(folder / 'y.wacz', {})
    (folder / 'z.wacz').write_bytes(b'no ZIP at all')
    done = discover(folder, '-o', tmp_path / 'run')
    assert done.code == 3
    rows = [line for line in done.err.splitlines() if 'wacz' in line and '  ' in line]
    assert [row.split('  ')[-1] for row in rows] == [
        f'container of a kind that is not read, {folder}/y.wacz',
        f'not an archive, {folder}/z.wacz',
    ]
    assert read_record(tmp_path / 'run').read['counts']['files'] == 1


def test_line_ends_in_names(tmp_path, monkeypatch):
    """Tables and lines of jobs stay whole."""
    monkeypatch.chdir(tmp_path)
    waczs.write(tmp_path / 'x.wacz', {'archive/a\n\tb:1.warc': ARCHIVES[SECOND]})
    chain('x.wacz', out=tmp_path / 'run')
    rows = (tmp_path / 'run/pages.tsv').read_text().splitlines()[1:]
    rids = [row.split('\t')[0] for row in rows]
    assert rids[0] == 'x.wacz/archive/a%0A%09b:1.warc:0'
    assert 'b.org 6 own' in run('show', 'run', rids[-1]).out


@pytest.fixture(scope='module')
def bucket():
    with s3server.serving() as made:
        yield made


def test_on_s3(tmp_path, outside, bucket):
    data = waczs.pack(ARCHIVES)
    boto3.client('s3').put_object(Bucket=s3server.BUCKET, Key='in/x.wacz', Body=data)
    out = tmp_path / 'run'
    chain(f'{bucket}/in/x.wacz', out=out)
    assert tables(out) == outside
    for way in ('in', 'in/*.wacz', 'in/x.wacz/archive'):
        sources, _ = inputs.find_sources([f'{bucket}/{way}'])
        assert [s.name for s in sources] == [
            f'{bucket}/in/x.wacz/{n}' for n in ARCHIVES
        ]
    done = run('show', out, f'{bucket}/in/x.wacz/{SECOND}:0')
    assert done.code == 0 and 'b.org 0 own' in done.out


def test_run_on_s3(tmp_path, outside, bucket):
    """A local WACZ is copied into the run as a whole, once."""
    path = waczs.write(tmp_path / 'x.wacz', ARCHIVES)
    done = discover(path, '-o', f'{bucket}/run', '--threshold', 2, '-q')
    assert (done.code, done.err) == (0, '')
    [copy] = storage.list_entries(f'{bucket}/run/_inputs')
    assert copy.size == path.stat().st_size
    record = read_record(f'{bucket}/run')
    assert record.paths == {
        f'{path}/{name}': f'{copy.name}/{name}' for name in ARCHIVES
    }
    labels = storage.read_text(f'{bucket}/run/labels.tsv')
    assert labels.encode() == outside['labels.tsv']


def test_on_hdfs(tmp_path, outside, monkeypatch):
    with webhdfs.serving() as files:
        files.write('/x.wacz', waczs.pack(ARCHIVES, DEFLATED))
        monkeypatch.setenv(hdfs.ADDRESSES, f'nn={files.name_node.url}')
        chain('hdfs://nn/x.wacz', out=tmp_path / 'run')
        assert tables(tmp_path / 'run') == outside


@pytest.fixture
def site():
    with webserver.serving() as made:
        yield made


def test_on_the_web(tmp_path, outside, site):
    """Only ranges are requested, and none is longer than an archive."""
    others = {'screenshots/large.bin': bytes(5_000_000)}
    with_others = waczs.pack({**ARCHIVES, **others}, resources=[])
    site.pages['/x.wacz'] = Page(with_others, breaks=[10**9, 100, 10**9, 30])
    url = f'{site.url}/x.wacz?key=1'
    chain(url, out=tmp_path / 'run')
    assert tables(tmp_path / 'run') == outside
    record = read_record(tmp_path / 'run')
    assert record.inputs == [f'{url}/{name}' for name in ARCHIVES]
    assert site.sent < 1_500_000
    for place in filter(None, site.ranges()):
        first, last = place.removeprefix('bytes=').split('-')
        assert int(last) - int(first) < 300_000
    done = run('show', tmp_path / 'run', f'{url}/{SECOND}:0')
    assert done.code == 0 and 'b.org 0 own' in done.out


def test_web_server_without_sizes(tmp_path, site):
    site.pages['/x.wacz'] = Page(waczs.pack(ARCHIVES), ranges=False, length=False)
    done = discover(f'{site.url}/x.wacz', '-o', tmp_path / 'run')
    assert done.code == 3 and 'ZIP that was read without its directory' in done.err


def test_changed_while_it_is_read(tmp_path):
    path = waczs.write(tmp_path / 'x.wacz', ARCHIVES)
    file = PackageFile(storage.status(str(path)), DISK)
    assert file.read(0, 4) == b'PK\3\4'
    path.write_bytes(path.read_bytes() + b'x')
    with pytest.raises(OSError, match='changed while it was read'):
        file.read(0, 4)


def test_collection(tmp_path):
    """A list of WACZ files as JSON is named for what it is."""
    path = tmp_path / 'all.json'
    resources = [{'name': 'x.wacz', 'path': 'x.wacz', 'hash': '', 'bytes': 1}]
    path.write_text(
        json.dumps({'profile': 'multi-wacz-package', 'resources': resources})
    )
    done = discover(path, '-o', tmp_path / 'run')
    assert done.code == 1
    assert done.err == (
        f'error: {path}: a collection of WACZ files; name the files themselves\n'
    )
