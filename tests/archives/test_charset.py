"""The charset of an item is that which a browser takes from the Content-Type header."""

import gzip

import pytest
from damaged_reading import make, shrink

from mr_reuse import kernel
from mr_reuse.archives import reader
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.content_type import charset_of
from mr_reuse.archives.sources import Source

# What the tests of browsers expect (web-platform-tests, mimesniff and fetch).
ONE_VALUE = {
    b'text/html;charset=gbk': 'gbk',
    b'TEXT/HTML ; CHARSET=GBK': 'GBK',
    b'text/html;charset= gbk ': 'gbk',
    b'text/html;charset =gbk': '',
    b'text/html;charset="gbk"x': 'gbk',
    b'text/html;charset="gbk': 'gbk',
    b'text/html;charset=gbk"': 'gbk"',
    b'text/html;charset="\\g\\b\\k"': 'gbk',
    b"text/html;charset='gbk'": "'gbk'",
    b'text/html;charset=gbk;charset=windows-1255': 'gbk',
    b'text/html;charset=;charset=gbk': 'gbk',
    b'text/html;charset="";charset=gbk': '',
    b'text/html;charset="\0";charset=gbk': 'gbk',
    b'text/html;test;";x=(;;test=; charset=gbk': 'gbk',
    b'text/html;x="; charset=gbk"': '',
    b'text/html': '',
    b'text/html;charset': '',
    b'charset=gbk': '',
    b';charset=gbk': '',
    b'text;charset=gbk': '',
    b'text/html/x;charset=gbk': '',
    b'text/html(;charset=gbk': '',
    b'*/*;charset=gbk': '',
    b'': '',
}
MANY_VALUES = [
    (['text/plain;charset=gbk', 'text/html'], ''),
    (['text/plain;charset=gbk', 'text/plain'], 'gbk'),
    (['text/plain;charset=gbk', 'TEXT/plain;charset=windows-1252'], 'windows-1252'),
    (['text/html;charset=gbk', 'text/html;x=",text/plain'], 'gbk'),
    (['text/html;charset=gbk', 'text/plain', 'text/html'], ''),
    (['text/html;charset=gbk', '*/*;charset=x', 'nonsense'], 'gbk'),
    (['text/html;x="', 'text/plain;charset=gbk'], ''),
]


@pytest.mark.parametrize(('value', 'charset'), ONE_VALUE.items())
def test_one_value(value, charset):
    assert charset_of(value) == charset


@pytest.mark.parametrize(('values', 'charset'), MANY_VALUES)
def test_many_values(values, charset):
    assert charset_of(', '.join(values).encode()) == charset


def test_bounds():
    """A label has at most 64 letters, and lies in the first 1,000 bytes."""
    assert charset_of(b'text/html;charset=' + b'x' * 64) == 'x' * 64
    assert charset_of(b'text/html;charset=' + b'x' * 65) == ''
    assert charset_of(b'text/html;%b;charset=gbk' % (b'x' * 900)) == 'gbk'
    assert charset_of(b'text/html;%b;charset=gbk' % (b'x' * 1000)) == ''
    assert charset_of(b'text/html;charset=\xe9') == '\xe9'


# In archives

HTML = b'<p>one'
OWN = {'Content_Type': 'text/plain; charset=koi8-r'}


def response(*fields: str) -> bytes:
    return '\r\n'.join(['HTTP/1.1 200 OK', *fields, '', '']).encode() + HTML


RECORDS = {
    'one': make.warc('', response('content-TYPE: text/html; charset=UTF-8')),
    'blank before the colon': make.warc('', response('Content-Type : a/b;charset=x')),
    'after others': make.warc('', response('A: b', 'Content-Type: a/b;charset="x"')),
    'none': make.warc('', response('Content-Type: text/html')),
    'no header': make.warc('', response()),
    'two': make.warc('', response('Content-Type: a/b; charset=x', 'Content-Type: a/b')),
    'encoded': make.warc(
        '', response('Content-Encoding: identity', 'Content-Type: a/b; charset=x')
    ),
    'in the body': make.warc('', response() + b'\r\nContent-Type: a/b; charset=x\r\n'),
    'of the record': make.warc(
        '', response(), Content_Type='application/http; msgtype=response; charset=x'
    ),
    'resource': make.warc('', HTML, 'resource', **OWN),
    'conversion': make.warc('', HTML, 'conversion', **OWN),
    'resource like a message': make.warc(
        '', response('Content-Type: a/b; charset=x'), 'resource', **OWN
    ),
    'response without a message': make.warc('', HTML, **OWN),
}
EXPECTED = {
    'one': 'UTF-8',
    'blank before the colon': 'x',
    'after others': 'x',
    'none': '',
    'no header': '',
    'two': 'x',
    'encoded': 'x',
    'in the body': '',
    'of the record': '',
    'resource': 'koi8-r',
    'conversion': 'koi8-r',
    'resource like a message': 'koi8-r',
    'response without a message': 'koi8-r',
}


def charsets(path, kind='archive') -> list[str]:
    source = Source(kind, 'a', str(path), 'a')
    stats = ArchiveStats('a')
    found = [item.charset for item in reader.read_source(source, stats)]
    assert not stats.damaged
    return found


@pytest.mark.parametrize('small', [8, 16 << 20])
@pytest.mark.parametrize('gzipped', [True, False])
@pytest.mark.parametrize('pure', [True, False])
def test_items(tmp_path, monkeypatch, pure, gzipped, small):
    """By the kernel, by Python, record after record, and of bodies in pieces."""
    if pure:
        monkeypatch.setenv(kernel.PURE, '1')
    shrink(monkeypatch, small)
    path = tmp_path / 'a.warc.gz'
    pack = gzip.compress if gzipped else bytes
    path.write_bytes(b''.join(map(pack, RECORDS.values())))
    assert dict(zip(RECORDS, charsets(path), strict=True)) == EXPECTED


def test_arc(tmp_path):
    """The line before an ARC record has a media type, but never a charset."""
    path = tmp_path / 'a.arc'
    blocks = [response('Content-Type: text/html; charset=UTF-8'), HTML]
    path.write_bytes(b''.join(make.arc('a', block) for block in blocks))
    assert charsets(path) == ['UTF-8', '']


def test_file(tmp_path):
    path = tmp_path / 'a.html'
    path.write_bytes(HTML)
    assert charsets(path, 'page') == ['']
