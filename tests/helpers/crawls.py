"""Little crawls for tests: written to disk, drawn at random, given to a command."""

import contextlib
import hashlib
import importlib
import io
import os
import random
import re
import subprocess
import sys
from pathlib import Path

from hypothesis import strategies as st
from reference import Options, Page
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

ROOT = Path(__file__).parents[2]
TABLES = ['labels.tsv', 'file_labels.tsv', 'frequency.tsv']
DATE = '2020-01-02T03:04:05Z'

# Archives on disk


def write_warc(path: Path, documents, kind='response', gzip=True) -> list[Page]:
    """Write documents, with records between them that are no pages.

    A document is URL and body, or URL, body and date, which is '' for an unknown date.
    """
    pages = []
    with open(path, 'wb') as file:
        writer = WARCWriter(file, gzip=gzip)
        writer.write_record(writer.create_warcinfo_record(path.name, {'software': 'x'}))
        for number, (url, body, *dates) in enumerate(documents):
            if kind == 'response':
                writer.write_record(new_record(writer, 'request', url, b'', number))
            date = dates[0] if dates else DATE
            pages.append(Page(str(path), file.tell(), url, body, date))
            record = new_record(writer, kind, url, body, number)
            record.rec_headers.replace_header('WARC-Date', date or 'unknown')
            writer.write_record(record)
    return pages


def new_record(writer, kind: str, url: str, body: bytes, number: int):
    head = {
        'response': ('200 OK', [('Content-Type', 'text/html')], 'HTTP/1.1'),
        'request': ('GET /<p>request HTTP/1.1', [('Host', 'x')], ''),
    }.get(kind)
    return writer.create_warc_record(
        url,
        kind,
        payload=io.BytesIO(body),
        length=len(body),
        warc_content_type='' if head else 'text/plain',
        warc_headers_dict={
            'WARC-Date': DATE,
            'WARC-Record-ID': f'<urn:x:{kind}:{number:09}>',
        },
        http_headers=head and StatusAndHeaders(*head[:2], protocol=head[2]),
    )


def write_wet(path: Path, documents) -> list[Page]:
    return write_warc(path, documents, kind='conversion')


def write_plain_warc(path: Path, documents) -> list[Page]:
    return write_warc(path, documents, kind='resource', gzip=False)


def write_arc(path: Path, documents) -> list[Page]:
    """Write an ARC file, not gzipped, as version 1 of the format says."""
    about = b'1 0 InternetArchive\nURL IP-address Archive-date Content-type '
    about += b'Archive-length\n'
    pages = []
    with open(path, 'wb') as file:
        file.write(arc_record(f'filedesc://{path.name}', b'text/plain', about))
        for url, body, *dates in documents:
            date = dates[0] if dates else DATE
            pages.append(Page(str(path), file.tell(), url, body, date))
            response = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n' + body
            file.write(arc_record(url, b'text/html', response, date))
    return pages


def arc_record(url: str, media_type: bytes, block: bytes, date: str = DATE) -> bytes:
    head = b'%b 192.0.2.1 %b %b %d\n'
    digits = re.sub('[^0-9]', '', date).encode() or b'0' * 14
    return head % (url.encode(), digits, media_type, len(block)) + block + b'\n'


WRITERS = {
    'a.warc.gz': write_warc,
    'b.arc': write_arc,
    'c.warc.wet.gz': write_wet,
    'd.warc': write_plain_warc,
}


