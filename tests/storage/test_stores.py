"""Files on servers: exact bytes over bad connections, and errors that say what is."""

import errno
import glob
import gzip
import io
import json
import os
import random
import socket
import ssl
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
import webhdfs
from botocore import UNSIGNED
from botocore.loaders import create_loader
from certificates import certificate
from commands import run
from crawls import write_warc
from handmade import write_run
from moto.core import DEFAULT_ACCOUNT_ID
from moto.s3.models import s3_backends
from moto.server import ThreadedMotoServer
from s3server import SETTINGS
from webserver import Handler, Page, serving

from mr_reuse import storage
from mr_reuse.archives import reader
from mr_reuse.archives import sources as archive_sources
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UserError
from mr_reuse.pages import input_status, inputs
from mr_reuse.storage import base, hdfs, s3, s3_client
from mr_reuse.storage.base import Entry, Unreachable
from mr_reuse.storage.s3 import S3Store
from mr_reuse.storage.web import WebStore
from mr_reuse.storage.web import client as web_client

LOADER = create_loader()
DATA = random.Random(5).randbytes(3_000_000)
ODD = ['a b', 'c#d', '50%', '%41', 'e+f', 'ü/☃', 'q?x=1', "it's", 'z&<']


@pytest.fixture(autouse=True)
def slept(monkeypatch):
    """The pauses that would have been made."""
    pauses = []
    monkeypatch.setattr(time, 'sleep', pauses.append)
    return pauses


@pytest.fixture(autouse=True)
def apart(monkeypatch):
    """Nothing of the user's own settings."""
    for name in [n for n in os.environ if n.startswith('AWS_')]:
        monkeypatch.delenv(name)
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    # The description of S3 takes long to read, and is the same for all clients.
    monkeypatch.setattr('botocore.session.create_loader', lambda path: LOADER)
    web_client.forbidden.clear()
    kept = s3_client._client, web_client._pool, hdfs._store_of
    yield
    for made in kept:
        made.cache_clear()


@pytest.fixture
def site():
    with serving() as made:
        yield made


@pytest.fixture(params=['web', 's3'])
def served(request, site, monkeypatch):
    """A store, and the name of the page that the site has as /b/f."""
    monkeypatch.setenv('AWS_ENDPOINT_URL', site.url)
    if request.param == 'web':
        return WebStore(), f'{site.url}/b/f'
    return S3Store(), 's3://b/f'


@pytest.fixture(scope='module')
def moto():
    """A server that is as S3, and a client of it, which takes long to make."""
    server = ThreadedMotoServer('127.0.0.1', 0, verbose=False)
    server.start()
    # S3 looks whether there is a file and writes it in one step; moto in two.
    turn, whole = threading.Lock(), server._server.app

    def in_turn(*args):
        with turn:
            return whole(*args)

    server._server.app = in_turn
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(
            'AWS_ENDPOINT_URL', 'http://{}:{}'.format(*server._server.server_address)
        )
        patch.setenv('AWS_ACCESS_KEY_ID', 'key')
        patch.setenv('AWS_SECRET_ACCESS_KEY', 'secret')
        client = s3_client._client.__wrapped__(0)
    yield client
    server.stop()


@pytest.fixture
def bucket(moto, monkeypatch):
    """The name of an empty bucket."""
    monkeypatch.setattr(s3_client, '_client', lambda process: moto)
    name = f'b{uuid.uuid4().hex}'
    moto.create_bucket(Bucket=name)
    return f's3://{name}'


def write(top, *keys, data=b'data'):
    """Files in a bucket; many are soon there without requests."""
    backend = s3_backends[DEFAULT_ACCOUNT_ID]['aws']
    for key in keys:
        backend.put_object(s3.split_name(top).bucket, key, data)


def names(entries):
    return [(e.name, e.is_dir) for e in entries]


def refused(code, status):
    """An error as S3 tells it."""
    body = f'<Error><Code>{code}</Code><Message>Why</Message></Error>'
    return status, {'x-amz-bucket-region': 'eu-west-1'}, body.encode()


# Streams, from any server


def test_bytes_are_exact_over_broken_connections(site, served):
    store, name = served
    site.pages['/b/f'] = Page(DATA, breaks=[700_000] * 9)
    with store.open_read(name) as stream:
        assert stream.read() == DATA
    assert site.ranges() == [None, *(f'bytes={n * 700_000}-' for n in range(1, 5))]


def test_from_the_middle_over_broken_connections(site, served):
    store, name = served
    site.pages['/b/f'] = Page(DATA, breaks=[999] * 3)
    with store.open_read(name, 1_000_000) as stream:
        assert stream.tell() == 1_000_000
        assert stream.read() == DATA[1_000_000:]
    asked = [f'bytes={n}-' for n in (1_000_000, 1_000_999, 1_001_998, 1_002_997)]
    asked[0] += str(1_000_000 + base.FIRST_RANGE - 1)
    assert site.ranges() == asked


@pytest.mark.parametrize('breaks', [[], [2_000_000, 2_500_000]])
def test_server_that_knows_no_ranges(site, served, breaks):
    store, name = served
    site.pages['/b/f'] = Page(DATA, ranges=False, breaks=breaks)
    with store.open_read(name, 1_500_000) as stream:
        assert stream.read() == DATA[1_500_000:]


