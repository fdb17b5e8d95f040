"""Manners of the web door: how often, how many at a time, through which proxy."""

import base64
import json
import os
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
import time

import pytest
from certificates import certificate
from commands import discover, run
from crawls import ROOT, write_warc
from webserver import Page, serving

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.storage import Entry
from mr_reuse.storage.base import Unreachable
from mr_reuse.storage.web import WebStore, host_slots
from mr_reuse.storage.web import client as web_client

DATA = b'data' * 1000
PAGES = [('http://a.org/', b'<p>one'), ('http://b.org/', b'<p>two')]
LOGIN = 'ann:p w/ü'  # as a proxy wants it
QUOTED = 'ann:p%20w%2F%C3%BC'  # as a URL has it


@pytest.fixture(autouse=True)
def no_settings(monkeypatch, tmp_path):
    for name in [n for n in os.environ if n.lower().endswith('_proxy')]:
        monkeypatch.delenv(name)
    monkeypatch.setenv('TMPDIR', str(tmp_path))
    monkeypatch.setattr(web_client, 'limiting', set())
    yield
    web_client._pool.cache_clear()
    web_client.forbidden.clear()


@pytest.fixture
def pauses(monkeypatch):
    """The pauses that would have been made."""
    made = []
    monkeypatch.setattr(time, 'sleep', made.append)
    return made


@pytest.fixture
def site():
    with serving() as made:
        yield made


# Servers that are asked too fast


@pytest.mark.parametrize('status', [403, 429, 503])
def test_retry_after_is_respected(site, pauses, status):
    site.pages['/f'] = Page(DATA, answers=[(status, {'Retry-After': '50'})])
    assert WebStore().open_read(f'{site.url}/f').read() == DATA
    assert pauses == [50]


def test_limits_of_the_rate_are_waited_for(site, pauses):
    """A server that limits the rate by 403 has five minutes, for each of its files."""
    site.pages['/f'] = Page(DATA, answers=[(403,)])
    assert WebStore().open_read(f'{site.url}/f').read() == DATA
    for number in range(5):
        site.pages[f'/{number}'] = Page(DATA, answers=[(403,)] * 8)
        pauses.clear()
        assert WebStore().open_read(f'{site.url}/{number}').read() == DATA
        assert len(pauses) == 8 and 255 <= sum(pauses) < 400


@pytest.mark.parametrize('status', [429, 503])
def test_server_that_stays_busy_is_damage(site, pauses, tmp_path, status):
    """All other archives are read; later, the same command reads the rest."""
    data = write_archive(tmp_path, 'a.warc.gz')
    site.pages = {'/a.warc.gz': Page(data), '/b.warc.gz': Page(data)}
    site.pages['/b.warc.gz'].answers = [(status,)] * 999
    names = [f'{site.url}/{name}.warc.gz' for name in 'ab']
    line = [*names, '-o', tmp_path / 'run', '-q']
    done = discover(*line)
    assert done.code == 3, done.err
    assert f'the server stays busy (status {status}), {names[1]}' in done.err
    record = json.loads((tmp_path / 'run/run.json').read_text())
    assert record['read']['counts']['pages'] == len(PAGES)
    assert len(site.asked) < 60
    site.pages['/b.warc.gz'].answers = []
    assert discover(*line).code == 0
    record = json.loads((tmp_path / 'run/run.json').read_text())
    assert record['read']['counts']['pages'] == 2 * len(PAGES)


