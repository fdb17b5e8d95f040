"""Web servers that send no valid HTTP: an error of that file, in one line."""

import errno
import time

import pytest
import rawserver

from mr_reuse.storage.base import Unreachable
from mr_reuse.storage.web import WebStore
from mr_reuse.storage.web import client as web_client

OK = b'HTTP/1.1 200 OK\r\n'
MANY = b'9' * 4400  # digits; Python reads 4300 of them
CHUNKED = OK + b'Transfer-Encoding: chunked\r\n\r\n'


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(time, 'sleep', lambda seconds: None)
    monkeypatch.setenv('no_proxy', '*')
    with rawserver.serving() as made:
        yield made
    web_client._pool.cache_clear()


def read(name):
    WebStore().status(name)
    with WebStore().open_read(name) as stream:
        return stream.read()


def moved(place):
    return b'HTTP/1.1 302 Found\r\nLocation: %b\r\n\r\n' % place


def busy(pause):
    return b'HTTP/1.1 503 Busy\r\nRetry-After: %b\r\n\r\n' % pause


@pytest.mark.parametrize(
    'answer',
    {
        'bracket': moved(b'http://[::1'),
        'scheme': moved(b'ftp://a.org/f'),
        'file': moved(b'file:///etc/hostname'),
        'port': moved(b'http://a.org:99999999/'),
        'chunk below 0': CHUNKED + b'-5\r\nhello\r\n0\r\n\r\n',
        'chunk of letters': CHUNKED + b'xyz\r\nhello\r\n0\r\n\r\n',
        'chunk without end': CHUNKED + b'1' * 70_000 + b'\r\nhello\r\n',
        'status line': b'garbage garbage\r\n\r\n',
        'status number': b'HTTP/1.1 99999 OK\r\n\r\n',
        'header': OK + b'X: ' + b'a' * 10_000_000 + b'\r\n\r\n',
        'headers': OK + b'X: a\r\n' * 1000 + b'\r\n\r\n',
        'pause': busy(b'soon'),
        'long pause': busy(MANY),
        'two lengths': OK + b'Content-Length: 3, 4\r\n\r\nabc',
    }.items(),
    ids=lambda item: item[0],
)
def test_no_valid_answer(server, answer):
    server.answers['/f'] = answer[1]
    with pytest.raises(OSError, match='the server sent an invalid answer: ') as told:
        read(f'{server.url}/f')
    assert (told.value.errno, told.value.filename) == (errno.EIO, f'{server.url}/f')
    assert len(str(told.value)) < 400 and '\n' not in str(told.value)


@pytest.mark.parametrize('length', ['²³'.encode('latin-1'), '²³'.encode(), MANY, b'-5'])
def test_length_that_is_none(server, length):
    """It is as if there were no length: the answer ends with the connection."""
    server.answers['/f'] = OK + b'Content-Length: %b\r\n\r\nabc' % length
    assert WebStore().status(f'{server.url}/f').size == -1
    assert read(f'{server.url}/f') == b'abc'


def test_range_that_is_none(server):
    head = b'HTTP/1.1 206 Part\r\nContent-Range: bytes 0-2/%b\r\n\r\n' % MANY
    server.answers['/f'] = head + b'abc'
    with pytest.raises(OSError, match='the server sent a wrong part of the file'):
        read(f'{server.url}/f')


@pytest.mark.parametrize('answer', [b'', CHUNKED, CHUNKED + b'5\r\nhel'])
def test_connection_that_is_lost(server, answer):
    """It may be better later, so it says nothing of the file."""
    server.answers['/f'] = answer
    with pytest.raises(Unreachable):
        read(f'{server.url}/f')