def test_silence_ends(site, served, monkeypatch):
    """A connection that stays open and sends nothing more is broken too."""
    store, name = served
    monkeypatch.setattr(web_client, 'TIMEOUT', 0.2)
    monkeypatch.setattr(s3_client, 'TIMEOUT', 0.2)
    site.pages['/b/f'] = Page(DATA, breaks=[500_000, 100_000], stalls=True)
    with store.open_read(name) as stream:
        assert stream.read() == DATA
    assert len(site.ranges()) == 3


def test_never_further(site, served, slept):
    store, name = served
    site.pages['/b/f'] = Page(DATA, breaks=[1000, *[0] * 99])
    with store.open_read(name) as stream:
        assert stream.read1(1000) == DATA[:1000]
        with pytest.raises(Unreachable, match=f'^{name}: broke off at byte 1,000: '):
            stream.read()
    assert len(site.asked) == base.TRIES
    assert len(slept) == base.TRIES - 1


def test_seek(site, served, monkeypatch):
    """What is near is read, what is far or behind is asked for."""
    store, name = served
    monkeypatch.setattr(base.Store, 'max_skip', 500_000)
    site.pages['/b/f'] = Page(DATA)
    with store.open_read(name) as stream:
        for place, asked in [
            (10, 1),
            (300_000, 1),
            (2_000_000, 2),
            (2_000_100, 2),
            (5, 3),
            (len(DATA), 4),
            (len(DATA) + 9, 4),
        ]:
            assert stream.seek(place) == stream.tell() == place
            assert stream.read(20) == DATA[place : place + 20]
            assert len(site.asked) <= asked
    begun = [f'bytes={n}-{n + base.FIRST_RANGE - 1}' for n in (2_000_000, 5)]
    assert site.ranges()[:3] == [None, *begun]


def test_few_bytes_first():
    """Then all the others, be it told or not how many there are."""
    for size in (len(DATA), None):
        asked = []

        def ask(at, few, asked=asked, size=size):
            asked.append((at, few))
            return io.BytesIO(DATA[at : at + few] if few else DATA[at:]), size

        assert base.Ranged('f', ask, 5).read() == DATA[5:]
        assert asked == [(5, base.FIRST_RANGE), (5 + base.FIRST_RANGE, 0)]


@pytest.mark.parametrize('where', ['web', 's3', 'hdfs'])
def test_show_fetches_one_record(site, monkeypatch, tmp_path, where):
    """Out of a large archive a server is asked for a megabyte, and sends no more."""
    texts = [random.Random(n).randbytes(20_000).hex().encode() for n in range(300)]
    pages = write_warc(
        tmp_path / 'f', [(f'http://a.org/{n}', b'<p>' + t) for n, t in enumerate(texts)]
    )
    data = (tmp_path / 'f').read_bytes()
    assert len(data) > 6 << 20
    with webhdfs.serving() as files:
        site.pages['/b/f'] = Page(data)
        files.write('/f', data)
        monkeypatch.setenv('AWS_ENDPOINT_URL', site.url)
        monkeypatch.setenv(hdfs.ADDRESSES, f'nn={files.name_node.url}')
        name = {'web': f'{site.url}/b/f', 's3': 's3://b/f', 'hdfs': 'hdfs://nn/f'}[
            where
        ]
        line = ['-r', 'inline', '--threshold=0', '-q', '-o', tmp_path / 'run']
        assert run('discover', name, *line) == (0, '', '')
        servers = [site, *files.data_nodes]
        before = sum(server.sent for server in servers)
        shown = run('show', tmp_path / 'run', f'{name}:{pages[150].offset}', '-q')
        assert shown == (0, f'<p>{texts[150].decode()}', '')
        assert sum(server.sent for server in servers) - before <= 1 << 20


def test_other_ways_to_read(site, served):
    store, name = served
    text = b''.join(b'line %d\n' % n for n in range(50_000))
    site.pages['/b/f'] = Page(text, breaks=[100_000] * 3)
    with store.open_read(name) as stream:
        assert stream.peek(4)[:4] == b'line'
        assert stream.readline() == b'line 0\n'
        assert b''.join(stream) == text[7:]
    packed = gzip.compress(DATA[:200_000], 1) + gzip.compress(text, 1)
    site.pages['/b/f'] = Page(packed, breaks=[70_000] * 3)
    with store.open_read(name) as stream, gzip.open(stream) as unpacked:
        assert unpacked.read() == DATA[:200_000] + text


def test_at_and_behind_the_end(site, served):
    store, name = served
    site.pages['/b/f'] = Page(b'12345')
    for place in (5, 99):
        with store.open_read(name, place) as stream:
            assert stream.read() == b''
        answer, size = store.open_range(name, place)
        assert (answer.read(9), size) == (b'', 5)
    site.pages['/b/f'] = Page(b'')
    with store.open_read(name) as stream:
        assert stream.read() == b''
    assert store.status(name).size == 0


