"""Which captures are searched, and what says so; little crawls made by hand."""

import json
import re

import odd_crawls
import pytest
from commands import run

RUN = ['-r', 'inline', '-o']
FIRST, SECOND = '2019-01-02T03:04:05Z', '2019-02-02T03:04:05Z'
PNG = b'\x89PNG\r\n\x1a\n' + b'x' * 120
URL = 'http://a.example/'


def text(letter: str) -> bytes:
    return b'<p>' + letter.encode() * 150


def write(path, *captures) -> list[str]:
    """Write captures of one URL, each a date, a body and perhaps a status."""
    documents = [('response', URL, date, body) for date, body, *_ in captures]
    records = odd_crawls.write_odd(path, documents)
    for _, body, *status in captures:
        if status:
            data = path.read_bytes()
            old, new = b'200 OK\r\nContent-Type: text/html\r\n\r\n' + body, status[0]
            path.write_bytes(data.replace(old, new + old[3:]))
    return [record.rid for record in records]


def pages(folder) -> list[str]:
    rows = (folder / 'pages.tsv').read_text().splitlines()[1:]
    return [row.split('\t')[0] for row in rows]


def search(archive, folder, *said) -> list[str]:
    """The rids of the pages that were searched."""
    done = run('discover', archive, '-q', '--threshold=0', *said, *RUN, folder)
    assert done.code == 0, done.err
    done = run('detect', '-q', *RUN, folder)
    assert done.code == 0, done.err
    return pages(folder)


def test_status_does_not_matter(tmp_path):
    archive = tmp_path / 'a.warc'
    old, new = write(archive, (FIRST, text('a'), b'404'), (SECOND, text('b')))
    assert search(archive, tmp_path / 'r1') == [old]
    assert search(archive, tmp_path / 'r2', '--filter=status=200') == [new]


def test_pages_come_before_other_files(tmp_path):
    archive = tmp_path / 'a.warc'
    names = write(archive, (FIRST, PNG), (SECOND, text('a')))
    assert search(archive, tmp_path / 'run') == [names[1]]
    files = (tmp_path / 'run/frequency.tsv').read_text().splitlines()[1:]
    assert 'file\t1\t1' in files and len(files) == 2


@pytest.mark.parametrize('how, kept', [('first', 1), ('last', 2)])
def test_order_in_the_archives_does_not_matter(tmp_path, how, kept):
    """Of equal dates the smaller offset counts, as a number: 9 comes before 10."""
    archive = tmp_path / 'a.warc'
    captures = [(SECOND, text('a')), (FIRST, text('b')), ('', text('c'))]
    captures += [(FIRST, text('d')), ('', text('e'))]
    names = write(archive, *captures)
    assert search(archive, tmp_path / 'run', f'--captures={how}') == [names[kept]]


def test_record_at_the_beginning_of_an_archive(tmp_path):
    """Offset 0, no date, no host: still it is a record, and no page of a file."""
    archive, folder = tmp_path / 'a.warc', tmp_path / 'run'
    documents = [('resource', 'urn:x', date, text('a')) for date in ('', FIRST)]
    records = odd_crawls.write_odd(archive, documents)
    assert search(archive, folder) == [records[1].rid]


def test_known_content_is_of_all_captures(tmp_path):
    archive, labels = tmp_path / 'a.warc', tmp_path / 'x.mrl'
    write(archive, (FIRST, text('a')), (SECOND, text('b')))
    done = run('labels', 'build', archive, '-q', '-r', 'inline', '-o', labels)
    assert done.code == 0, done.err
    line = ['detect', archive, '-l', labels, '-q', '--captures=all', *RUN]
    assert run(*line, tmp_path / 'run').code == 0
    rows = (tmp_path / 'run/pages.tsv').read_text().splitlines()[1:]
    assert [row.split('\t')[2:4] for row in rows] == [['1', '1']] * 2


def test_compare_warns(tmp_path):
    archive = tmp_path / 'a.warc'
    write(archive, (FIRST, text('a')), (SECOND, text('b')))
    for how in ('first', 'all'):
        search(archive, tmp_path / how, f'--captures={how}')
    done = run('compare', tmp_path / 'first', tmp_path / 'all', '-o', tmp_path / 'c')
    assert done.code == 0, done.err
    assert re.search('warning: .*--captures', done.err)


def test_summary_says_what_was_not_searched(tmp_path):
    archive, folder = tmp_path / 'a.warc', tmp_path / 'run'
    write(archive, *((SECOND, text(letter)) for letter in 'abc'))
    line = ['discover', archive, '--threshold=0', *RUN, folder]
    [about] = [row for row in run(*line).out.splitlines() if 'captures' in row]
    assert re.search(r'\b3 captures of 1 URL\b', about)
    assert re.search(r'\b2\b', about) and '--captures all' in about
    done = run('detect', *RUN, folder)
    assert about in done.out.splitlines()
    numbers = json.loads((folder / 'run.json').read_text())
    assert [numbers[n] for n in ('captures', 'urls', 'passed_over')] == [3, 1, 2]


def test_dates_are_of_all_captures(tmp_path):
    """What has a chunk is decided by what is searched, but since when by all."""
    archive, folder = tmp_path / 'a.warc', tmp_path / 'run'
    body = b''.join(b'<p>%d ' % n + b'y' * 120 for n in range(12))
    documents = [
        ('response', 'http://old.example/', '2019-01-01T00:00:00Z', body),
        ('response', 'http://old.example/', '2019-05-01T00:00:00Z', body),
        ('response', 'http://new.example/', '2019-03-01T00:00:00Z', body),
        ('response', 'http://gone.example/', '2018-01-01T00:00:00Z', body),
        ('response', 'http://gone.example/', '2019-05-01T00:00:00Z', text('z')),
    ]
    odd_crawls.write_odd(archive, documents)
    said = ['--captures=last', '--threshold=1']
    assert run('discover', archive, '-q', *said, *RUN, folder).code == 0
    line = ['detect', '-q', '--neighborhood-threshold=0.5', *RUN, folder]
    assert run(*line).code == 0
    [row] = (folder / 'pairs.tsv').read_text().splitlines()[1:]
    assert row.split('\t')[:2] + row.split('\t')[-2:] == [
        'new.example', 'old.example', '0', '12',
    ]  # fmt: skip
    rows = (folder / 'origins.tsv').read_text().splitlines()
    first = dict(zip(*(row.split('\t') for row in rows[:2]), strict=True))
    assert first['neighborhood'] == 'new.example/'
    assert first['first_there'] == '2019-01-01T00:00:00Z'
    assert (first['earlier_here'], first['earlier_there']) == ('0', '12')
    assert len(rows) == 3 and 'gone.example' not in '\n'.join(rows)
