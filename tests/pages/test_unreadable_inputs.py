"""Inputs that exist and cannot be read: damage of these, and all others are read."""

import errno
import json
import os
import time
from pathlib import Path

import pytest
import rawserver
from commands import discover
from crawls import write_warc

from mr_reuse.storage.disk import Disk
from mr_reuse.storage.web import client as web_client

PAGES = [('http://a.org/', b'<p>one'), ('http://b.org/', b'<p>two')]
DENIED = 'cannot be read: Permission denied'
OK = b'HTTP/1.1 200 OK\r\n'


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_warc(tmp_path / 'good.warc.gz', PAGES)
    return tmp_path


@pytest.fixture
def locked(monkeypatch):
    """The last components of names that may not be read. Root may read all others."""
    names, open_read, scandir = set(), Disk.open_read, os.scandir

    def check(name):
        if os.path.basename(str(name)) in names:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
        return name

    monkeypatch.setattr(Disk, 'open_read', lambda *line: open_read(*map(check, line)))
    monkeypatch.setattr(os, 'scandir', lambda name='.': scandir(check(name)))
    return names


def damage(*args, code=3):
    """The causes of damage by archive, from a run that has read all good pages."""
    done = discover(*args, '-o', 'run', '-q')
    assert done.code == code, done.err
    record = json.loads(Path('run/run.json').read_text())
    assert record['read']['counts']['pages'] >= len(PAGES)
    return {d['archive']: list(d['damage']) for d in record['damaged']}


def test_typed(here, locked):
    write_warc(here / 'a.warc.gz', PAGES)
    (here / 'b').write_text('good.warc.gz\n')
    locked |= {'a.warc.gz', 'b'}
    inputs = ['good.warc.gz', 'a.warc.gz', 'b']
    assert damage(*inputs) == {'a.warc.gz': [DENIED], 'b': [DENIED]}
    assert damage() == {'a.warc.gz': [DENIED], 'b': [DENIED]}  # the inputs of the run
    assert discover(*inputs, '-o', 'other', '--dry-run').code == 0
    locked.remove('a.warc.gz')
    assert damage(*inputs) == {'b': [DENIED]}


def test_in_a_list(here, locked):
    write_warc(here / 'a.warc.gz', PAGES)
    (here / 'list').write_text('a.warc.gz\ngood.warc.gz\n')
    locked.add('a.warc.gz')
    assert damage('list') == {'a.warc.gz': [DENIED]}


def test_in_a_folder(here, locked):
    for name in ('in/shut', 'in/open'):
        (here / name).mkdir(parents=True)
    write_warc(here / 'in/open/a.warc', PAGES)
    write_warc(here / 'in/b.warc', PAGES)
    (here / 'in/shut/c.html').write_text('<p>three')
    (here / 'in/d.html').write_text('<p>four')
    locked |= {'shut', 'b.warc', 'd.html'}
    expected = dict.fromkeys(['in/b.warc', 'in/d.html', 'in/shut'], [DENIED])
    assert damage('in') == expected


def test_folder(here, locked):
    (here / 'in').mkdir()
    locked.add('in')
    assert damage('good.warc.gz', 'in') == {'in': [DENIED]}


def test_answers_that_are_no_http(here, monkeypatch):
    monkeypatch.setattr(time, 'sleep', lambda seconds: None)
    monkeypatch.setenv('no_proxy', '*')
    answers = {
        '/chunk.warc.gz': OK + b'Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n',
        '/status.warc.gz': b'garbage garbage\r\n\r\n',
        '/header.warc.gz': OK + b'X: ' + b'a' * 10_000_000 + b'\r\n\r\n',
        '/page': b'HTTP/1.1 302 Found\r\nLocation: http://[::1\r\n\r\n',
    }
    with rawserver.serving() as server:
        server.answers |= answers
        names = [server.url + path for path in answers]
        (here / 'list').write_text('\n'.join(['good.warc.gz', *names]))
        found = damage('list')
    web_client._pool.cache_clear()
    assert found.keys() == {*names}
    for [cause] in found.values():
        assert cause.startswith('cannot be read: the server sent an invalid answer: ')
    lost = json.loads((here / 'run/run.json').read_text())['read']['damage']
    assert all(counts == [0, 0] for counts in lost.values())