@pytest.mark.parametrize(
    'then',
    [
        Page(DATA, headers={'ETag': '"two"'}),
        Page(DATA[:-1], headers={'ETag': '"two"'}),
        Page(DATA[:5], headers={'ETag': '"two"'}),
    ],
)
def test_changed_while_it_was_read(site, served, then):
    """Bytes of two versions are never mixed."""
    store, name = served
    site.pages['/b/f'] = Page(DATA, breaks=[100_000], then=then)
    with store.open_read(name) as stream, pytest.raises(OSError) as told:
        stream.read()
    assert told.value.errno == errno.EIO
    assert told.value.strerror == 'changed while it was read'
    assert len(site.asked) < 4


def test_gone_while_it_was_read(site, served):
    store, name = served
    site.pages['/b/f'] = Page(DATA, breaks=[100_000], then=Page(answers=[(404,)]))
    with store.open_read(name) as stream, pytest.raises(FileNotFoundError):
        stream.read()
    assert len(site.asked) < 4


def test_server_that_is_busy_for_a_while(site, served, slept):
    store, name = served
    site.pages['/b/f'] = Page(DATA, answers=[refused('SlowDown', 503)] * 2)
    with store.open_read(name) as stream:
        assert stream.read() == DATA
    assert len(site.asked) == 3
    assert slept


def test_server_that_stays_busy(site, served):
    store, name = served
    site.pages['/b/f'] = Page(DATA, answers=[refused('SlowDown', 503)] * 99)
    with pytest.raises(Unreachable, match=f'^{name}: .*(busy|SlowDown)'):
        store.open_read(name)
    assert 5 < len(site.asked) < 12


def test_nobody_there(served, monkeypatch):
    store, name = served
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        nowhere = f'http://127.0.0.1:{free.getsockname()[1]}'
    monkeypatch.setenv('AWS_ENDPOINT_URL', nowhere)
    name = name if name.startswith('s3') else f'{nowhere}/f'
    for do in (store.open_read, store.status):
        with pytest.raises(Unreachable, match=f'^{name}: [^\n]+$'):
            do(name)


def test_fork_has_connections_of_its_own(monkeypatch):
    before = s3_client.client(), web_client._pool(os.getpid())
    assert before == (s3_client.client(), web_client._pool(os.getpid()))
    monkeypatch.setattr(os, 'getpid', lambda: -1)
    assert s3_client.client() is not before[0]
    assert web_client._pool(os.getpid()) is not before[1]


def test_connections_are_used_again(served, site, caplog):
    """As many are kept as there are requests at a time."""
    store, name = served
    turn, whole = threading.Barrier(base.MAX_REQUESTS), Handler.do_HEAD

    def together(handler):
        turn.wait(60)
        whole(handler)
        handler.close_connection = False

    site.pages['/b/f'] = Page(b'data', headers={'Connection': 'keep-alive'})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Handler, 'do_HEAD', together)
        storage.map_names(store.status, [name] * base.MAX_REQUESTS)
    assert 'Connection pool is full' not in caplog.text
    assert len(site.asked) == base.MAX_REQUESTS
    assert s3_client._client.cache_info().misses < 2


# The web


def test_status_of_a_page(site):
    store, name = WebStore(), f'{site.url}/f'
    assert store.status(name) is None
    site.pages['/f'] = Page(DATA)
    assert store.status(name) == Entry(name, False, len(DATA), f'{len(DATA)} "one"')
    for status in (403, 405, 501):
        site.pages['/f'] = Page(DATA, head=status)
        assert store.status(name).size == len(DATA)
    site.pages['/f'] = Page(DATA, head=405, ranges=False)
    assert store.status(name).size == len(DATA)
    site.pages['/f'] = Page(answers=[(410,)])
    assert store.status(name) is None


def test_each_input_is_asked_for_once(site):
    """What was told when an input was looked for is not asked for again."""
    names = [f'{site.url}/{number}.warc.gz' for number in range(9)]
    site.pages.update({f'/{number}.warc.gz': Page(DATA) for number in range(9)})
    sources, _ = inputs.find_sources(names)
    assert len(site.asked) == 9
    assert input_status.read_stamps(sources) == [f'{len(DATA)} "one"'] * 9
    assert len(site.asked) == 9


def test_page_of_unknown_length(site):
    store, name = WebStore(), f'{site.url}/f'
    site.pages['/f'] = Page(DATA, length=False, ranges=False)
    assert store.status(name).size == -1
    with store.open_read(name, 1_000) as stream:
        assert stream.read() == DATA[1_000:]


@pytest.mark.parametrize(
    ('status', 'kind', 'why'),
    [
        (404, FileNotFoundError, 'no such page (404)'),
        (410, FileNotFoundError, 'no such page (410)'),
        (401, PermissionError, 'no right to read (401)'),
        (403, PermissionError, 'no right to read (403)'),
        (418, OSError, 'the server answered with status 418'),
        (500, OSError, 'the server answered with status 500'),
    ],
)
def test_web_refusals(site, status, kind, why):
    site.pages['/f'] = Page(answers=[(status,)] * 99)
    with pytest.raises(kind) as told:
        WebStore().open_read(f'{site.url}/f')
    assert type(told.value) is kind
    assert (told.value.strerror, told.value.filename) == (why, f'{site.url}/f')
    if status not in (404, 410):
        with pytest.raises(kind):
            WebStore().status(f'{site.url}/f')


