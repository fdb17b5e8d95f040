"""All pages that have a chunk, or are a file."""

import hashlib

import pytest
from commands import run
from crawls import write_warc

ONE, TWO = b'<p>one', b'<p>two'
PAGES = [
    ('http://a/', ONE + TWO + ONE),
    ('http://b/', TWO),
    ('http://c/x', TWO + ONE),
    ('http://long/', b''.join(b'<p>%d' % n for n in range(40_000)) + ONE + ONE),
]


@pytest.fixture
def pages(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pages = write_warc(tmp_path / 'a.warc.gz', PAGES)
    line = ['a.warc.gz', '-o', 'RUN', '-r', 'inline', '-q', '--threshold=2']
    assert run('discover', *line, '--min-len=0').code == 0
    return [f'a.warc.gz:{page.offset}' for page in pages]


def where(body: bytes, *args) -> list[list[str]]:
    ended = run('show', 'RUN', hashlib.sha1(body).hexdigest(), '--where', *args)
    assert ended.code == 0, ended.err
    head, *rows = (line.split('\t') for line in ended.out.splitlines())
    assert head == ['copies', 'date', 'url', 'rid']
    return [[copies, url, rid] for copies, _, url, rid in rows]


def test_chunk(pages):
    assert where(ONE) == [
        ['2', 'http://a/', pages[0]],
        ['1', 'http://c/x', pages[2]],
        ['2', 'http://long/', pages[3]],
    ]


def test_file(pages):
    """A page of one chunk is that file as well, and counts once."""
    assert where(TWO) == [
        ['1', 'http://a/', pages[0]],
        ['1', 'http://b/', pages[1]],
        ['1', 'http://c/x', pages[2]],
    ]
    assert where(PAGES[2][1]) == [['1', 'http://c/x', pages[2]]]


def test_nowhere(pages):
    ended = run('show', 'RUN', 40 * '0', '--where')
    assert (ended.code, ended.out) == (1, '')
    assert ended.err == f'error: {40 * "0"}: no page of this run has this hash\n'
    ended = run('show', 'RUN', 'a.org/', '--where')
    assert ended.code == 2 and 'give --where a hash' in ended.err
