"""What the base of all page jobs does, by a job that counts the words of pages."""

import gzip
import json
from typing import NamedTuple

from damaged_reading import make

from mr_reuse.pages.job import PageJob

HTML = b'<p>three words here'
GIF = b'GIF89a' + bytes(9)


class WordLine(NamedTuple):
    name: str
    words: int

    def to_line(self):
        return self.name.encode(), b'%d' % self.words


class CountWords(PageJob):
    """Writes a line a page, but for pages without words."""

    UNIT = 'words'

    def lines_of(self, archive, items):
        for item in items:
            item.type = 'image/gif' if item.body == GIF else 'text/html'
            item.size = len(item.body)
            words = len(item.body.split())
            if words:
                yield item, [WordLine(f'{archive}:{item.offset}', words)]


def run(tmp_path, records, *options, name='a.warc.gz'):
    """The lines of a task that reads records, and what its last line says."""
    path = tmp_path / name
    path.write_bytes(b''.join(map(gzip.compress, records)))
    return run_on([['archive', name, str(path), '', path.stat().st_size, '']], *options)


def run_on(sources, *options):
    job = CountWords(['--mapper', '--step-num=0', *options])
    job.mapper_init()
    lines = list(job.mapper(None, json.dumps(sources).encode()))
    [(key, value)] = job.mapper_final()
    assert key == b'@'
    return lines, json.loads(value)['accounts']


def response(name, body=HTML, status=200):
    http = make.http(body).replace(b'200', b'%d' % status)
    return make.warc(name, http)


def test_counts(tmp_path):
    records = [response('a'), response('b/c', b'one'), response('empty', b'')]
    lines, [stats] = run(tmp_path, [make.warc('', b'', 'warcinfo'), *records])
    first = len(gzip.compress(make.warc('', b'', 'warcinfo')))
    second = first + len(gzip.compress(records[0]))
    assert lines == [
        (b'a.warc.gz:%d' % first, b'3'),
        (b'a.warc.gz:%d' % second, b'1'),
    ]
    assert stats == {
        'archive': 'a.warc.gz',
        'counts': {'files': 2, 'pages': 2, 'bytes': 22, 'words': 4},
        'types': {'text/html': 2},
        'depths': {'1': 1, '2': 1},
        'skipped': {'warcinfo': 1},
    }


def test_left_out(tmp_path):
    """By status and URL, by type, by a loop in the URL: each is counted."""
    records = [
        response('a'),
        response('gone', status=404),
        response('gif', GIF),
        response('x/' * 97),
    ]
    lines, [stats] = run(
        tmp_path, records, '--filter=status=200', '--filter=type=text/*'
    )
    assert lines == [(b'a.warc.gz:0', b'3')]
    assert stats['skipped'] == {'filtered out': 2, 'recursion: length': 1}
    assert stats['counts'] == {'files': 1, 'pages': 1, 'bytes': 19, 'words': 3}
    assert stats['depths'] == {'1': 1, '97': 1}  # of pages and of loops
    lines, [stats] = run(tmp_path, records, '--recursion=none')
    assert len(lines) == 4
    assert stats['types'] == {'image/gif': 1, 'text/html': 3}
    assert stats['depths'] == {'1': 3, '97': 1}


def test_damage(tmp_path):
    broken = make.warc('b', make.http(HTML))[:-30]
    lines, [stats] = run(tmp_path, [response('a'), broken, response('c')])
    assert [value for _, value in lines] == [b'3', b'3']
    # A message of 63 bytes and two line ends, without the last 30 bytes.
    assert stats['damage'] == {'length runs over the end of the record': [1, 37]}


def test_many_archives(tmp_path, monkeypatch):
    """Of most archives of a task the statistics are summed, except damaged ones."""
    monkeypatch.setattr('mr_reuse.pages.job.MAX_ACCOUNTS', 2)
    sources = []
    for name in 'abcde':
        data = make.warc('x', make.http(HTML))
        (tmp_path / name).write_bytes(data[:-30] if name == 'd' else data)
        sources.append(['archive', name, str(tmp_path / name), '', 300, ''])
    lines, accounts = run_on(sources)
    assert len(lines) == 4
    names = [account['archive'] for account in accounts]
    assert names == ['a', 'b', 'd', 'further archives']
    assert accounts[-1]['counts']['pages'] == 2
    assert sum(account.get('counts', {}).get('pages', 0) for account in accounts) == 4


def test_files_that_are_pages(tmp_path):
    """All of a task have one account; each that cannot be read has its own."""
    sources = []
    for name in 'ab':
        (tmp_path / name).write_bytes(HTML)
        sources.append(['page', name, str(tmp_path / name), name, 19, ''])
    sources.append(['page', 'gone', str(tmp_path / 'gone'), 'gone', 19, ''])
    lines, accounts = run_on(sources)
    assert lines == [(b'a:0', b'3'), (b'b:0', b'3')]
    assert accounts == [
        {
            'archive': 'gone',
            'damage': {'cannot be read: No such file or directory': [1, 0]},
        },
        {
            'archive': 'pages in files of their own',
            'counts': {'files': 2, 'pages': 2, 'bytes': 38, 'words': 6},
            'types': {'text/html': 2},
            'depths': {'0': 2},
        },
    ]