def test_retry_after(site, slept):
    answers = [(503, {'Retry-After': '7'}), (429, {'Retry-After': '86400'})]
    site.pages['/f'] = Page(DATA, answers=answers)
    assert WebStore().open_read(f'{site.url}/f').read() == DATA
    assert slept == [7, web_client.PATIENCE]


def test_forbidden_for_a_while(site, slept):
    """CDNs answer 403 to who asks too often, as Common Crawl's does."""
    site.pages['/f'] = Page(DATA, answers=[(403,)] * 5, head=403)
    assert WebStore().status(f'{site.url}/f').size == len(DATA)
    assert len(slept) == 4 and 15 <= sum(slept) < 60  # HEAD took one of the answers
    site.pages['/f'].answers = [(403,)] * 5
    assert WebStore().open_read(f'{site.url}/f').read() == DATA
    assert len(slept) == 9


def test_forbidden_for_ever(site, slept):
    """A list of what nobody may read does not take a minute for each of its names."""
    site.pages['/open'] = Page(DATA)
    for number in range(100):
        site.pages[f'/{number}'] = Page(answers=[(403,)] * 99)
        with pytest.raises(PermissionError, match='403'):
            WebStore().open_read(f'{site.url}/{number}')
        assert WebStore().open_read(f'{site.url}/open').read() == DATA
    assert 100 < sum(slept) < 600


@pytest.mark.parametrize(
    ('before', 'after', 'data'),
    [
        ({}, {}, DATA + b'more'),
        ({'Last-Modified': 'Monday'}, {'Last-Modified': 'Tuesday'}, DATA),
    ],
)
def test_changed_page_without_a_tag(site, before, after, data):
    then = Page(data, headers=after)
    site.pages['/f'] = Page(DATA, headers=before, breaks=[9], then=then)
    stream = WebStore().open_read(f'{site.url}/f')
    with stream, pytest.raises(OSError, match='changed while it was read'):
        stream.read()


def test_pages_are_not_unpacked(site):
    packed = gzip.compress(DATA)
    site.pages['/f'] = Page(packed, headers={'Content-Encoding': 'gzip'})
    assert WebStore().open_read(f'{site.url}/f').read() == packed


def test_redirects_keep_the_range(site):
    site.pages['/old'] = Page(answers=[(302, {'Location': '/new'})])
    site.pages['/new'] = Page(b'one two')
    assert WebStore().open_read(f'{site.url}/old', 4).read() == b'two'
    assert site.ranges() == [f'bytes=4-{base.FIRST_RANGE + 3}'] * 2


def test_names_of_pages(site):
    site.pages["/a b/ü+%'"] = Page(b'page')
    name = f"{site.url}/a b/ü+%25'#part"
    assert WebStore().open_read(name).read() == b'page'
    assert WebStore().canonical_name(name) == name.removesuffix('#part')


def test_another_part_than_was_asked_for(site):
    site.pages['/f'] = Page(answers=[(206, {'Content-Range': 'bytes 9-9/99'}, b'x')])
    with pytest.raises(OSError, match='a wrong part'):
        WebStore().open_read(f'{site.url}/f', 4)


def test_web_is_read_only():
    store, name = WebStore(), 'http://a.org/f'
    for do in (
        lambda: store.put('f', name),
        lambda: store.create(name, b''),
        lambda: store.make_dir(name),
        lambda: store.remove(name),
    ):
        with pytest.raises(UserError, match='^http://a.org/f: .* cannot be written to'):
            do()
    assert store.list_entries(name) == list(store.walk_files(name)) == []


@pytest.mark.parametrize('who', ['ann:secret@', 'ann@', ':secret@', 'a%40b:secret@'])
def test_passwords_are_refused(site, tmp_path, who):
    """A name stands in tables and reports, which are for others; what is in it too."""
    site.pages['/a.warc.gz'] = Page(DATA)
    base = f'http://{who}127.0.0.1:{site.server_port}'
    (tmp_path / 'list').write_text('a.warc.gz\n')
    for asked in (
        [f'{base}/a.warc.gz'],
        [tmp_path / 'list', '--base-url', base],
        [tmp_path / 'list', '--base-url', base, '--dry-run'],
    ):
        code, out, err = run('discover', *asked, '-o', tmp_path / 'run')
        assert (code, out) == (1, '')
        assert 'secret' not in err and 'ann' not in err
        assert err == (
            f'error: http://127.0.0.1:{site.server_port}/a.warc.gz: the URL has a user '
            'or a password, which would appear in every table; download the file, and '
            'name the copy\n'
        )
    assert not site.asked and not (tmp_path / 'run').exists()
    with pytest.raises(UserError, match='download the file'):
        storage.open_read(f'{base}/a.warc.gz')


@pytest.mark.parametrize('name', ['http://', 'http:///a', 'http://[a/', 'http://a:x/'])
def test_no_address(name):
    with pytest.raises(UserError, match='not a valid URL'):
        WebStore().status(name)


def test_unknown_host(monkeypatch):
    def nothing(*args, **kwargs):
        raise socket.gaierror(socket.EAI_NONAME, 'Name or service not known')

    monkeypatch.setattr(socket, 'getaddrinfo', nothing)
    with pytest.raises(Unreachable) as told:
        WebStore().status('https://no.such.host/f')
    assert str(told.value) == 'https://no.such.host/f: Name or service not known'