def write_crawl(folder: Path, documents) -> tuple[list[str], list[Page]]:
    """Write the documents in turn to archives of every kind; their names, the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    names, pages = [], []
    for number, (name, write) in enumerate(WRITERS.items()):
        share = documents[number :: len(WRITERS)]
        if share:
            names.append(str(folder / name))
            pages += write(folder / name, share)
    return names, pages


def digest_of(data: bytes) -> str:
    return hashlib.sha1(data).hexdigest()


# Documents at random

STARTS = [b'', b'<p>', b'<P\t', b'<div>', b'<DIV\f', b'<pre>', b'<p\n', b'<p/', b'<']
TEXTS = [
    b'',
    b'one',
    b' \t\r\n ',
    b'</p>\r\n',
    b'x' * 96,
    b'long text of more than a hundred bytes, ' * 3,
    'größer als € 100, vielfach kopiert; '.encode() * 4,
    b'broken \xc3( \xff bytes, again and again, ' * 3,
    'a\u2028b\x85c\x07d \v\f'.encode() + b'padding ' * 13,
]
PARTS = [start + text for start in STARTS for text in TEXTS]
WHOLE = [b'', b'\x89PNG\r\n\x1a\n<p>', b'a\0<p>b', b'%PDF-1.4 <p>x', b'\xff\xfe<\0p\0']
HOSTS = [
    'http://a.org',
    'http://A.org:80',
    'https://a.org:443',
    'http://a.org:8080',
    'https://b.net:80',
    'http://b.net',
    'http://me@b.net',
    'http://[::1]:80',
]
PATHS = [
    '/',
    '//x/',
    '/x/y.html?q=/1/1/1/1',
    '/en/docs/en/docs/x',
    '/d/d/d/e',
    '/d' * 96,
    '/d' * 97,
    '/d//' * 96,
]

urls = st.builds(str.__add__, st.sampled_from(HOSTS), st.sampled_from(PATHS))


@st.composite
def crawls(draw, largest=50):
    """From 5 documents on, of few different parts, so that many are copies."""
    some = st.lists(st.sampled_from(PARTS), min_size=2, max_size=6, unique=True)
    parts = st.lists(st.sampled_from(draw(some)), max_size=8).map(b''.join)
    bodies = st.one_of(parts, parts, parts, st.sampled_from(WHOLE))
    size = draw(st.integers(5, largest))
    return draw(st.lists(st.tuples(urls, bodies), min_size=size, max_size=size))


def sample_crawl(size=40, seed=1) -> list[tuple[str, bytes]]:
    """One rich crawl, always the same."""
    dice = random.Random(seed)
    texts = [b''.join(dice.choices(PARTS, k=6)) for _ in range(size)] + WHOLE
    places = [host + path for host in HOSTS for path in PATHS]
    return [(dice.choice(places), dice.choice(texts)) for _ in range(size)]


# The command


def arguments(options: Options, folder: Path | None = None) -> list[str]:
    """The command line that says these options."""
    said = [f'--threshold={options.threshold}']
    for name in ['min_len', 'preset', 'hash', 'normalize', 'recursion', 'captures']:
        value = getattr(options, name)
        if value != getattr(Options, name):
            said.append(f'--{name.replace("_", "-")}={value}')
    if options.stop:
        stop = folder / 'stop.txt'
        stop.write_text(''.join(f'{name}\n' for name in sorted(options.stop)))
        said.append(f'--stop={stop}')
    return said


def discover(*args, out: Path) -> dict[str, bytes]:
    """Run `discover` in this process; the bytes of its tables."""
    main = importlib.import_module('mr_reuse.discover').main
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        code = main([*map(str, args), '-q', '-r', 'inline', '-o', str(out)])
    assert code == 0, said.getvalue()
    return tables_in(out)


def discover_apart(*args, out: Path) -> dict[str, bytes]:
    """Run `discover` as people do, in a process and with tasks of their own."""
    command = [sys.executable, '-m', 'mr_reuse.discover', *map(str, args)]
    done = subprocess.run(
        [*command, '-q', '-r', 'local', '-o', str(out)],
        env={**os.environ, 'PYTHONPATH': str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return tables_in(out)


def tables_in(run: Path) -> dict[str, bytes]:
    return {name: (run / name).read_bytes() for name in TABLES}


def hashes(table: bytes) -> list[str]:
    """The first column of a table, without its header."""
    return [line.split(b'\t')[0].decode() for line in table.splitlines()[1:]]
