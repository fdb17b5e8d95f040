"""The two ways to HDFS: what they do when it fails, and what they say then."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from webhdfs import NameNode, remote, serving

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.storage import hdfs_web
from mr_reuse.storage.base import Unreachable
from mr_reuse.storage.hdfs_command import HadoopFs
from mr_reuse.storage.hdfs_web import WebHdfs

DATA = bytes(range(256)) * 8_000


class Clock:
    """Time that goes on when one sleeps only."""

    def __init__(self):
        self.now = 0.0

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(time, 'sleep', made.sleep)
    monkeypatch.setattr(time, 'monotonic', lambda: made.now)
    return made


@pytest.fixture
def stub():
    with serving() as made:
        yield made
    hdfs_web._pool.cache_clear()


@pytest.fixture
def store(stub):
    return WebHdfs('nn:9', [stub.name_node.url])


def die(stub, number=0):
    """End a DataNode; the NameNode does not know it and sends people there first."""
    stub.data_nodes[number].stop()


# A DataNode that is dead


def test_write_past_a_dead_data_node(stub, store, clock, tmp_path):
    die(stub)
    (tmp_path / 'f').write_bytes(DATA)
    store.put(str(tmp_path / 'f'), 'hdfs://nn:9/f')
    assert store.create('hdfs://nn:9/g', b'more')
    assert {path: told[0] for path, told in stub.files.items()} == {
        '/f': DATA,
        '/g': b'more',
    }
    asked = [out for op, _, out in stub.name_node.asked if op == 'CREATE']
    assert asked == [None, '127.0.0.2', '127.0.0.2']
    assert clock.now == 0


def test_read_past_a_dead_data_node(stub, store, clock):
    stub.write('/f', DATA)
    die(stub)
    with store.open_read('hdfs://nn:9/f', 7) as stream:
        assert stream.read() == DATA[7:]
    assert clock.now == 0


def test_data_node_that_dies_while_it_is_read(stub, store):
    stub.write('/f', DATA)
    stub.cuts.append(1_000_000)
    with store.open_read('hdfs://nn:9/f') as stream:
        assert stream.read(10) == DATA[:10]
        die(stub)
        assert stream.read() == DATA[10:]


@pytest.mark.parametrize('do', ['create', 'put', 'open_read'])
def test_all_data_nodes_dead(stub, store, clock, tmp_path, do):
    """The task fails, in a line, and no half of a file is left."""
    stub.write('/f', DATA)
    die(stub, 0)
    die(stub, 1)
    (tmp_path / 'f').write_bytes(DATA)
    line = {'create': (b'x',), 'put': ()}.get(do, ())
    given = (
        (str(tmp_path / 'f'), 'hdfs://nn:9/f') if do == 'put' else ('hdfs://nn:9/f',)
    )
    with pytest.raises(Unreachable, match='^hdfs://nn:9/f[^ ]*: [^\n]+$') as told:
        getattr(store, do)(*given, *line)
    assert '.half' not in str(told.value)
    assert hdfs_web.PATIENCE <= clock.now < hdfs_web.PATIENCE + 10
    assert list(stub.files) == ['/f']
    assert stub.name_node.asked[-1][0] == ('OPEN' if do == 'open_read' else 'DELETE')


def test_data_node_that_comes_back(stub, store):
    """Once none is left, those that failed are asked again."""
    stub.nodes[1:] = []
    stub.data_nodes[0].refusals += [(503, b'')] * 3
    assert store.create('hdfs://nn:9/f', b'data')


# What a server says


@pytest.mark.parametrize(
    ('status', 'kind', 'expected'),
    [
        (404, 'FileNotFoundException', FileNotFoundError),
        (403, 'AccessControlException', PermissionError),
        (403, 'NSQuotaExceededException', OSError),
        (400, 'IllegalArgumentException', UserError),
        (401, 'SecurityException', UserError),
        (405, '', UserError),
    ],
)
def test_what_does_not_mend(stub, clock, status, kind, expected):
    """It is told at once."""
    store = WebHdfs('nn:9', [stub.name_node.url])
    stub.name_node.refusals.append((status, remote(kind, 'because\n\tat org')))
    with pytest.raises(expected) as told:
        store.open_read('hdfs://nn:9/f')
    assert type(told.value) is expected
    assert 'org' not in str(told.value)
    assert clock.now == 0


def test_answer_that_breaks_off(stub, store):
    stub.write('/f', DATA)
    stub.name_node.breaks = [20]
    assert store.status('hdfs://nn:9/f').size == len(DATA)
    assert len(stub.name_node.asked) == 2


@pytest.mark.parametrize('where', ['name_node', 'data_node'])
@pytest.mark.parametrize(
    'refusal',
    [
        (403, remote('StandbyException', 'state standby')),
        (403, remote('IOException', 'Failed to find datanode')),
        (403, remote('BlockMissingException', 'Could not obtain block')),
        (403, remote('ChecksumException', 'Checksum error')),
        (500, remote('NullPointerException', 'null')),
        (500, b'<html>'),
        (503, b''),
    ],
)
def test_what_mends(stub, store, clock, where, refusal):
    """A while of it costs nothing, and a long one the task, never the file."""
    server = stub.name_node if where == 'name_node' else stub.data_nodes[0]
    stub.nodes[1:] = []
    stub.write('/f', DATA)
    server.refusals += [refusal] * 3
    with store.open_read('hdfs://nn:9/f') as stream:
        assert stream.read() == DATA
    assert clock.now < 20
    server.refusals += [refusal] * 99
    with pytest.raises(Unreachable, match='^hdfs://nn:9/f: [^\n]+$'):
        store.open_read('hdfs://nn:9/f')


# Several NameNodes


def test_name_node_that_answers_is_asked_first(stub, clock):
    """One that is gone, and one that is on standby, cost something once only."""
    stub.write('/f', DATA)
    gone, standby = NameNode('127.0.0.4', stub), NameNode('127.0.0.5', stub)
    gone.stop()
    standby.refusals += [(403, remote('StandbyException', 'state standby'))] * 99
    store = WebHdfs('ha', [gone.url, standby.url, stub.name_node.url])
    for _ in range(5):
        assert store.status('hdfs://ha/f').size == len(DATA)
    assert (len(standby.asked), clock.now) == (1, 0)
    stub.name_node.refusals.append((403, remote('StandbyException', 'state standby')))
    standby.refusals.clear()  # they have changed places
    assert store.status('hdfs://ha/f').size == len(DATA)
    assert (len(standby.asked), clock.now) == (2, 0)
    standby.stop()


def test_active_name_node_that_fails(stub):
    """What it says is told, and not that others are on standby."""
    standby = NameNode('127.0.0.5', stub)
    standby.refusals += [(403, remote('StandbyException', 'state standby'))] * 99
    stub.name_node.refusals += [(403, remote('IOException', 'no DataNode'))] * 99
    store = WebHdfs('ha', [stub.name_node.url, standby.url])
    with pytest.raises(Unreachable, match='^hdfs://ha/f: no DataNode$'):
        store.status('hdfs://ha/f')
    standby.stop()


def test_threads_have_connections_of_their_own(stub, store):
    """As many as ask at a time, and they are kept."""
    stub.write('/f', DATA)
    start = threading.Barrier(storage.MAX_REQUESTS)

    def ask(number):
        start.wait(9)
        return store.status('hdfs://nn:9/f').size

    for _ in range(5):
        with ThreadPoolExecutor(storage.MAX_REQUESTS) as pool:
            assert list(pool.map(ask, range(storage.MAX_REQUESTS))) == [len(DATA)] * 16
    assert stub.name_node.accepted <= storage.MAX_REQUESTS


# One file


def test_replaced_while_it_is_read(stub, store):
    """Bytes of two versions are never mixed, be they as many."""
    stub.write('/f', DATA)
    stub.cuts.append(1_000_000)
    with store.open_read('hdfs://nn:9/f') as stream:
        assert stream.read(10) == DATA[:10]
        stub.write('/f', DATA[::-1])
        with pytest.raises(OSError, match='changed while it was read'):
            stream.read()


@pytest.mark.parametrize('do', ['put', 'create'])
def test_rename_whose_answer_was_lost(stub, store, tmp_path, do):
    """A file is there, and it is ours."""
    (tmp_path / 'f').write_bytes(b'data')
    stub.name_node.lost = ['RENAME']
    if do == 'put':
        store.put(str(tmp_path / 'f'), 'hdfs://nn:9/f')
    else:
        assert store.create('hdfs://nn:9/f', b'data')
    assert not stub.name_node.lost
    assert [(path, told[0]) for path, told in stub.files.items()] == [('/f', b'data')]


@pytest.mark.parametrize('lost', [[], ['RENAME']])
def test_rename_of_a_folder(stub, store, monkeypatch, lost):
    """It takes the place of another, also if the answer is lost."""
    monkeypatch.setattr(storage, 'store_of', lambda name: store)
    for path in ('/old/b', '/old/a', '/new/c', '/new.half/d'):
        stub.write(path, path.encode())
    stub.name_node.lost = lost
    storage.rename('hdfs://nn:9/old', 'hdfs://nn:9/new')
    found = {path: told[0] for path, told in stub.files.items()}
    whole = {'/new/a': b'/old/a', '/new/b': b'/old/b', '/new.half/d': b'/new.half/d'}
    assert found == whole


def test_rename_of_nothing(stub, store, monkeypatch):
    monkeypatch.setattr(storage, 'store_of', lambda name: store)
    with pytest.raises(OSError, match='hdfs://nn:9/new'):
        storage.rename('hdfs://nn:9/old', 'hdfs://nn:9/new')


# The command


COMMAND = """\
#!/bin/sh
echo "$LC_ALL" "$@" >> {folder}/asked
case $2 in
-stat) cat {folder}/stat; [ ! -s {folder}/stat ] || exit 0 ;;
-cat) cat {folder}/data ;;
esac
cat {folder}/said >&2
exit $(cat {folder}/code)
"""
MISSING = b"stat: `hdfs://nn/f': No such file or directory\n"


@pytest.fixture
def hadoop(tmp_path, monkeypatch):
    """A folder with what a `hadoop` prints, and what it was asked."""
    (tmp_path / 'bin').mkdir()
    path = tmp_path / 'bin/hadoop'
    path.write_text(COMMAND.format(folder=tmp_path))
    path.chmod(0o755)
    monkeypatch.setenv('PATH', str(path.parent), prepend=os.pathsep)
    prints(tmp_path)
    return tmp_path


def prints(folder, stat=b'', data=b'', said=b'', code=0):
    """What it prints from now on."""
    (folder / 'asked').write_bytes(b'')
    for name, told in {'stat': stat, 'data': data, 'said': said}.items():
        (folder / name).write_bytes(told)
    (folder / 'code').write_text(f'{code}\n')


def test_lines_of_the_command(hadoop):
    """Noise of wrappers is no file, and odd names are some."""
    file = b'regular file\t3\t1795075710472\t[1] c//\n'
    folder = b'directory\t0\t1795075708653\ta\nb//\n'
    prints(hadoop, b'Welcome to the cluster\n' + folder + file, said=b'WARN: old\n')
    assert HadoopFs('nn').list_entries('hdfs://nn/d') == [
        ('hdfs://nn/d/[1] c', False, 3, '3 1795075710472'),
        ('hdfs://nn/d/a\nb', True, 0, '0 1795075708653'),
    ]
    assert 'hdfs://nn/d/*' in (hadoop / 'asked').read_text()
    prints(hadoop, file)
    found = HadoopFs('nn').status('hdfs://nn/d/[1] c')
    assert found == ('hdfs://nn/d/[1] c', False, 3, '3 1795075710472')
    prints(hadoop, b'-rw-r--r-- 1 me domain users 3 2026-11-19 08:08 hdfs://nn/d/c\n')
    for do in (HadoopFs('nn').list_entries, HadoopFs('nn').status):
        with pytest.raises(UserError, match='unexpected output'):
            do('hdfs://nn/d')


@pytest.mark.parametrize('do', ['status', 'list_entries'])
def test_only_the_command_says_that_nothing_is_there(hadoop, do):
    ask = getattr(HadoopFs('nn'), do)
    noise = b'/opt/wrapper: line 3: /etc/x: No such file or directory\n'
    prints(hadoop, said=noise + MISSING, code=1)
    assert not ask('hdfs://nn/f')
    for why in (b'stat: Client cannot authenticate via:[TOKEN, KERBEROS]\n', b''):
        prints(hadoop, said=noise + why, code=1)
        with pytest.raises(Unreachable, match='authenticate' if why else 'wrapper'):
            ask('hdfs://nn/f')


def test_command_that_fails_while_it_prints(hadoop):
    """Its reason is told, and at once, since it was patient itself."""
    stat = b'regular file\t9\t1795075710472\tf//\n'
    for why, kind in [
        (b'cat: Could not obtain block\n', Unreachable),
        (b'cat: Permission denied: user=me\n', PermissionError),
    ]:
        prints(hadoop, stat, b'data', why, 1)
        stream = HadoopFs('nn').open_read('hdfs://nn/f')
        with stream, pytest.raises(kind, match=why.decode().strip()[5:]):
            stream.read()


def test_command_goes_forward(hadoop):
    """However far, by going on, since another would begin at the first byte."""
    prints(hadoop, b'regular file\t9000000\t1795075710472\tf//\n', b'123456789' * 10**6)
    with HadoopFs('nn').open_read('hdfs://nn/f', 9) as stream:
        assert stream.read(2) == b'12'
        stream.seek(8_999_998)
        assert stream.read() == b'89'
    assert (hadoop / 'asked').read_text().count('-cat') == 1


def test_file_replaced_while_the_command_reads(hadoop):
    stat = b'regular file\t9\t%d\tf//\n'
    prints(hadoop, stat % 1, b'data')
    stream = HadoopFs('nn').open_read('hdfs://nn/f')
    prints(hadoop, stat % 2, b'datadata')
    with stream, pytest.raises(OSError, match='changed while it was read'):
        stream.read()


def test_names_in_a_plain_locale(hadoop):
    """Java would make question marks of what is no ASCII."""
    prints(hadoop, b'regular file\t4\t1795075710472\tf//\n', b'data')
    line = 'from mr_reuse.storage.hdfs_command import HadoopFs\n'
    line += 'HadoopFs("nn").open_read("hdfs://nn/\\u20ac").read()'
    env = {**os.environ, 'LC_ALL': 'C'}
    subprocess.run([sys.executable, '-c', line], check=True, env=env)
    asked = (hadoop / 'asked').read_text().splitlines()
    assert [one.split()[0] for one in asked] == ['C.UTF-8'] * 2
    assert all('hdfs://nn/\u20ac' in one for one in asked)