def test_certificates_are_checked(site, tmp_path):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path / 'pem'))
    site.socket = context.wrap_socket(site.socket, server_side=True)
    with pytest.raises(Unreachable, match=': the certificate is not trusted: self'):
        WebStore().status(f'https://127.0.0.1:{site.server_port}/f')
    assert not site.asked


# S3


def test_folders(bucket):
    store = S3Store()
    write(bucket, 'f/', 'f/b', 'f/a.x', 'f/a/1', 'f/a/2/3', 'f/empty/', 'fb', 'top')
    assert names(store.list_entries(bucket)) == [
        (f'{bucket}/f', True),
        (f'{bucket}/fb', False),
        (f'{bucket}/top', False),
    ]
    inside = [('a', True), ('a.x', False), ('b', False), ('empty', True)]
    inside = [(f'{bucket}/f/{name}', is_dir) for name, is_dir in inside]
    # What stands for a folder has no bytes in it.
    write(bucket, 'f/', 'f/empty/', data=b'')
    assert names(store.list_entries(f'{bucket}/f')) == inside
    assert names(store.list_entries(f'{bucket}/f/')) == inside
    assert [e.name for e in store.walk_files(f'{bucket}/f')] == [
        f'{bucket}/f/{name}' for name in ('a.x', 'a/1', 'a/2/3', 'b')
    ]
    assert (
        store.list_entries(f'{bucket}/none')
        == list(store.walk_files(f'{bucket}/none'))
        == []
    )


def test_marks_of_folders(bucket):
    """EMR's own file system leaves files beside folders, without bytes in them."""
    store, run = S3Store(), f'{bucket}/RUN'
    write(
        bucket,
        'RUN_$folder$',
        'RUN/01-pages_$folder$',
        'RUN/01-pages/a_$folder$',
        data=b'',
    )
    write(bucket, 'RUN/01-pages/a/part-00000', 'RUN/inputs.txt', 'RUN/mine_$folder$')
    assert names(store.list_entries(bucket)) == [(run, True)]
    assert names(store.list_entries(run)) == [
        (f'{run}/01-pages', True),
        (f'{run}/inputs.txt', False),
        (f'{run}/mine_$folder$', False),  # with bytes it is a file
    ]
    assert names(store.list_entries(f'{run}/01-pages')) == [(f'{run}/01-pages/a', True)]
    assert len(list(store.walk_files(run))) == 3
    write(bucket, 'other/01-pages_$folder$', 'other/inputs.txt', data=b'')
    with RunDir(f'{bucket}/other'):  # nothing foreign is in it
        store.remove(f'{bucket}/other/01-pages')
    left = [
        o['Key']
        for p in s3.list_pages(s3.split_name(f'{bucket}/other'))
        for o in p['Contents']
    ]
    assert left == ['other/inputs.txt']


def test_status_of_objects(bucket):
    store = S3Store()
    assert store.status(bucket) == Entry(bucket, True)
    write(bucket, 'a/f')
    found = store.status(f'{bucket}/a/f')
    assert found == store.list_entries(f'{bucket}/a')[0]
    assert (found.is_dir, found.size) == (False, 4)
    assert store.status(f'{bucket}/a') == Entry(f'{bucket}/a', True)
    assert store.status(f'{bucket}/a/') == Entry(f'{bucket}/a/', True)
    assert store.status(f'{bucket}/a/none') is None
    write(bucket, 'a/f', data=b'atad')
    assert store.status(f'{bucket}/a/f').stamp != found.stamp


def test_both_file_and_folder(bucket):
    store, name = S3Store(), f'{bucket}/a'
    write(bucket, 'a', 'a/b')
    assert not store.status(name).is_dir
    assert names(store.list_entries(bucket)) == [(name, False), (name, True)]
    assert names(store.list_entries(name)) == [(f'{name}/b', False)]
    assert [e.name for e in store.walk_files(bucket)] == [name, f'{name}/b']
    assert store.open_read(name).read() == b'data'
    store.remove(name)
    assert not store.list_entries(bucket)


def test_empty_parts_of_names(bucket):
    """A walk over odd keys comes to an end, and to all of them."""
    write(bucket, '/x', 'a//b', 'a/c')
    found = list(super(S3Store, S3Store()).walk_files(bucket))
    assert {e.name for e in found} == {f'{bucket}/{k}' for k in ('/x', 'a//b', 'a/c')}


@pytest.mark.parametrize('scheme', ['s3', 's3a', 's3n'])
def test_names_of_objects(bucket, tmp_path, scheme):
    store, top = S3Store(), bucket.replace('s3', scheme) + '/odd'
    (tmp_path / 'f').write_bytes(b'x')
    for name in ODD:
        store.put(str(tmp_path / 'f'), f'{top}/{name}')
        assert store.status(f'{top}/{name}').name == f'{top}/{name}'
        assert store.open_read(f'{top}/{name}').read() == b'x'
    assert [e.name for e in store.walk_files(top)] == sorted(f'{top}/{n}' for n in ODD)
    assert f'{top}/ü' in [e.name for e in store.list_entries(top)]
    store.remove(top)
    assert store.status(top) is None