def test_busy_in_the_middle(site, pauses, tmp_path):
    """What was read before is kept, and the same command reads the archive again."""
    texts = [(f'http://{n}.org/', os.urandom(50_000).hex().encode()) for n in range(60)]
    write_warc(tmp_path / 'a.warc.gz', texts)
    data = (tmp_path / 'a.warc.gz').read_bytes()
    busy = Page(data, answers=[(503,)] * 999)
    url = f'{site.url}/a.warc.gz'
    site.pages['/a.warc.gz'] = Page(data, breaks=[len(data) * 2 // 3], then=busy)
    entry = Entry(url, False, len(data), f'{len(data)} "one"')
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WebStore, 'status', lambda self, name: entry)
        assert discover(url, '-o', tmp_path / 'run', '-q').code == 3
        pages = json.loads((tmp_path / 'run/run.json').read_text())['read']['counts']
        assert 0 < pages['pages'] < 60
        busy.answers = []
        assert discover(url, '-o', tmp_path / 'run', '-q').code == 0


def write_archive(folder, name):
    write_warc(folder / name, PAGES)
    return (folder / name).read_bytes()


# Processes at a host

READ = """
import sys, time
from mr_reuse import storage
with storage.open_read(sys.argv[1]) as stream:
    assert stream.read(1)
    print('reading', flush=True)
    sys.stdin.readline()
print('closed', flush=True)
sys.stdin.readline()
"""


def reader(url):
    """A process that reads a file until it gets a line."""
    pipes = dict.fromkeys(('stdin', 'stdout'), subprocess.PIPE)
    env = {**os.environ, 'PYTHONPATH': str(ROOT)}
    line = [sys.executable, '-c', READ, url]
    return subprocess.Popen(line, text=True, env=env, **pipes)


def test_processes_of_a_host(site, monkeypatch):
    """A third one waits until one of two has closed its file or was killed."""
    monkeypatch.setenv(host_slots.VARIABLE, '2')
    url = f'{site.url}/f'
    site.pages['/f'] = Page(os.urandom(9_000_000))
    first, second = reader(url), reader(url)
    assert {p.stdout.readline() for p in (first, second)} == {'reading\n'}
    third, fourth = reader(url), reader(url)
    time.sleep(1)
    assert len(site.asked) == 2
    first.stdin.write('\n')
    first.stdin.flush()
    assert first.stdout.readline() == 'closed\n'
    second.kill()
    for process in (third, fourth):
        assert process.stdout.readline() == 'reading\n'
    assert len(site.asked) == 4
    for process in (first, second, third, fourth):
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def test_a_process_never_waits_for_itself(site, monkeypatch):
    monkeypatch.setenv(host_slots.VARIABLE, '1')
    site.pages['/f'] = Page(os.urandom(3_000_000))
    streams = [storage.open_read(f'{site.url}/f', n) for n in range(20)]
    assert {len(stream.read(10)) for stream in streams} == {10}
    for stream in streams:
        stream.close()
    assert not any(slot.answers for slot in host_slots._slots.values())
    assert not [s for s in host_slots._slots.values() if s.descriptor >= 0]


@pytest.mark.parametrize('folder', ['/proc/none', '/dev/null'])
def test_no_place_for_locks(site, monkeypatch, folder):
    """Without a place for locks, files are read without a limit."""
    monkeypatch.setenv('TMPDIR', folder)
    site.pages['/f'] = Page(DATA)
    assert storage.open_read(f'{site.url}/f').read() == DATA


def test_limit_that_is_no_number(monkeypatch):
    monkeypatch.setenv(host_slots.VARIABLE, 'many')
    with pytest.raises(UserError, match="'many' is no number"):
        host_slots.limit()
    monkeypatch.setenv(host_slots.VARIABLE, '0')
    assert host_slots.limit() == 0


# Proxies


class Proxy(socketserver.StreamRequestHandler):
    """A proxy that connects every name to one server, and wants a password."""

    def handle(self):
        head = []
        while line := self.rfile.readline().strip():
            head.append(line.decode('latin-1'))
        login = base64.b64encode(LOGIN.encode()).decode()
        method, target, _ = head[0].split()
        self.server.asked.append((method, target))
        if f'proxy-authorization: Basic {login}'.lower() not in map(str.lower, head):
            self.wfile.write(b'HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n')
        elif method == 'CONNECT':
            self.wfile.write(b'HTTP/1.1 200 OK\r\n\r\n')
            self.pass_on(b'')
        else:
            path = '/' + target.split('/', 3)[3]
            lines = [f'{method} {path} HTTP/1.1', *head[1:], 'Connection: close', '']
            self.pass_on('\r\n'.join([*lines, '']).encode('latin-1'))

    def pass_on(self, first):
        with socket.create_connection(('127.0.0.1', self.server.target)) as to:
            to.sendall(first)
            up = threading.Thread(target=copy, args=(self.request, to), daemon=True)
            up.start()
            copy(to, self.request)


def copy(start, to):
    try:
        while data := start.recv(1 << 16):
            to.sendall(data)
        to.shutdown(1)
    except OSError:
        pass


@pytest.fixture
def proxy(site):
    server = socketserver.ThreadingTCPServer(('127.0.0.1', 0), Proxy)
    server.daemon_threads = True
    server.asked, server.target = [], site.server_port
    server.url = f'http://{QUOTED}@127.0.0.1:{server.server_address[1]}'
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_plain_proxy(site, proxy, monkeypatch):
    monkeypatch.setenv('http_proxy', proxy.url)
    site.pages['/f'] = Page(DATA)
    assert storage.open_read('http://a.example/f').read() == DATA
    assert proxy.asked == [('GET', 'http://a.example/f')]


@pytest.mark.parametrize('host', ['a.example', 'b.example'])
def test_tunnel(site, proxy, monkeypatch, tmp_path, host):
    """The certificate is that of the server, and the proxy sees no path."""
    pem = certificate(tmp_path / 'pem', 'a.example')
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    site.socket = context.wrap_socket(site.socket, server_side=True)
    monkeypatch.setenv('SSL_CERT_FILE', str(pem))
    monkeypatch.setenv('https_proxy', proxy.url)
    site.pages['/f'] = Page(DATA)
    if host == 'a.example':
        assert storage.open_read(f'https://{host}/f').read() == DATA
    else:
        with pytest.raises(Unreachable, match='the certificate is not trusted: '):
            storage.open_read(f'https://{host}/f')
    assert set(proxy.asked) == {('CONNECT', f'{host}:443')}


def test_hosts_without_a_proxy(site, proxy, monkeypatch):
    monkeypatch.setenv('http_proxy', proxy.url)
    monkeypatch.setenv('no_proxy', 'b.example,127.0.0.1')
    site.pages['/f'] = Page(DATA)
    assert storage.open_read(f'{site.url}/f').read() == DATA
    assert not proxy.asked


def test_redirect_out_of_the_proxy(site, proxy, monkeypatch):
    """Each request goes the way of its own host, and takes no password along."""
    monkeypatch.setenv('http_proxy', proxy.url)
    monkeypatch.setenv('no_proxy', '127.0.0.1')
    site.pages['/f'] = Page(answers=[(302, {'Location': f'{site.url}/g'})])
    site.pages['/g'] = Page(DATA)
    seen = []
    handler = site.RequestHandlerClass
    serve = handler.do_GET

    def note(self):
        seen.append((self.path, 'Proxy-Authorization' in self.headers))
        serve(self)

    monkeypatch.setattr(handler, 'do_GET', note)
    assert storage.open_read('http://a.example/f').read() == DATA
    assert seen[-1] == ('/g', False)
    assert proxy.asked == [('GET', 'http://a.example/f')]


def test_wrong_password(site, proxy, monkeypatch, tmp_path):
    """The password is in no message."""
    monkeypatch.setenv('http_proxy', proxy.url.replace('ann', 'bob'))
    code, out, err = run('discover', 'http://a.example/a.warc.gz', '-o', tmp_path / 'r')
    assert (code, out) == (1, '')
    assert err == (
        'error: http://a.example/a.warc.gz: the proxy asks for a password (407); set '
        'it in the variable http_proxy\n'
    )


def test_proxy_that_is_none(monkeypatch):
    monkeypatch.setenv('http_proxy', 'socks5://ann:secret@127.0.0.1:9')
    with pytest.raises(UserError) as refusal:
        storage.status('http://a.example/f')
    assert str(refusal.value) == (
        'socks5://127.0.0.1:9: not the URL of a proxy; write http://HOST:PORT into '
        'https_proxy'
    )


@pytest.mark.parametrize(
    ('url', 'proxies', 'expected'),
    [
        ('https://a/f', {'https_proxy': 'p:3128'}, 'http://p:3128'),
        ('HTTPS://A/f', {'HTTPS_PROXY': 'http://p:3128'}, 'http://p:3128'),
        ('http://a/f', {'https_proxy': 'p:3128'}, ''),
        ('http://a/f', {'all_proxy': 'http://p'}, 'http://p'),
        ('http://b.a:80/f', {'http_proxy': 'http://p', 'no_proxy': '.a'}, ''),
        ('http://a/f', {'http_proxy': 'http://p', 'no_proxy': '*'}, ''),
    ],
)
def test_choice_of_the_proxy(monkeypatch, url, proxies, expected):
    for name, value in proxies.items():
        monkeypatch.setenv(name, value)
    assert web_client.proxy_of(url) == expected