@pytest.mark.parametrize(
    'pattern',
    """c/**/*.gz  c/**/x.gz  **/x.gz  c/**/  */**/e/*  c/**/d/**/*.gz  **/**/y.gz
    c/*/  c/*.gz  c/d/*  c/.*  c/*  **/.h/*  c/**/.x.gz  c/d/[xy].gz  **/d  c/x.gz
    c/d*/**/*  **/none  none/**/x  c/x.gz/**/x  c/**/e/f/**/x.gz  c/?/e/*/*  c/**z/x.gz
    """.split(),
)
def test_globs(bucket, tmp_path, pattern):
    """What a glob stands for is the same as on a disk, as Python's own glob has it."""
    keys = """c/x.gz c/y.html c/.x.gz c/.h/x.gz c/d/x.gz c/d/.x.gz c/d/e/x.gz c/d/e/y.gz
        c/d/e/f/g/x.gz c/d2/e/z.gz other/d/x.gz x.gz""".split()
    for key in keys:
        (tmp_path / key).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / key).touch()
    write(bucket, *keys)
    found = [e.name.removeprefix(bucket) for e in storage.find(f'{bucket}/{pattern}')]
    expected = glob.glob(pattern, root_dir=tmp_path, recursive=True)
    assert [n.strip('/') for n in found] == sorted({n.rstrip('/') for n in expected})


def test_all_below(bucket, tmp_path):
    """Two stars at the end are the folder: all in it, each once, under its own URL."""
    write_warc(tmp_path / 'a.warc', [('http://a.org/', b'<p>one')])
    for key in ('c/d/a.warc', 'c/d/e.html', 'c/f/e.html'):
        path = tmp_path / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((tmp_path / 'a.warc').read_bytes() if '.w' in key else b'<p>')
        write(bucket, key, data=path.read_bytes())
    for top in (bucket, tmp_path):
        for pattern in ('c/**', '*/**'):
            found, again = inputs.find_sources([f'{top}/{pattern}'])
            assert not again
            assert [(s.name, s.url) for s in found] == [
                (f'{top}/c/d/a.warc', ''),
                (f'{top}/c/d/e.html', 'c/d/e.html'),
                (f'{top}/c/f/e.html', 'c/f/e.html'),
            ]


def test_put(bucket, tmp_path):
    store, name = S3Store(), f'{bucket}/large'
    for data in (DATA * 4, b'', DATA):  # the first in several parts
        (tmp_path / 'f').write_bytes(data)
        store.put(str(tmp_path / 'f'), name)
        assert store.open_read(name).read() == data
    assert store.open_read(name, 2_999_990).read() == DATA[-10:]
    with pytest.raises(FileNotFoundError):
        store.put(str(tmp_path / 'none'), name)


def test_rename_of_a_folder(bucket):
    """It takes the place of another; names that begin alike are others."""
    top = bucket
    write(top, 'old/b', 'old/a', data=b'new')
    write(top, 'new/c', 'old.half/d', 'older')
    storage.rename(f'{top}/old', f'{top}/new')
    found = {entry.name.removeprefix(f'{top}/') for entry in storage.walk_files(top)}
    assert found == {'new/a', 'new/b', 'old.half/d', 'older'}
    assert storage.read_text(f'{top}/new/b') == 'new'


def test_create_is_exclusive(bucket):
    store = S3Store()
    for number in range(10):
        name, start = f'{bucket}/{number}', threading.Barrier(2)

        def create(data, name=name, start=start):
            start.wait(9)
            return store.create(name, data)

        with ThreadPoolExecutor(2) as pool:
            made = list(pool.map(create, [b'one', b'two']))
        assert sorted(made) == [False, True]
        assert store.open_read(name).read() == (b'one' if made[0] else b'two')
        assert not store.create(name, b'three')


def test_create_whose_answer_was_lost(bucket, monkeypatch):
    """What the first of two equal requests made is ours."""
    client = s3_client.client()
    once = client.put_object
    monkeypatch.setattr(client, 'put_object', lambda **kw: (once(**kw), once(**kw)))
    assert S3Store().create(f'{bucket}/f', b'ours')
    assert not S3Store().create(f'{bucket}/f', b'ours')


def test_create_at_the_same_time(site, monkeypatch):
    monkeypatch.setenv('AWS_ENDPOINT_URL', site.url)
    site.pages['/b/f'] = Page(answers=[refused('ConditionalRequestConflict', 409)])
    assert not S3Store().create('s3://b/f', b'ours')


def test_remove_all_below(bucket):
    store = S3Store()
    write(bucket, *(f'run/{n}' for n in range(1010)), 'run/', 'run', 'running', 'a')
    store.remove(f'{bucket}/run')
    store.remove(f'{bucket}/run')
    assert [e.name for e in store.walk_files(bucket)] == [
        f'{bucket}/a',
        f'{bucket}/running',
    ]
    with pytest.raises(UserError, match='a bucket, which is never removed'):
        store.remove(f'{bucket}/')


def test_what_cannot_be_removed(bucket, monkeypatch):
    errors = [{'Key': 'f', 'Code': 'AccessDenied', 'Message': 'No'}]
    monkeypatch.setattr(
        s3_client.client(), 'delete_objects', lambda **kw: {'Errors': errors}
    )
    with pytest.raises(PermissionError) as told:
        S3Store().remove(f'{bucket}/f')
    assert told.value.filename == f'{bucket}/f'
    errors[0]['Code'] = 'Odd'
    with pytest.raises(UserError, match=f'^{bucket}/f: Odd: No$'):
        S3Store().remove(f'{bucket}/f')


def test_removing_when_busy(bucket, monkeypatch, slept):
    """Of a thousand files S3 may leave some for another time."""
    write(bucket, 'run/a', 'run/b', 'run/c')
    asked, delete, late = (
        [],
        s3_client.client().delete_objects,
        {'run/b': 2, 'run/c': 1},
    )

    def tries(key):
        return sum(key in keys for keys in asked[:-1])

    def busy(Bucket, Delete):
        asked.append([one['Key'] for one in Delete['Objects']])
        left = [key for key in asked[-1] if late.get(key, 0) > tries(key)]
        if done := [{'Key': key} for key in asked[-1] if key not in left]:
            delete(Bucket=Bucket, Delete={'Objects': done})
        codes = ('SlowDown', 'InternalError')
        return {
            'Errors': [{'Key': k, 'Code': c} for k, c in zip(left, codes, strict=False)]
        }

    monkeypatch.setattr(s3_client.client(), 'delete_objects', busy)
    S3Store().remove(f'{bucket}/run')
    assert not S3Store().list_entries(bucket)
    assert asked[1:] == [['run/a', 'run/b', 'run/c'], ['run/b', 'run/c'], ['run/b']]
    assert slept == sorted(slept) and len(slept) == 2
    write(bucket, 'run/b')
    late['run/b'] = 999
    with pytest.raises(Unreachable, match=f'^{bucket}/run/b: .*SlowDown'):
        S3Store().remove(f'{bucket}/run')
    assert len(asked) < 20


def test_no_such_bucket(bucket, tmp_path):
    (tmp_path / 'f').touch()
    for do in (
        lambda s: s.status('s3://nowhere/f'),
        lambda s: s.status('s3://nowhere'),
        lambda s: s.list_entries('s3://nowhere/f'),
        lambda s: list(s.walk_files('s3://nowhere/f')),
        lambda s: s.open_read('s3://nowhere/f'),
        lambda s: s.put(str(tmp_path / 'f'), 's3://nowhere/f'),
        lambda s: s.create('s3://nowhere/f', b''),
        lambda s: s.make_dir('s3://nowhere/f'),
        lambda s: s.remove('s3://nowhere/f'),
    ):
        with pytest.raises(UserError) as told:
            do(S3Store())
        assert str(told.value) == 's3://nowhere: no such bucket'
    S3Store().make_dir(f'{bucket}/a/b')
    for name in (bucket, f'{bucket}/'):
        with pytest.raises(UserError, match='a bucket, not a file'):
            S3Store().open_read(name)
    for name in ('s3://', 's3:///f'):
        with pytest.raises(UserError, match='no bucket is named'):
            S3Store().status(name)


def test_no_such_object(bucket):
    with pytest.raises(FileNotFoundError) as told:
        S3Store().open_read(f'{bucket}/none')
    assert told.value.errno == errno.ENOENT
    assert told.value.strerror == 'no such object'
    assert told.value.filename == f'{bucket}/none'


@pytest.mark.parametrize(
    ('answer', 'kind', 'why'),
    [
        (('AccessDenied', 403), PermissionError, 'no right to read or write (403)'),
        (('InvalidAccessKeyId', 403), UserError, 'credentials are wrong or expired'),
        (('SignatureDoesNotMatch', 403), UserError, 'credentials are wrong or expired'),
        (('ExpiredToken', 400), UserError, 'credentials are wrong or expired'),
        (('RequestTimeTooSkewed', 403), UserError, 'RequestTimeTooSkewed: Why'),
        (('PermanentRedirect', 301), UserError, 'in another region; set AWS_'),
        (('InvalidObjectState', 409), UserError, 'InvalidObjectState: Why'),
    ],
)
def test_refusals(site, monkeypatch, answer, kind, why):
    """HEAD is refused without a word; what it means is found out all the same."""
    monkeypatch.setenv('AWS_ENDPOINT_URL', site.url)
    for path in ('/b/f', '/b', '/b/'):
        site.pages[path] = Page(answers=[refused(*answer)] * 99)
    store, name = S3Store(), 's3://b/f'
    calls = [lambda: store.open_read(name), lambda: store.list_entries(name)]
    if answer[1] in (400, 403):
        calls += [lambda: store.status(name), lambda: store.make_dir(name)]
    for do in calls:
        with pytest.raises(kind) as told:
            do()
        assert why in str(told.value)
        assert name in str(told.value)
        assert 'no AWS credentials' not in str(told.value)


@pytest.fixture
def without_keys(site, monkeypatch):
    """A machine that was given no keys, and a server that is as S3."""
    monkeypatch.setenv('AWS_ENDPOINT_URL', site.url)
    monkeypatch.delenv('AWS_ACCESS_KEY_ID')
    monkeypatch.delenv('AWS_SECRET_ACCESS_KEY')


@pytest.mark.usefixtures('without_keys')
def test_no_credentials(site):
    """Public files can be read; what is refused may be only because of the machine."""
    site.pages['/b/f'] = Page(DATA)
    assert S3Store().open_read('s3://b/f').read() == DATA
    site.pages['/b/f'] = Page(answers=[refused('AccessDenied', 403)])
    with pytest.raises(UserError, match='^s3://b/f: .*403.* has no AWS credentials'):
        S3Store().open_read('s3://b/f')


@pytest.mark.usefixtures('without_keys')
def test_no_credentials_is_no_damage(site):
    """An archive that is refused for lack of keys ends the task, and costs no pages."""
    for path in ('/b/a.warc.gz', '/b'):
        site.pages[path] = Page(answers=[refused('AccessDenied', 403)] * 9)
    name, stats = 's3://b/a.warc.gz', ArchiveStats('a')
    with pytest.raises(UserError, match='has no AWS credentials'):
        list(reader.read_source(archive_sources.Source('archive', name, name), stats))
    assert not stats.damaged


@pytest.fixture
def metadata(monkeypatch, tmp_path):
    """The service that gives keys to machines of AWS, on what seems to be one."""
    monkeypatch.setenv('AWS_EC2_METADATA_DISABLED', 'false')
    monkeypatch.setattr(s3_client, 'BIOS', f'{tmp_path}/bios_*')
    (tmp_path / 'bios_version').write_text('4.11.amazon\n')
    keys = {'AccessKeyId': 'k', 'SecretAccessKey': 's', 'Token': 't'}
    keys['Expiration'] = '2099-01-01T00:00:00Z'
    top = '/latest/meta-data/iam/security-credentials/'
    with serving() as made:
        monkeypatch.setenv('AWS_EC2_METADATA_SERVICE_ENDPOINT', made.url)
        made.pages['/latest/api/token'] = Page(b'token')
        made.pages[top] = Page(b'role')
        made.pages[f'{top}role'] = Page(json.dumps(keys).encode())
        yield made


@pytest.mark.usefixtures('without_keys')
@pytest.mark.parametrize('misses', [{'answers': [(503,)] * 3}, {'late': 1.2}])
def test_metadata_service_that_misses_a_question(metadata, misses):
    """On a machine of AWS a request is signed though an answer was lost, or late."""
    vars(list(metadata.pages.values())[-1]).update(misses)
    assert s3_client.client().meta.config.signature_version != UNSIGNED


@pytest.mark.usefixtures('without_keys')
def test_metadata_service_elsewhere(metadata, tmp_path):
    """Other machines have none, and do not wait for it longer than anybody does."""
    metadata.pages.clear()
    (tmp_path / 'bios_version').write_text('1.2\n')
    (tmp_path / 'bios_that_cannot_be_read').mkdir()
    assert s3_client.client().meta.config.signature_version is UNSIGNED
    assert len(metadata.asked) == 2  # a token, and a role


@pytest.mark.parametrize(
    ('setting', 'value', 'why'),
    [
        ('AWS_PROFILE', 'nobody', 'The config profile (nobody) could not be found'),
        ('AWS_ENDPOINT_URL', 'nowhere', 'Invalid endpoint: nowhere'),
    ],
)
def test_settings_that_are_wrong(monkeypatch, setting, value, why):
    monkeypatch.setenv(setting, value)
    with pytest.raises(UserError) as told:
        S3Store().open_read('s3://b/f')
    assert str(told.value) == f's3://b/f: {why}'


def test_checksums_do_not_change_the_bytes(bucket):
    """An answer with a sum is read as one without."""
    s3_client.client().put_object(
        Bucket=s3.split_name(bucket).bucket, Key='f', Body=DATA
    )
    answer, size = S3Store().open_range(f'{bucket}/f', 0)
    assert isinstance(answer, base.Body)
    assert size == len(DATA)
    assert (
        io.BufferedReader(base.Ranged('f', lambda *at: (answer, size))).read() == DATA
    )


def test_export_of_a_run_on_s3(bucket, tmp_path):
    """A run is read there, and copies are written there: the bytes are the same."""
    made = write_run(tmp_path / 'run')
    files = {str(p.relative_to(made)): p for p in made.rglob('*') if p.is_file()}
    for name, path in files.items():
        write(bucket, f'run/{name}', data=path.read_bytes())
    line = ['--format=csv', '-q']
    assert run('export', made, *line, '-o', tmp_path / 'here') == (0, '', '')
    assert run('export', made, *line, '-o', f'{bucket}/from-here') == (0, '', '')
    assert run('export', f'{bucket}/run', *line) == (0, '', '')
    for path in (tmp_path / 'here').iterdir():
        for folder in ('from-here', 'run'):
            with S3Store().open_read(f'{bucket}/{folder}/{path.name}') as stream:
                assert stream.read() == path.read_bytes()
    again = run('export', f'{bucket}/run', *line)
    why = 'exists; name another folder, or give --force'
    assert (again.code, again.out) == (1, '')
    assert again.err.startswith(f'error: {bucket}/run/') and why in again.err
